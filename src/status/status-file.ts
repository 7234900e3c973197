// What `status.json` says: the state of one plan as other programs read it, made from the log, and the ids of its saved
// work. Whoever tells it, in a file or to a caller, has it from here. The names of its fields are relied on from outside.

import { noteOn } from '../core/explain/note.ts';
import { RootCauses } from '../core/explain/root-causes.ts';
import type { OpenDecision } from '../core/model/decision.ts';
import { retriesOf } from '../core/model/defaults.ts';
import type { Failure } from '../core/model/failure.ts';
import type { TaskId } from '../core/model/ids.ts';
import { LEAF } from '../core/ready/graph.ts';
import { currentPhase } from '../core/ready/next-tasks.ts';
import { type Outcome, type Summary, summaryOf } from '../core/rules/outcome.ts';
import { type ClockStep, countedMs } from '../core/state/clock-state.ts';
import { planStatus } from '../core/state/questions/plan-status.ts';
import { statusOf } from '../core/state/questions/status.ts';
import type { PlanState, RunRecord, State, Status } from '../core/state/state.ts';
import { savedWorkOf } from './saved-work.ts';

const statusVersion = 1;

export interface StatusFile {
  readonly schemaVersion: number;
  /** Of the last event of the workspace that is in it. */
  readonly seq: number;
  /** Which log that number belongs to: after a database was lost, the numbers begin again. */
  readonly log: string;
  readonly planPath: string;
  readonly planName: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly currentPhase: string | null;
  readonly planStatus: Status;
  /** Of the last run; null while one goes on and before the first. */
  readonly outcome: Outcome | null;
  readonly summary: Summary;
  readonly tasks: readonly StatusTask[];
  readonly runs: readonly StatusRun[];
  readonly decisions: readonly StatusDecision[];
  /** Failed tasks with what cannot run because of them. */
  readonly cascades: readonly { readonly task: string; readonly blocked: readonly string[] }[];
  readonly savedWork: readonly string[];
}

export interface StatusTask {
  readonly id: string;
  readonly phase: string;
  readonly description: string;
  readonly status: Status;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly duration: number | null;
  readonly notes: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  readonly retryCount: number;
  readonly stuckDetected: boolean;
  readonly attempts: number;
  readonly blockedBy: readonly string[];
  readonly blockedAt: string | null;
  readonly optional?: true;
  readonly treatAsDone?: true;
  readonly by?: string;
  readonly reason?: string;
}

export interface StatusRun {
  readonly runId: string;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly tasksCompleted: number;
  readonly tasksFailed: number;
  readonly outcome?: string;
}

export interface StatusDecision {
  readonly id: string;
  readonly kind: string;
  readonly task: string | null;
  readonly openedAt: string;
  readonly options: readonly string[];
  readonly blocks: readonly string[];
}

/** What the state does not know. */
export interface StatusWorld {
  /** The identity of the store; empty where there is none. */
  readonly store: string;
  readonly stateFolder: string;
  /** Whether a run of the plan goes on, judged by the living process. */
  readonly isRunning: (plan: PlanState) => boolean;
  readonly describeFailure: (failure: Failure) => string;
}

export function statusFile(state: State, plan: PlanState, world: StatusWorld): StatusFile {
  const { stateFolder, describeFailure } = world;
  const isRunning = world.isRunning(plan);
  const causes = new RootCauses(plan, plan.run?.limits ?? null);
  // A person's words are kept as they are, so that they are the same after an import.
  const inWords = (failure: Failure) => (failure.kind === 'said' ? failure.message : describeFailure(failure));
  const tasks: StatusTask[] = [];
  for (let i = 0; i < plan.tasks.length; i++) {
    // Leaves that somebody wrote.
    if (plan.graph.kind[i] === LEAF && plan.plan.tasks[i]!.closes === undefined)
      tasks.push(statusTask(plan, i, causes, state.clock.steps, inWords));
  }
  return {
    schemaVersion: statusVersion,
    seq: state.seq,
    log: world.store.slice(0, 8),
    planPath: plan.path,
    planName: plan.plan.title,
    createdAt: iso(plan.loadedAt),
    lastUpdatedAt: iso(plan.changedAt),
    currentPhase: plan.plan.phases[currentPhase(plan)]?.name ?? null,
    planStatus: planStatus(plan, isRunning),
    outcome: isRunning ? null : (plan.run?.ended?.outcome ?? null),
    summary: summaryOf(plan),
    tasks,
    runs: plan.history.map(statusRun),
    decisions: [...plan.decisions.values()].map(statusDecision),
    cascades: cascadesIn(tasks),
    savedWork: savedWorkOf(stateFolder, plan.path),
  };
}

