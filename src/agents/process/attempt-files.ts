// Where the files of attempts lie. Every part of a name is checked or encoded here, so that no id, however hostile, leads out
// of the folder; the token in front makes names unique, also on file systems that do not tell cases or Unicode forms apart.
import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { AttemptId, RunId } from '../../core/model/ids.ts';

export interface AttemptName {
  readonly token: number;
  readonly attempt: AttemptId;
}

/** Tokens are unique in one store only: after a database was lost, the files of its attempts keep a folder of their own. */
export const attemptsFolderOf = (
  { attemptsFolder }: { readonly attemptsFolder: string },
  store: { readonly workspace: string },
): string => join(attemptsFolder, store.workspace.slice(0, 8));

/** Standard output and error of an attempt; its existence is the claim. */
export const outputFile = (folder: string, name: AttemptName): string => fileOf(folder, `${stem(name)}.log`);

/** Standard error of a coding agent, whose standard output is a stream that is read. */
export const errorFile = (folder: string, name: AttemptName): string => fileOf(folder, `${stem(name)}.err`);

/** A folder of its own for the agents of a task: a later attempt finds the conversation of an earlier one there. */
export const agentHome = (folder: string, about: { kind: string; plan: string; task: string }): string => {
  const { kind, plan, task } = about;
  const sum = createHash('sha256')
    .update(JSON.stringify([plan, task]))
    .digest('hex')
    .slice(0, 12);
  return join(fileOf(folder, 'homes'), `${kind}-${encoded(task)}-${sum}`);
};

/** What an agent was told. */
export const promptFile = (folder: string, name: AttemptName): string => fileOf(folder, `${stem(name)}.prompt.md`);

/** What a merge was told. */
export const mergeFile = (folder: string, name: AttemptName): string => fileOf(folder, `${stem(name)}.merge.json`);

/** What the workers of a run left behind (see `journal.ts`). */
export const journalFile = (folder: string, run: RunId): string => fileOfRun(folder, run, 'journal');

/** The sign of life of its runner (see `runner-alive.ts`). */
export const leaseFile = (folder: string, run: RunId): string => fileOfRun(folder, run, 'lease');

function fileOfRun(folder: string, run: RunId, kind: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(run)) throw new Error(`not a run id: ${JSON.stringify(run)}`);
  return fileOf(folder, `${run}.${kind}`);
}

const longestName = 80;

function stem({ token, attempt }: AttemptName): string {
  if (!Number.isSafeInteger(token) || token < 1) throw new Error(`not a token: ${token}`);
  const [, task, n] = /^([\s\S]*)#(\d{1,9})$/.exec(attempt) ?? [];
  if (task === undefined) throw new Error(`not an attempt id: ${JSON.stringify(attempt)}`);
  return `${token}-${encoded(task)}.${n}`;
}

function encoded(task: string): string {
  let safe = '';
  for (const character of task) {
    const next = /^[A-Za-z0-9._-]$/.test(character) ? character : percentEncoded(character);
    if (safe.length + next.length > longestName) break;
    safe += next;
  }
  return safe;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function fileOf(folder: string, name: string): string {
  if (!isAbsolute(folder) || folder.includes('\0'))
    throw new Error(`not an absolute folder: ${JSON.stringify(folder)}`);
  return join(folder, name);
}
