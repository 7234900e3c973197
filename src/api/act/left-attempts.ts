// Attempts that the log knows as live although the process that ran their plan is gone. Which of them still work is asked of their workers
// and of the journal of their run, as a run that takes over does.
import { existsSync } from 'node:fs';
import { attemptEnd, callBack } from '../../agents/process/attempt-end.ts';
import { attemptsFolderOf, journalFile, outputFile } from '../../agents/process/attempt-files.ts';
import { JournalReader } from '../../agents/process/journal.ts';
import { TreeKill } from '../../agents/process/kill-tree.ts';
import { isAlive } from '../../agents/process/process-identity.ts';
import { ProcessTable } from '../../agents/process/process-table.ts';
import { killGraceMs } from '../../core/model/defaults.ts';
import type { AttemptEnd } from '../../core/model/failure.ts';
import type { ProcessIdentity } from '../../core/model/ids.ts';
import type { LiveAttempt, PlanState, State } from '../../core/state/state.ts';
import { isLeased } from '../../runner/runner-alive.ts';
import type { Store } from '../../store/store.ts';
import type { Workspace } from '../workspace.ts';

export interface LeftAttempts {
  /** Still at work, or nobody can say. */
  readonly alive: readonly { readonly live: LiveAttempt; readonly worker: ProcessIdentity | null }[];
  /** How the others ended, by token. */
  readonly ends: ReadonlyMap<number, AttemptEnd>;
}

/** None of those that are over can start any more. @param claim by which that is made sure; whoever only looks takes none */
export function leftAttempts(
  state: State,
  { path }: PlanState,
  { workspace, store }: { readonly workspace: Workspace; readonly store: Pick<Store, 'workspace'> },
  claim: (outputFile: string) => ReturnType<typeof callBack> = callBack,
): LeftAttempts {
  const alive: { live: LiveAttempt; worker: ProcessIdentity | null }[] = [];
  const ends = new Map<number, AttemptEnd>();
  const folder = attemptsFolderOf(workspace, store);
  for (const live of state.live.values()) {
    if (live.plan !== path) continue;
    const journal = new JournalReader(journalFile(workspace.journalsFolder, live.run));
    journal.advance();
    const worker = live.supervisor ?? journal.attempt(live.token)?.worker ?? null;
    const end =
      worker === null ? unstarted(claim(outputFile(folder, live)), journal) : endOf(live, worker, journal, workspace);
    if (end === null) alive.push({ live, worker });
    else ends.set(live.token, end);
  }
  return { alive, ends };
}

/** Null: it still works, or its runner elsewhere was heard of lately. */
function endOf(
  { run, token }: LiveAttempt,
  worker: ProcessIdentity,
  journal: JournalReader,
  { journalsFolder }: Workspace,
): AttemptEnd | null {
  const seen = isAlive(worker);
  // Only now: its last word may have come between two looks.
  journal.advance();
  const word = journal.attempt(token)?.ended ?? null;
  if (word !== null) return attemptEnd(word, { killed: false });
  const isThere = seen === 'unknown' ? isLeased(run, journalsFolder) : seen;
  return isThere ? null : { kind: 'lost' };
}

/** Its order may lie in the pipe of a worker: whoever has the claim decides. */
function unstarted(claim: ReturnType<typeof callBack>, journal: JournalReader): AttemptEnd | null {
  if (claim === 'won' || claim === 'called-back') return { kind: 'never-started' };
  const isAbout = claim === 'unknown' || journal.unoccupiedWorkers().some((worker) => isAlive(worker) === true);
  return isAbout ? null : { kind: 'lost' };
}

/** As it would be taken. */
export const unclaimed = (output: string): ReturnType<typeof callBack> => (existsSync(output) ? 'taken' : 'won');

/** Ends what attempts left running behind their dead workers. */
export async function sweepLeft({ workspace }: Pick<Store, 'workspace'>, tokens: Iterable<number>): Promise<void> {
  const table = new ProcessTable();
  const sweep = (token: number) =>
    new TreeKill(
      table,
      { marker: `${workspace}:${token}`, worker: null, isQuiet: () => true, insist: false },
      killGraceMs,
    ).done;
  await Promise.all([...tokens].map(sweep));
}
