// What the log amounts to. Everything here is folded from events; the derived part (signals, counters, queues) is rebuilt
// from the rest and never stored. Mutable on purpose: only `evolve` writes it, and only the store's own copy.
import type { OwnerId } from '../locks/lock-table.ts';
import type { Batches } from './batches.ts';
import type { Closers } from './closing-tasks.ts';
import type { Columns } from './columns.ts';
import type { OnFailure, OpenDecision } from './decision.ts';
import type { DecisionBook } from './decision-book.ts';
import type { AttemptScheduled, DeadlockRules, Limits, LivelockRules, StopMode } from './event.ts';
import type { AttemptEnd, Doom, Evidence, Failure } from './failure.ts';
import type { Graph } from './graph.ts';
import type { AttemptId, DecisionId, HostId, PlanPath, ProcessIdentity, RunId, TaskId } from './ids.ts';
import type { IndexedHeap } from './indexed-heap.ts';
import type { LockState } from './lock-state.ts';
import type { Outcome, Summary } from './outcome.ts';
import type { Plan } from './plan.ts';
import type { ReadyQueue } from './ready-queue.ts';
import type { ReviewVerdict } from './review.ts';
import type { Selection } from './selection.ts';

export interface State {
  /** Of the last event folded in; 0 before the first. */
  seq: number;
  at: number;
  /** The last fencing token given out. */
  token: number;
  /** How many decisions were ever asked for: their numbers. */
  decided: number;
  readonly plans: Map<PlanPath, PlanState>;
  /** Attempts, checks and reviews of all plans that were scheduled and have not ended, by token. */
  readonly live: Map<number, LiveAttempt>;
  /** How many live attempts each pool has, across plans. */
  readonly usage: Map<string, number>;
  /** Of all plans, and of agents that Signalbox did not start. */
  readonly locks: LockState;
  /** Tokens of those who work by hand: they may take locks. */
  readonly hands: Set<number>;
  /** Attempts that ended in the middle of their work and still hold their locks, by token: their files must be put back first. */
  readonly salvage: Map<number, Salvage>;
  /** Victims whose deadlock is not resolved yet, by token. */
  readonly victims: Map<number, Victim>;
}

export interface Victim {
  readonly plan: PlanPath;
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
}

export interface Salvage {
  readonly plan: PlanPath;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly run: RunId;
  readonly host: HostId;
  /** Why it was ended, in words that go on after "stopped because". */
  readonly because: string;
  /** What it had made lies aside. */
  saved: boolean;
}

export interface PlanState {
  readonly path: PlanPath;
  plan: Plan;
  revision: string;
  /** The event that holds the definition, so that a snapshot need not repeat it. */
  definedAt: number;
  graph: Graph;
  /** By the index of the task in the plan; groups have one too, of which only the definition matters. */
  tasks: TaskState[];
  index: TaskPlaces;
  readonly columns: Columns;
  /** By node of the graph: what the node tells those who depend on it, and what it still waits for. */
  signals: Uint8Array;
  waiting: Int32Array;
  bad: Int32Array;
  ready: ReadyQueue;
  /** Pending tasks that wait for nothing but a time, the nearest first. */
  backoff: IndexedHeap;
  /** By task: as what a leaf is counted in `counts`; see `status-code.ts`. */
  counted: Uint8Array;
  counts: Counts;
  /** Tasks whose current attempt has ended, and about which somebody is to decide or to be asked now. */
  readonly unjudged: Set<number>;
  /** Those whose next check is to be run, and those to be reviewed by an agent; in the order of arrival. */
  readonly toCheck: Set<number>;
  readonly toReview: Set<number>;
  /** Tasks that Signalbox adds: the checks of groups and phases, and the last step. They count in no summary. */
  readonly closing: readonly number[];
  readonly closers: Closers;
  /** Asked and not answered, oldest first. */
  readonly decisions: Map<DecisionId, OpenDecision>;
  /** What follows from them, so that nobody has to look through them. */
  readonly book: DecisionBook;
  /** Phases that end as a unit. */
  readonly batches: Batches;
  /** Checks that were not green before the plan began; null: nobody looked. */
  baseline: readonly string[] | null;
  /** What the search for loops without progress remembers. */
  loops: Loops;
  /** The token of the review that goes on: one at a time. */
  reviewing: number;
  /** By task: 1 for a leaf that the run which goes on is about; null: all of them. */
  selected: Uint8Array | null;
  /** Whether any task declares locks. */
  readonly takesLocks: boolean;
  /** Tasks that a deadlock has put behind somebody, whether that one still holds them back or not. */
  readonly heldBack: Set<number>;
  /** Tasks that have failed, or have failed or been rejected before. */
  readonly tried: Set<number>;
  /** Live attempts of this plan. */
  live: number;
  paused: { readonly by: string; readonly reason?: string; readonly at: number } | null;
  /** The run that goes on, or the last one. */
  run: RunState | null;
  runs: number;
  /** The last hundred runs, those by hand too. */
  history: readonly RunRecord[];
  loadedAt: number;
  changedAt: number;
}

