// What a shell command of an attempt has written, held against the locks. Models write through the shell too, and no hook can tell which
// files a command will write. A file that nobody holds is taken late; where another attempt was busy meanwhile, nobody can tell whose work
// it is, and it is called suspect.
import { statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { marksFolder, wasBusySince } from '../../agents/hooks/call-marks.ts';
import { attemptsFolderOf } from '../../agents/process/attempt-files.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { thisProcess } from '../../agents/process/process-identity.ts';
import type { WriteFinding } from '../../core/model/failure.ts';
import { People } from '../../core/rules/people-as-owners.ts';
import { ownerOfToken } from '../../core/state/lock-state.ts';
import type { LiveAttempt, State } from '../../core/state/state.ts';
import { nameOf, onDisk, shownName } from '../../files/disk-name.ts';
import { isNeverKept, neverKeep } from '../../files/tree-path.ts';
import { walkWorkspace } from '../../files/walk-workspace.ts';
import { changedFiles } from '../../git/changed-files.ts';
import { covers } from '../../locks/covers.ts';
import { parseResource } from '../../locks/resource.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { World } from '../act/act.ts';
import { lockKey } from '../locks/lock-key.ts';
import { askForLocks } from '../locks/lock-steps.ts';
import { holderOf } from '../locks/lock-view.ts';
import type { Workspace } from '../workspace.ts';

/** In words for the agent; null: nothing. @param since when the command began, by the time of the file system */
export type ShellAudit = (token: number, since: number) => Promise<string | null>;

const mostFiles = 50;
const mostWalked = 50_000;

export interface AuditParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: () => Promise<Store | null>;
  readonly world: World;
}

export async function auditShell(token: number, since: number, parts: AuditParts): Promise<string | null> {
  const { workspace, env, world } = parts;
  neverKeep(relative(workspace.root, workspace.outputsFolder).split(sep).join('/'));
  const written = await writtenSince(workspace.root, env, since);
  const store = written.length === 0 ? null : await parts.store();
  if (store === null) return null;
  const marks = (other: number) => marksFolder(attemptsFolderOf(workspace, store), other);
  const found = await store.transact((tx): WriteFinding[] => {
    const live = tx.state.live.get(token);
    if (!live || live.doom) return [];
    const isBusy = (other: number) => other !== token && wasBusySince(marks(other), since);
    const findings = written.flatMap((path) => findingAbout(tx, live, path, isBusy, world) ?? []);
    if (findings.length > 0) {
      const { plan, run, task, attempt } = live;
      tx.record({ type: 'write-found', v: 1, plan, run, task, attempt, token, files: findings.slice(0, mostFiles) });
    }
    return findings;
  });
  const foreign = found.filter(({ finding }) => finding === 'foreign');
  if (foreign.length === 0) return null;
  const files = foreign.map(({ path, holder }) => `${path} (locked by ${holder})`).join(', ');
  return `Your last command wrote to files that another agent has locked: ${files}. Do not write to them again. Undo your change if you can do so without touching what the other has written, and say at your end what happened.`;
}

function findingAbout(
  tx: Transaction,
  live: LiveAttempt,
  { path, key }: Written,
  isBusy: (token: number) => boolean,
  world: World,
): WriteFinding | null {
  const { state } = tx;
  const want = { key, mode: 'exclusive' } as const;
  if (holdsIt(state, live.token, path)) return null;
  const obstacles = new People(state).obstaclesOf({ owner: ownerOfToken(live.token), wants: [want] });
  const holds = obstacles.find(({ kind }) => kind === 'holds');
  const others = [...state.live.keys()].filter(isBusy);
  if (holds) {
    const holder = holderOf(state, holds, world).owner;
    const wasTheirs = others.some((token) => ownerOfToken(token) === holds.owner);
    return { path, finding: wasTheirs ? 'suspect' : 'foreign', holder };
  }
  if (others.length > 0 || obstacles.length > 0) return { path, finding: 'suspect' };
  const identity = { token: live.token, name: live.attempt };
  const { answer } = askForLocks(tx, { identity, wants: [want], bound: null }, false, thisProcess(), world);
  return { path, finding: answer.kind === 'granted' ? 'late' : 'suspect' };
}

/** Also by a pattern. */
const holdsIt = ({ locks }: State, token: number, path: string): boolean =>
  locks.table.holdsOf(ownerOfToken(token)).some(({ key, mode }) => {
    const read = parseResource(key);
    return mode === 'exclusive' && read.ok && read.resource.kind !== 'named' && covers(read.resource, path);
  });

interface Written {
  readonly path: string;
  readonly key: string;
}

/** Null: a link leads out of the workspace. */
function keyOf(root: string, path: string): Written | null {
  try {
    return { path: shownName(path), key: lockKey(join(root, path).replace(/[\\*?{}]/g, '\\$&'), { root, cwd: root }) };
  } catch {
    return null;
  }
}

/** What is ignored is nobody's. A file that is gone counts if something in its folder has come or gone. */
async function writtenSince(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  since: number,
): Promise<Written[]> {
  const names = await changedFiles({ root, environment: baseEnvironment(env) });
  const paths = names === null ? await everyFile(root) : names.map(nameOf);
  return paths
    .filter((path) => !isNeverKept(path))
    .filter((path) => {
      const stats = statSync(onDisk(root, path), { throwIfNoEntry: false });
      const at = (stats ?? statSync(join(root, dirname(path)), { throwIfNoEntry: false }))?.ctimeMs;
      return at !== undefined && at >= since;
    })
    .slice(0, mostFiles)
    .flatMap((path) => keyOf(root, path) ?? []);
}

async function everyFile(root: string): Promise<string[]> {
  const all = parseResource('**');
  if (!all.ok || all.resource.kind === 'named') return [];
  return [...(await walkWorkspace(root, [all.resource], mostWalked)).files.keys()];
}
