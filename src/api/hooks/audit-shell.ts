// What the shell commands of an attempt have written, held against the locks. Models write through the shell too, and no hook can tell
// which files a command will write. A file that nobody holds is taken late; where another attempt was busy meanwhile, nobody can tell whose
// work it is, and it is called suspect.
import { marksFolder, openSince, wasBusySince } from '../../agents/hooks/call-marks.ts';
import { isGoverned } from '../../agents/kind.ts';
import { performerOf } from '../../agents/performer.ts';
import { attemptsFolderOf } from '../../agents/process/attempt-files.ts';
import { thisProcess } from '../../agents/process/process-identity.ts';
import { listWords } from '../../core/model/count-words.ts';
import { type WriteFinding, worstFirst } from '../../core/model/failure.ts';
import { type FoundFile, findingsAbout, othersAtWork } from '../../core/rules/write-findings.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import type { LiveAttempt, State } from '../../core/state/state.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { World } from '../act/act.ts';
import { askForLocks } from '../locks/lock-steps.ts';
import type { Workspace } from '../workspace.ts';
import { isolationOf } from './attempt-isolation.ts';
import { writtenSince } from './written-files.ts';

/** In words for the agent; null: nothing. @param since when the command began, by the time of the file system */
export type ShellAudit = (token: number, since: number) => Promise<string | null>;

const mostFiles = 50;
/** A command that writes more is no work on single files, and as many events would hold up everybody. */
const mostLocked = 500;
const mostTold = 10;

export interface AuditParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: () => Promise<Store | null>;
  readonly world: World;
}

export async function auditShell(token: number, since: number, parts: AuditParts): Promise<string | null> {
  const { workspace, env, world } = parts;
  const written = await writtenSince(workspace, env, since);
  const store = written.length === 0 ? null : await parts.store();
  if (store === null) return null;
  const isBusy = busySince(store, workspace, since);
  const found = await store.transact((tx): WriteFinding[] => {
    const live = tx.state.live.get(token);
    if (!live || live.doom) return [];
    const others = othersAtWork(tx.state, { token, since }, (other) => isBusy(tx.state, other));
    const findings = lockLate(tx, live, findingsAbout(tx.state, token, written, others), world);
    if (findings.length > 0) {
      const { plan, run, task, attempt } = live;
      const files = findings.slice(0, mostFiles);
      tx.record({ type: 'write-found', v: 1, plan, run, task, attempt, token, files });
    }
    return findings;
  });
  const foreign = found.filter(({ finding }) => finding === 'foreign');
  if (foreign.length === 0) return null;
  const files = listWords(
    foreign.map(({ path, holder }) => `${path} (locked by ${holder})`),
    mostTold,
  );
  return `Your last command wrote to files that another agent has locked: ${files}. Do not write to them again. Undo your change if you can do so without touching what the other has written, and say at your end what happened.`;
}

/**
 * What commands have written that were not over when their attempt ended: nobody has looked at it yet. No lock is taken any more.
 * @param store of the attempt, which is still alive in it
 */
export async function auditLeft(
  token: number,
  store: Store,
  { workspace, env }: Pick<AuditParts, 'workspace' | 'env'>,
): Promise<WriteFinding[]> {
  const since = openSince(marksFolder(attemptsFolderOf(workspace, store), token));
  if (since === null || (await store.read((state) => isolationOf(state, token))) !== null) return [];
  const written = await writtenSince(workspace, env, since);
  const isBusy = busySince(store, workspace, since);
  return store.read((state) => {
    const known = new Set(state.live.get(token)?.found?.map(({ path }) => path));
    const others = othersAtWork(state, { token, since }, (other) => isBusy(state, other));
    const found = findingsAbout(state, token, written, others).filter(({ path }) => !known.has(path));
    return worstFirst(found.map(withoutKey)).slice(0, mostFiles);
  });
}

/** One that works without hooks may write at any time, unless it has a tree of its own to write to. */
function busySince(store: Store, workspace: Workspace, since: number) {
  const { settings } = workspace;
  return (state: State, live: LiveAttempt): boolean => {
    const plan = state.plans.get(live.plan);
    const at = plan?.index.get(live.task);
    if (plan === undefined || at === undefined) return true;
    if (isolationOf(state, live.token) !== null) return false;
    const performer = performerOf(live.job, startedTask(plan, at), settings);
    const hasHooks = 'kind' in performer && isGoverned(performer.kind, settings);
    return !hasHooks || wasBusySince(marksFolder(attemptsFolderOf(workspace, store), live.token), since);
  };
}

/** All at once, the worst findings first. A reviewer writes nothing, so there is nothing to lock for it. */
function lockLate(tx: Transaction, live: LiveAttempt, found: readonly FoundFile[], world: World): WriteFinding[] {
  if (live.job.kind === 'review') return worstFirst(found.map(unlockedForReviewer));
  const wants = found.flatMap(({ key, finding }) => (finding === 'late' ? [{ key, mode: 'exclusive' as const }] : []));
  const ask = { identity: { token: live.token, name: live.attempt }, wants: wants.slice(0, mostLocked), bound: null };
  const isLocked = wants.length > 0 && askForLocks(tx, ask, false, thisProcess(), world).answer.kind === 'granted';
  const told = found.map(
    (file): WriteFinding =>
      file.finding === 'late' && !isLocked ? { path: file.path, finding: 'suspect' } : withoutKey(file),
  );
  return worstFirst(told);
}

const withoutKey = ({ key: _, ...finding }: FoundFile): WriteFinding => finding;

const unlockedForReviewer = (file: FoundFile): WriteFinding =>
  file.finding === 'late' ? { path: file.path, finding: 'unlocked' } : withoutKey(file);
