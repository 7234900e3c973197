// Where what other programs read of a plan lies: a folder named after the plan, and inside it names that any task's id can have.
import { join } from 'node:path';
import type { PlanPath, TaskId } from '../core/ids.ts';
import { shortHash } from '../core/short-hash.ts';

const ending = /\.(md|markdown|ya?ml)$/i;

/** What a plan's folder is called: its base name, or for one whose base name is another's already all of its path, which no other has. */
export interface OutputNames {
  readonly short: string;
  readonly long: string;
}

export function outputNames(path: PlanPath): OutputNames {
  const slash = path.lastIndexOf('/');
  // A plan in the root gets a slash too: `plan.yaml` could be the base name of `plan.yaml.md`.
  return {
    short: encodeName(path.slice(slash + 1).replace(ending, '')),
    long: encodeName(slash === -1 ? `/${path}` : path),
  };
}

export interface OutputPlaces {
  readonly folder: string;
  readonly status: string;
  readonly backup: string;
  readonly findings: string;
  readonly timestamps: string;
}

export function outputPlaces(folder: string): OutputPlaces {
  const status = join(folder, 'status.json');
  return {
    folder,
    status,
    backup: `${status}.bak`,
    findings: join(folder, 'findings'),
    timestamps: join(folder, 'timestamps'),
  };
}

export const timestampFile = ({ timestamps }: OutputPlaces, attempt: string): string =>
  join(timestamps, `${encodeName(attempt)}.json`);

export const findingFile = ({ findings }: OutputPlaces, task: TaskId): string =>
  join(findings, `${encodeName(task)}.md`);

const longest = 120;

/** Plain ids stay as people type them; different texts have different names. */
export function encodeName(text: string): string {
  let name = '';
  for (const byte of Buffer.from(text)) {
    const c = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9_]/.test(c) || (name !== '' && /[.-]/.test(c));
    name += isPlain ? c : `%${byte.toString(16).padStart(2, '0')}`;
  }
  if (name === '') return '%';
  // No short name has such an end: a `%` is followed by two digits there.
  return name.length <= longest ? name : `${name.slice(0, longest - 20).replace(/%.?$/, '')}%-${shortHash(text)}`;
}
