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

/** The first line it prints, or why there is none. Never rejects, and never takes much longer than its time. */
export async function programVersion({ timeoutMs = 2000, ...asked }: VersionQuestion): Promise<VersionAnswer> {
  const end = await shortRun({ ...asked, args: ['--version'], timeoutMs });
  if (end.kind === 'failed') return end;
  const line = end.text.split('\n').find((one) => one.trim() !== '');
  if (end.code !== 0 || line === undefined) return { kind: 'unknown', because: 'it does not tell its version' };
  return { kind: 'version', text: line.trim().slice(0, 100) };
}