/** As text: a task per line, so that it can be read by people and compared line by line. */
export function statusText(status: StatusFile): string {
  const entries = Object.entries(status).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${Array.isArray(value) ? listText(value) : JSON.stringify(value)}`,
  );
  return `{\n${entries.join(',\n')}\n}\n`;
}

const listText = (values: readonly unknown[]): string =>
  values.length === 0 ? '[]' : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')}\n  ]`;

function cascadesIn(tasks: readonly StatusTask[]): StatusFile['cascades'] {
  const blocked = new Map<string, string[]>();
  for (const { id, blockedBy } of tasks) {
    for (const cause of blockedBy) {
      const known = blocked.get(cause);
      if (known) known.push(id);
      else blocked.set(cause, [id]);
    }
  }
  return [...blocked].map(([task, others]) => ({ task, blocked: others }));
}

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number): string | null => (at === 0 ? null : iso(at));

function statusTask(
  plan: PlanState,
  i: number,
  causes: RootCauses,
  steps: readonly ClockStep[],
  inWords: (failure: Failure) => string,
): StatusTask {
  const task = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  const status = statusOf(plan, i);
  const blockedBy: readonly TaskId[] = status === 'blocked' ? causes.of(i).map((cause) => cause.task) : nobody;
  const hasEnded = own.endedAt > 0 && status !== 'suspended';
  const entry: Mutable<StatusTask> = {
    id: task.id,
    phase: plan.plan.phases[task.phase]!.name,
    description: task.title,
    status,
    startedAt: isoOrNull(own.startedAt),
    completedAt: hasEnded ? iso(own.endedAt) : null,
    duration: hasEnded && own.startedAt > 0 ? countedMs(steps, own.startedAt, own.endedAt) : null,
    notes: noteOn(own),
    lastError: own.failure === null ? null : inWords(own.failure),
    lastErrorAt: isoOrNull(own.failedAt),
    retryCount: Math.min(own.failures, retriesOf(task) + own.granted),
    stuckDetected: own.stuck,
    attempts: own.attempts,
    blockedBy,
    blockedAt: blockedSince(plan, blockedBy),
  };
  // Most tasks have none of these.
  if (task.optional) entry.optional = true;
  if (own.treatAsDone) entry.treatAsDone = true;
  if (own.by !== null) entry.by = own.by;
  if (own.reason !== null) entry.reason = own.reason;
  return entry;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const nobody: readonly TaskId[] = [];

function blockedSince(plan: PlanState, causes: readonly TaskId[]): string | null {
  if (causes.length === 0) return null;
  return isoOrNull(Math.max(...causes.map((id) => plan.tasks[plan.index.get(id)!]!.endedAt)));
}

const statusRun = ({ run, startedAt, endedAt, completed, failed, outcome }: RunRecord): StatusRun => ({
  runId: run,
  startedAt: iso(startedAt),
  completedAt: isoOrNull(endedAt),
  tasksCompleted: completed,
  tasksFailed: failed,
  ...(outcome === null ? {} : { outcome }),
});

const statusDecision = ({ id, kind, task, openedAt, options, blocks }: OpenDecision): StatusDecision => ({
  id,
  kind,
  task: task ?? null,
  openedAt: iso(openedAt),
  options,
  blocks: blocks.tasks,
});