/** Where in the plan a task is, by its id. */
export type TaskPlaces = Pick<ReadonlyMap<TaskId, number>, 'get' | 'has' | 'keys'>;

export interface Loops {
  /** Attempts of agents that ended since something last changed or was completed. */
  readonly idle: readonly AttemptId[];
  /** Who was rejected citing whom, and how often, as `task\nblamed`. */
  readonly blames: Readonly<Record<string, number>>;
  /** By file: what the last attempts made of it. */
  readonly files: Readonly<Record<string, readonly { readonly task: TaskId; readonly hash: string }[]>>;
}

/** Leaves by status; `blocked` is derived. */
export type StatusCounts = Record<Status, number>;
export interface Counts {
  readonly required: StatusCounts;
  readonly optional: StatusCounts;
}

export type Status = 'pending' | 'in_progress' | 'completed' | 'failed' | 'blocked' | 'suspended' | 'skipped';
/** What is recorded; `blocked` is only ever derived. */
export type RecordedStatus = Exclude<Status, 'blocked'>;

export interface TaskState {
  status: RecordedStatus;
  /** Scheduled so far. */
  attempts: number;
  /** Of the last one: its files carry it in their names. 0 before the first. */
  token: number;
  /** Since the last success: what the retry rule counts. */
  failures: number;
  lost: number;
  /** Rejected reviews since the last success. */
  rejections: number;
  /** What the last review found; until it is completed. */
  review: ReviewVerdict | null;
  /** The rejection that came again and again, in a row. */
  repeated: { readonly fingerprint: string; readonly times: number } | null;
  /** Performed by this agent instead of the plan's. */
  agent: string | null;
  /** Its next attempt is the debugging agent's. */
  escalated: boolean;
  /** Where what the debugging agent found out is kept. */
  finding: string | null;
  /** How often it was escalated. */
  escalations: number;
  /** Ready, but this must be answered first. */
  hold: DecisionId | null;
  /** A person said to go on although a preferred task has ended badly. */
  goesOn: boolean;
  /** Extra attempts granted by people. */
  granted: number;
  /** The attempt that has not ended; a withdrawn task keeps it until its processes are dead. */
  live: LiveAttempt | null;
  /** How the current attempt ended, until it is judged. */
  ended: EndedAttempt | null;
  /** Pending, but not before this time; 0 means now. */
  notBefore: number;
  /** `seq` at which it first became ready; kept over retries. 0: never yet. */
  age: number;
  startedAt: number;
  endedAt: number;
  failure: Failure | null;
  treatAsDone: boolean;
  /** When its first attempt was scheduled: its age among others, kept over retries. 0: never yet. */
  firstStartedAt: number;
  /** How often it was stopped to end a deadlock. */
  deadlocks: number;
  /** Added by a deadlock: not before this owner no longer holds this. */
  after: AddedNeed | null;
  /** How often others went ahead of it though it was before them in line for the same locks. */
  passed: number;
  /** What became of the attempt before, for the next one and for people. */
  stopped: StoppedWork | null;
  /** When it last failed; 0: never. */
  failedAt: number;
  /** It was found silent or without its process, and failed for that. */
  stuck: boolean;
  /** What whoever completed it said about it. */
  notes: string | null;
  /** Somebody works on it by hand. */
  hand: HandWork | null;
  /** Who skipped or suspended it, and why; what a person said with a retry. */
  by: string | null;
  reason: string | null;
}

