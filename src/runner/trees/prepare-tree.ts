// Makes a new tree fit for work: submodules, ignored files of the workspace, then the setup command to its end. A mark in the tree's own
// git folder says that all of it ended well. Whoever is killed before finds no mark, and does it again.
import { appendFileSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TreeKill } from '../../agents/process/kill-tree.ts';
import { ProcessTable } from '../../agents/process/process-table.ts';
import { runCheck } from '../../agents/process/run-check.ts';
import { shortHash } from '../../core/model/short-hash.ts';
import { GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { findGitFolders, type GitFolders } from '../../git/git-folders.ts';
import { includeFile } from '../../git/trees/included-files.ts';
import { checkOutSubmodules } from '../../git/trees/submodules.ts';
import { copyIncluded } from './copy-included.ts';

export interface TreeOrder {
  readonly workspace: string;
  /** The workspace inside of the tree. */
  readonly folder: string;
  /** Patterns of ignored files that it gets, beside those of `.worktreeinclude`. */
  readonly include: readonly string[];
  /** In a shell; null: there is nothing to do. */
  readonly setup: string | null;
  /** Of what is started. Nothing in it that is about git counts. */
  readonly environment: Readonly<Record<string, string>>;
  /** The file that gets what the setup prints. */
  readonly output: string;
  /** Whether it never counts, by its path from the workspace: outputs of plans. */
  readonly isApart?: (path: Buffer) => boolean;
  /** Hooks and filters of the repository may run. */
  readonly isTrusted?: boolean;
  /** Also where it ended well before: what a commit needs may be another. */
  readonly isAgain?: true;
  /** Ends the setup. */
  readonly signal?: AbortSignal;
}

export type PreparedTree =
  /** @param notes that a person should read */
  | { readonly kind: 'ready'; readonly notes: readonly string[] }
  /** As the end of a sentence, with the end of what the setup printed. `setup`: the command, if that failed. */
  | { readonly kind: 'failed'; readonly because: string; readonly setup?: string };

export async function prepareTree(order: TreeOrder): Promise<PreparedTree> {
  const { workspace, folder, include, setup } = order;
  const environment = withoutGit(order.environment);
  const tree = findGitFolders(folder);
  if (tree === null) throw new GitTrouble(`${folder} is no tree`);
  mkdirSync(folder, { recursive: true });
  if (leadsOut(tree.top, folder))
    return { kind: 'failed', because: `${folder} is behind a link that leads out of its tree` };
  const mark = markOf(tree);
  const wanted = shortHash(JSON.stringify([setup, include, textOf(join(workspace, includeFile))]));
  if (textOf(mark) === wanted && !order.isAgain) return { kind: 'ready', notes: [] };
  rmSync(mark, { force: true });
  const at = (root: string) => new GitCaller({ root, environment, isTrusted: order.isTrusted ?? false });
  const notes = [
    ...(await checkOutSubmodules(at(tree.top), join(tree.common, 'modules'))),
    ...(await copyIncluded({
      from: at(workspace),
      to: at(folder),
      patterns: include,
      isApart: order.isApart ?? (() => false),
    })),
  ];
  const wrong = setup === null ? null : await runSetup(setup, { ...order, environment });
  if (wrong !== null) return { kind: 'failed', because: wrong, setup: setup! };
  writeFileSync(mark, wanted);
  return { kind: 'ready', notes };
}

/** Only of a linked tree: the git folder of a whole repository is shared by all. */
const markOf = ({ own }: GitFolders): string => join(own, 'signalbox-prepared');

const withoutGit = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));

/** A commit may have a link in the place of a folder. */
const leadsOut = (top: string, folder: string): boolean =>
  relative(realpathSync.native(top), realpathSync.native(folder)).startsWith('..');

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // not there, or not for us
  }
}

/** Longer than anybody waits: installing everything takes as long as it takes. */
const limitMs = 24 * 3_600_000;

/** What is wrong, as the end of a sentence; null: it ended well. */
async function runSetup(command: string, { folder, environment, output, signal }: TreeOrder): Promise<string | null> {
  const marker = `setup-${shortHash(folder)}`;
  // One of a runner that was killed may still be at work here.
  await new TreeKill(new ProcessTable(), { marker, worker: null, isQuiet: () => true, insist: true }, 0).done;
  writeFileSync(output, `$ ${command}\n`, { flag: 'a', mode: 0o600 });
  const end = await runCheck({
    command,
    cwd: folder,
    env: environment,
    limitMs,
    marker,
    onOutput: (text) => appendFileSync(output, text),
    ...(signal === undefined ? {} : { signal }),
  });
  if (end.because === 'ended' && end.code === 0) return null;
  const how =
    end.because === 'ended' ? `ended with ${end.code === null ? 'a signal' : `code ${end.code}`}` : 'was stopped';
  const last = end.tail.trimEnd().split('\n').slice(-mostLines).join('\n');
  return `the setup of its tree (${command}) ${how}${last === '' ? '' : `:\n${last}`}`;
}

const mostLines = 20;
