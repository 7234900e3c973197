// Asks a program for its version.
import { type ShortRun, shortRun } from './short-run.ts';

export interface VersionQuestion extends Pick<ShortRun, 'program' | 'env'> {
  readonly timeoutMs?: number;
}

export type VersionAnswer =
  | { readonly kind: 'version'; readonly text: string }
  /** It ended, and said nothing of the kind: not every program knows the question. */
  | { readonly kind: 'unknown'; readonly because: string }
  | { readonly kind: 'failed'; readonly because: string };

const words = /\S/;
/** Three numbers, else two: a warning before it may have numbers too. */
const versions = [/\d+\.\d+\.\d+/, /\d+\.\d+/];

/** The line that looks like a version, else the first one it prints; or why there is none. Never rejects, and never takes much longer than its time. */
export async function programVersion({ timeoutMs = 2000, ...asked }: VersionQuestion): Promise<VersionAnswer> {
  const end = await shortRun({ ...asked, args: ['--version'], timeoutMs });
  if (end.kind === 'failed') return end;
  const { text, beside } = end;
  // Some programs print it beside their output, where others print warnings.
  const line = lineOf(text, versions) ?? lineOf(beside, versions) ?? lineOf(`${text}\n${beside}`, [words]);
  if (end.code !== 0 || line === undefined) return { kind: 'unknown', because: 'it does not tell its version' };
  return { kind: 'version', text: line.trim().slice(0, 100) };
}

function lineOf(text: string, forms: readonly RegExp[]): string | undefined {
  const lines = text.split('\n');
  return forms.map((form) => lines.find((line) => form.test(line))).find((found) => found !== undefined);
}