/** An attempt without a process of ours: a person's, or that of an agent that they look after themselves. */
export interface HandWork {
  readonly attempt: AttemptId;
  readonly token: number;
  readonly by: string;
  readonly startedAt: number;
  /** When they last gave a sign of life. */
  readonly lastAt: number;
}

export interface RunRecord {
  readonly run: RunId;
  readonly startedAt: number;
  /** 0: it goes on. */
  readonly endedAt: number;
  readonly completed: number;
  readonly failed: number;
  /** Null: it goes on, or was driven by hand. */
  readonly outcome: Outcome | null;
}

export interface AddedNeed {
  readonly owner: OwnerId;
  readonly name: string;
  readonly task: TaskId | null;
  readonly resource: string;
}

export interface StoppedWork {
  readonly because: string;
  /** The name under which its version of the files is kept; null when it had changed nothing. */
  readonly saved: string | null;
  /** Another attempt has ended since: the next one need not be told. */
  readonly over?: true;
}

/** An end that waits for its judgement. */
export interface EndedAttempt {
  readonly end: AttemptEnd;
  readonly doom: Doom | null;
  readonly attempt: AttemptId;
  readonly run: RunId;
  readonly evidence: Evidence | null;
  /** How many of its checks were green. */
  readonly checks: number;
  /** Their tokens: their logs carry them in their names. */
  readonly checkTokens?: readonly number[];
  /** Checks in a row, or reviews, that proved nothing; and what was wrong with the last review. */
  readonly interrupted: number;
  readonly problem: string | null;
  /** The event since which it waits for its next check or review. */
  readonly since: number;
  /** What a check or a review that failed makes of it. */
  readonly failure: Failure | null;
  readonly verdict: ReviewVerdict | null;
  /** A person was asked to review it. */
  readonly asked: DecisionId | null;
}

/** What a process that Signalbox started is for. */
export type Job =
  | { readonly kind: 'attempt'; readonly agent?: string; readonly escalated?: true }
  | { readonly kind: 'check'; readonly check: number }
  | { readonly kind: 'review' };

/** An attempt, or a check or review of one that has ended: then with the attempt's name and a token of its own. */
export interface LiveAttempt {
  readonly job: Job;
  readonly plan: PlanPath;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly token: number;
  readonly run: RunId;
  readonly host: HostId;
  readonly scheduledAt: number;
  readonly warnings: NonNullable<AttemptScheduled['warnings']>;
  /** The model's pool and the resources, each once. */
  readonly pools: readonly string[];
  startedAt: number;
  supervisor: ProcessIdentity | null;
  doom: Doom | null;
  /** Time spent waiting for locks, which counts against no limit; while it waits, since when. */
  parkedMs: number;
  parkedSince: number;
}

export interface RunState {
  readonly run: RunId;
  readonly runner: ProcessIdentity;
  readonly limits: Limits;
  readonly selection: Selection | null;
  readonly deadlock: DeadlockRules;
  /** Over what each task says. */
  readonly onFailure: OnFailure | null;
  readonly escalationAgent: string | null;
  readonly livelock: LivelockRules;
  /** 0: a question may stay open for ever. */
  readonly decideWithinMs: number;
  /** It goes on with what another process ran, and has seen all of that. */
  readonly takesOver: boolean;
  tookOver: boolean;
  readonly startedAt: number;
  /** Attempts scheduled in this run. */
  attempts: number;
  stopping: { readonly mode: StopMode; readonly by: string; readonly exitCode: 130 | 143 } | null;
  ended: {
    readonly outcome: Outcome;
    readonly exitCode: number;
    readonly at: number;
    readonly summary: Summary;
  } | null;
}
