// The one way to act. A command is a pure function of the core: state in, events or a refusal out. The steps around it stand here:
//
//   let the rules act    what is due by time happens first, so that the command sees what a runner would see
//   tell                 the command answers; a refusal leaves nothing behind
//   record               its events
//   let the rules act    what follows from them is recorded in the same transaction
//   report               the events as they were recorded
//
// A transaction without these steps is no command. It loads a plan (load-plan-file.ts, open-store.ts, edit-watch.ts), starts a run
// (run-plan.ts) or records an observation (baseline.ts, audit-shell.ts). What follows from it, the next turn or command records.
import type { Answer } from '../../core/commands/accept-or-refuse.ts';
import { type Asker, person, refusalToAnswer } from '../../core/commands/who-may.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import type { DecisionId, PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { letRulesAct, watchedPlans } from '../../runner/let-rules-act.ts';
import { type IsGone, isGone, reapLocks } from '../../runner/reap-locks.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';

export interface Acting {
  readonly store: Store;
  /** A plan that the store knows. */
  readonly path: PlanPath;
  readonly isRunning: (plan: PlanState) => boolean;
  /** Absent: whoever it is was asked about everything before. */
  readonly asker?: () => Promise<Asker>;
}

/** Several answers are told one by one: each is made in sight of what the ones before it recorded. */
export type Command = (plan: PlanState, state: State, now: number) => Answer | Iterable<Answer>;

export interface Acted<T> {
  /** What `look` saw when everything was recorded. */
  readonly seen: T;
  /** What the command recorded. */
  readonly events: readonly StoredEvent[];
  /** The same, and what followed for the plan. */
  readonly withConsequences: readonly StoredEvent[];
}

export async function act<T>(
  { store, path, isRunning, asker }: Acting,
  command: Command,
  look: (plan: PlanState, state: State) => T,
): Promise<Acted<T>> {
  const who = asker ? await asker() : person;
  return store.transact((tx) => {
    const plan = () => tx.state.plans.get(path)!;
    let open: readonly DecisionId[] = [];
    const told = actIn(tx, { isRunning, isGone }, () => {
      const from = tx.recorded.length;
      open = [...plan().decisions.keys()];
      for (const answer of each(command(plan(), tx.state, tx.now))) record(tx, answer);
      return { from, to: tx.recorded.length };
    });
    const refusal = refusalToAnswer(
      who,
      open.filter((id) => !plan().decisions.has(id)),
    );
    if (refusal) throw new Refusal(2, refusal.because, { instead: refusal.instead });
    const ofPlan = ({ plan: its }: StoredEvent) => its === path;
    return {
      seen: look(plan(), tx.state),
      events: tx.recorded.slice(told.from, told.to).filter(ofPlan),
      withConsequences: tx.recorded.slice(told.from).filter(ofPlan),
    };
  });
}

/** What the rules need of the world beside the state. */
export interface World {
  readonly isRunning: (plan: PlanState) => boolean;
  readonly isGone: IsGone;
}

/** The steps inside a transaction, for commands that answer with more than events: locks, and those of the simulator. */
export function actIn<T>(
  tx: Transaction,
  { isRunning, isGone }: World,
  work: (watched: ReadonlySet<PlanPath>) => T,
): T {
  const watched = watchedPlans(tx.state, isRunning);
  // The dead go first: nothing that the command frees may be handed to them.
  reapLocks(tx, isGone);
  letRulesAct(tx, null, watched);
  const result = work(watched);
  letRulesAct(tx, null, watched);
  return result;
}

const each = (answers: Answer | Iterable<Answer>): Iterable<Answer> => ('ok' in answers ? [answers] : answers);

function record(tx: Transaction, answer: Answer): void {
  if (!answer.ok) throw new Refusal(2, answer.because, { instead: answer.instead });
  for (const event of answer.events) tx.record(event);
}
