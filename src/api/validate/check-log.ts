// Folds the whole log from its first event, and compares the result with everything that is kept beside the log to save time.

import type { PlanPath } from '../../core/model/ids.ts';
import { createState, evolve } from '../../core/state/evolve.ts';
import { snapshotPlan, snapshotWorkspace } from '../../core/state/snapshot.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { type AttemptTimes, attemptTimes } from '../../status/attempt-times.ts';
import { Outage } from '../../store/outage.ts';
import { lookAsWritten } from '../../store/sqlite/as-written.ts';
import { forgetSnapshot } from '../../store/sqlite/inspect-database.ts';
import type { Store } from '../../store/store.ts';
import type { Problem } from '../reports/health.ts';
import { strayOwners } from './stray-owners.ts';

export interface LogCheck {
  /** As the log alone says it; null when it cannot be folded. */
  readonly state: State | null;
  readonly problems: readonly Problem[];
  /** Of every attempt that has ended, by plan. */
  readonly times: ReadonlyMap<PlanPath, readonly AttemptTimes[]>;
}

const perRead = 1000;
const recover =
  'stop what runs, move .signalbox/state.db away and call a command that writes: the state is then taken from status.json';

export async function checkLog(store: Store, database: string, fix: boolean): Promise<LogCheck> {
  const written = lookAsWritten(database);
  if (written.wrongEvent !== null) return broken(`event ${written.wrongEvent} is not as it was written`);
  const kept = await store.read((state) => ({ seq: state.seq, text: textOf(state) }));
  const state = createState();
  const times = new Map<PlanPath, Map<string, AttemptTimes>>();
  try {
    while (state.seq < kept.seq) {
      const events = await store.events({ after: state.seq, limit: Math.min(perRead, kept.seq - state.seq) });
      if (events.length === 0) return broken(`it ends at event ${state.seq}, and ${kept.seq} were counted`);
      for (const event of events) {
        if (event.seq !== state.seq + 1) return broken(`event ${event.seq} follows event ${state.seq}`);
        if (event.at < state.at) return broken(`event ${event.seq} is older than the one before it`);
        const ended = attemptTimes(state, event, event.at);
        // Files of earlier rounds are kept apart.
        if (event.type === 'plan-reset') times.delete(event.plan);
        if (ended) mapOf(times, ended.plan).set(ended.attempt, ended);
        evolve(state, event);
      }
    }
  } catch (error) {
    if (error instanceof Outage && error.kind !== 'broken-database') throw error;
    return broken(`event ${state.seq + 1} cannot be read: ${(error as Error).message}`);
  }
  const problems: Problem[] = [];
  if (!written.isSnapshotWhole || kept.text !== textOf(state)) {
    if (fix) forgetSnapshot(database);
    problems.push({
      about: 'snapshot',
      plan: null,
      message: 'the snapshot contradicts the log',
      help: 'signalbox validate --fix throws the snapshot away: the log has everything',
      fixed: fix,
    });
  }
  return {
    state,
    times: new Map([...times].map(([plan, byAttempt]) => [plan, [...byAttempt.values()]])),
    problems: [...problems, ...checkLocks(state)],
  };
}

function broken(message: string): LogCheck {
  return {
    state: null,
    times: new Map(),
    problems: [{ about: 'log', plan: null, message: `the log is broken: ${message}`, help: recover, fixed: false }],
  };
}

function mapOf(times: Map<PlanPath, Map<string, AttemptTimes>>, plan: PlanPath): Map<string, AttemptTimes> {
  const known = times.get(plan) ?? new Map<string, AttemptTimes>();
  times.set(plan, known);
  return known;
}

/**
 * Derived values are compared too: folding keeps them up to date, loading computes them anew. Plans are sorted, because a snapshot has
 * them by name, and the log by age.
 */
const textOf = (state: State): string =>
  JSON.stringify([
    snapshotWorkspace(state),
    [...state.plans.values()]
      .sort(byPath)
      .map((plan) => [
        snapshotPlan(plan),
        plan.plan,
        plan.counts,
        [plan.counted, plan.signals, plan.waiting, plan.bad].map((values) => values.join()),
        plan.ready.inOrder(),
      ]),
  ]);

const byPath = (a: PlanState, b: PlanState): number => (a.path < b.path ? -1 : 1);

function checkLocks(state: State): Problem[] {
  return strayOwners(state).map(({ name }) => ({
    about: 'locks',
    plan: null,
    message: `${name} has ended, and still holds locks`,
    help: recover,
    fixed: false,
  }));
}
