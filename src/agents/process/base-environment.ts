// What of our own environment attempts get to see: what programs need to work at all, and nothing else. Secrets that happen to
// be set where Signalbox was started do not reach agents unless the settings or the plan hand them on.
import { delimiter } from 'node:path';

const passed = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TERM', 'TMPDIR', 'TZ', 'SHELL']);
const passedForms = [/^LC_[A-Z]+$/, /^(?:HTTP|HTTPS|FTP|ALL|NO)_PROXY$/i];

export function baseEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const base: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (passed.has(name) || passedForms.some((form) => form.test(name)))) base[name] = value;
  }
  return base;
}

/** @param commands holds the command `signalbox`, which goes in front for everything that a plan starts. */
export const pathWith = (commands: string, path = '/usr/local/bin:/usr/bin:/bin'): string =>
  `${commands}${delimiter}${path}`;
