// Environment variables as a plan writes them on one line: `A=1, B=2`.
import { isEnvName, unwrapCode } from './value.ts';

/** Names with values, or the part that is none. A comma separates only where a new `NAME=` follows. */
export function readEnvLine(text: string): { readonly env: [string, string][] } | { readonly wrong: string } {
  const env: [string, string][] = [];
  for (const part of text.split(/,\s*(?=[A-Za-z_][A-Za-z0-9_]{0,199}=)/)) {
    const plain = unwrapCode(part.trim());
    const equals = plain.indexOf('=');
    const name = plain.slice(0, Math.max(0, equals));
    if (!isEnvName(name)) return { wrong: part.trim() };
    env.push([name, plain.slice(equals + 1)]);
  }
  return { env };
}
