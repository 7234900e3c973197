// Folds the whole log from its first event, and holds everything against it that is kept beside it to save time.
import { createState, evolve } from '../../core/evolve.ts';
import type { PlanPath } from '../../core/ids.ts';
import { createLean, evolveLean } from '../../core/lean.ts';
import { snapshotLocks } from '../../core/lock-state.ts';
import { snapshotPlan, snapshotWorkspace } from '../../core/snapshot.ts';
import type { PlanState, State } from '../../core/state.ts';
import { Outage } from '../../store/outage.ts';
import { lookAsWritten } from '../../store/sqlite/as-written.ts';
import { attemptTokens, forgetSnapshot, rewriteAttempts } from '../../store/sqlite/inspect-database.ts';
import type { Store } from '../../store/store.ts';
import { type AttemptTimes, attemptTimes } from '../status/attempt-times.ts';
import { strayOwners } from './stray-owners.ts';
import type { Problem } from './validate-report.ts';

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

/** The store, and what others make of what is kept: who reads single tasks, and who begins without the plans. */
export interface Views {
  readonly store: Store;
  readonly late: Store;
  readonly lean: Store;
}

export async function checkLog({ store, late, lean: bare }: Views, database: string, fix: boolean): Promise<LogCheck> {
  const written = await lookAsWritten(database);
  if (written.wrongEvent !== null) return broken(`event ${written.wrongEvent} is not as it was written`);
  // Each at its own moment, one after the other: others may go on meanwhile.
  const kept = [
    await store.read((state) => ({ seq: state.seq, text: textOf(state) })),
    await late.read((state) => ({ seq: state.seq, text: textOf(state) })),
    await bare.read((state) => ({ seq: state.seq, bare: workspaceText(state) })),
  ];
  const state = createState();
  const lean = createLean(null);
  const times = new Map<PlanPath, Map<string, AttemptTimes>>();
  let isSame = written.kept !== 'changed';
  try {
    for (const view of kept) {
      while (state.seq < view.seq) {
        const limit = Math.min(perRead, view.seq - state.seq);
        const events = await store.events({ after: state.seq, limit });
        if (events.length === 0) return broken(`it ends at event ${state.seq}, and ${view.seq} were counted`);
        for (const event of events) {
          if (event.seq !== state.seq + 1) return broken(`event ${event.seq} follows event ${state.seq}`);
          if (event.at < state.at) return broken(`event ${event.seq} is older than the one before it`);
          const ended = attemptTimes(state, event, event.at);
          if (ended) mapOf(times, ended.plan).set(ended.attempt, ended);
          evolve(state, event);
          evolveLean(lean, event);
        }
      }
      isSame &&= 'text' in view ? view.text === textOf(state) : view.bare === workspaceText(lean);
    }
  } catch (error) {
    if (error instanceof Outage && error.kind !== 'broken-database') throw error;
    return broken(`event ${state.seq + 1} cannot be read: ${(error as Error).message}`);
  }
  const problems: Problem[] = [];
  if (!isSame) {
    if (fix) await forgetSnapshot(database);
    problems.push({
      about: 'snapshot',
      plan: null,
      message: 'the snapshot says something else than the log',
      help: 'signalbox validate --fix throws the snapshot away: the log has everything',
      fixed: fix,
    });
  }
  return {
    state,
    times: new Map([...times].map(([plan, byAttempt]) => [plan, [...byAttempt.values()]])),
    problems: [...problems, ...checkLocks(state, lean), ...(await checkAttempts(store, state, database, fix))],
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

/** With what is derived: that is kept too. */
const textOf = (state: State): string =>
  JSON.stringify([
    snapshotWorkspace(state),
    [...state.plans.values()].map((plan) => [
      snapshotPlan(plan),
      definitionOf(plan),
      plan.counts,
      [plan.counted, plan.signals, plan.waiting, plan.bad].map((numbers) => numbers.join()),
      plan.ready.inOrder(),
    ]),
  ]);

/** Whatever the order in which it is kept. */
function definitionOf({ plan }: PlanState): unknown {
  const { tasks, ...head } = plan;
  return [head, tasks.map(({ id, title, ...rest }) => [id, title, rest])];
}

/** Who begins without the plans knows no pools. */
function workspaceText(state: State): string {
  const { live, ...rest } = snapshotWorkspace(state);
  return JSON.stringify([rest, live.map((one) => ({ ...one, pools: [] }))]);
}

/** The table that lock commands fold without the plans, the one with them, and who is in them. */
function checkLocks(state: State, lean: State): Problem[] {
  const wrong = (message: string): Problem => ({ about: 'locks', plan: null, message, help: recover, fixed: false });
  const problems: Problem[] = [];
  if (JSON.stringify(snapshotLocks(state.locks)) !== JSON.stringify(snapshotLocks(lean.locks)))
    problems.push(wrong('the locks are others with the plans than without them'));
  for (const { name } of strayOwners(state)) problems.push(wrong(`${name} has locks, and has ended`));
  return problems;
}

/** The table of attempts is for other programs; it is written along with the events. */
async function checkAttempts(store: Store, state: State, database: string, fix: boolean): Promise<Problem[]> {
  const tokens = await attemptTokens(database);
  const isStill = await store.read((now) => now.seq === state.seq);
  const live = [...state.live.keys()].sort((a, b) => a - b);
  if (!isStill || tokens.join() === live.join()) return [];
  const message = `the table of attempts has ${tokens.length}, the log ${live.length}`;
  const fixed = fix && (await rewriteAttempts(database, [...state.live.values()], state.seq));
  const help = 'signalbox validate --fix makes it again from the log';
  return [{ about: 'attempts', plan: null, message, help, fixed }];
}
