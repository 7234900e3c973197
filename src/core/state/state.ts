// The state that the log folds to. The derived part (signals, counters, queues) is rebuilt from the rest and never stored. Mutable on
// purpose: only `evolve` writes it, and only the store's own copy.
import type { OwnerId } from '../../locks/lock-table.ts';
import type { OnFailure, OpenDecision } from '../model/decision.ts';
import type { AttemptScheduled } from '../model/event.ts';
import type { AttemptEnd, Doom, Evidence, Failure, Incident, WorkOnBranch, WriteFinding } from '../model/failure.ts';
import type { HandWork, HeardRequest } from '../model/hand-event.ts';
import type { AttemptId, DecisionId, HostId, PlanPath, ProcessIdentity, RunId, TaskId } from '../model/ids.ts';
import type { Plan, TaskText } from '../model/plan.ts';
import type { ReviewVerdict } from '../model/review.ts';
import type { DeadlockRules, Isolation, Limits, LivelockRules, StopMode } from '../model/run-event.ts';
import type { Selection } from '../model/selection.ts';
import type { MergeObstacle } from '../model/verify-event.ts';
import type { Batches } from '../ready/batches.ts';
import type { Graph } from '../ready/graph.ts';
import type { IndexedHeap } from '../ready/indexed-heap.ts';
import type { ReadyQueue } from '../ready/ready-queue.ts';
import type { Outcome, Summary } from '../rules/outcome.ts';
import type { Accounts } from './accounts.ts';
import type { ClockState } from './clock-state.ts';
import type { Closers } from './closing-tasks.ts';
import type { Conversation } from './conversation.ts';
import type { DecisionBook } from './decision-book.ts';
import type { EarlierRounds } from './earlier-rounds.ts';
import type { LockState } from './lock-state.ts';

export interface State {
  /** Of the last event folded in; 0 before the first. */
  seq: number;
  at: number;
  /** The last fencing token given out. */
  token: number;
  /** How many decisions were ever asked for: their numbers. */
  decided: number;
  readonly plans: Map<PlanPath, PlanState>;
  /** Attempts, checks, reviews and merges of all plans that were scheduled and have not ended, by token. */
  readonly live: Map<number, LiveAttempt>;
  /** How many live attempts each pool has, across plans. */
  readonly usage: Map<string, number>;
  /** The locks of all plans, and of agents that Signalbox did not start. */
  readonly locks: LockState;
  readonly clock: ClockState;
  /** Those that have reached their limit. */
  readonly accounts: Accounts;
  /** Tokens of attempts by hand: they may take locks. */
  readonly hands: Set<number>;
  /** Tokens of live checks, reviews and merges: each is one party with the attempt that it is about. */
  readonly jobs: Set<number>;
  /** Attempts that were stopped half way and still hold their locks, by token: their files must be put back first. */
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
  /** Why it was stopped: the words after "stopped because". */
  readonly because: string;
  /** Its version of the files is saved. */
  saved: boolean;
}

export interface PlanState {
  readonly path: PlanPath;
  plan: Plan;
  revision: string;
  /** The event that holds the definition, so that a snapshot need not repeat it. */
  definedAt: number;
  graph: Graph;
  /** By the index of the task in the plan. Groups have one too, but it never changes. */
  tasks: TaskState[];
  /** Where in the plan a task is, by its id. */
  readonly index: ReadonlyMap<TaskId, number>;
  /** By node of the graph: its signal to dependents, how much it waits for, and how much of that is bad. */
  signals: Uint8Array;
  waiting: Int32Array;
  bad: Int32Array;
  ready: ReadyQueue;
  /** Pending tasks that wait for nothing but a time, the nearest first. */
  backoff: IndexedHeap;
  /** By task: the status it has in `counts`; null for groups and closing tasks. */
  readonly counted: (Status | null)[];
  counts: Counts;
  /** Tasks whose current attempt has ended and waits for its verdict or for a question to a person. */
  readonly unjudged: Set<number>;
  /** Tasks that wait for their next check, and for an agent's review, in the order of arrival. */
  readonly toCheck: Set<number>;
  readonly toReview: Set<number>;
  /** Tasks whose work has passed everything and waits to be merged. */
  readonly toMerge: Set<number>;
  /** Tasks that Signalbox adds: the checks of groups and phases, and the last step. They count in no summary. */
  readonly closing: readonly number[];
  readonly closers: Closers;
  /** Asked and not answered, oldest first. */
  readonly decisions: Map<DecisionId, OpenDecision>;
  /** An index of the decisions. */
  readonly book: DecisionBook;
  /** Phases that end as a unit. */
  readonly batches: Batches;
  /** Checks that were not green before the plan began; null: they were not run. */
  baseline: readonly string[] | null;
  /** What the search for loops without progress remembers. */
  loops: Loops;
  /** The token of the current review: one at a time. */
  reviewing: number;
  /** The token of the current merge. One at a time in all plans. */
  merging: number;
  /** By task: 1 for a leaf that the current run selects; null: all. */
  selected: Uint8Array | null;
  /** Whether any task declares locks. */
  readonly takesLocks: boolean;
  /** Whether any task has a budget of its own. */
  readonly hasBudgets: boolean;
  /** Tasks that a deadlock has put behind a blocker, whether it still holds them back or not. */
  readonly heldBack: Set<number>;
  /** Tasks that have failed, or have failed or been rejected before. */
  readonly haveFailed: Set<number>;
  /** Live attempts of this plan. */
  live: number;
  paused: { readonly by: string; readonly reason?: string; readonly at: number } | null;
  /** The current run, or the last one. */
  run: RunState | null;
  runs: number;
  /** The last hundred runs, those by hand too. */
  history: readonly RunRecord[];
  /** What was before it was started over; null: it never was. */
  readonly earlier: EarlierRounds | null;
  loadedAt: number;
  changedAt: number;
}

export interface Loops {
  /** Attempts of agents that ended since something last changed or was completed. */
  readonly idle: readonly AttemptId[];
  /** How often a task was rejected because of another, by `task\nblamed`. */
  readonly blames: Readonly<Record<string, number>>;
  /** By file: its last versions, and the tasks that wrote them. */
  readonly files: Readonly<Record<string, readonly { readonly task: TaskId; readonly hash: string }[]>>;
}

/** Leaves by status; `blocked` is derived. */
export type StatusCounts = Record<Status, number>;
export interface Counts {
  readonly required: StatusCounts;
  readonly optional: StatusCounts;
}

export type Status = 'pending' | 'in_progress' | 'completed' | 'failed' | 'blocked' | 'suspended' | 'skipped';
/** The recorded status; `blocked` is derived. */
export type RecordedStatus = Exclude<Status, 'blocked'>;

export interface TaskState {
  status: RecordedStatus;
  /** Scheduled so far. */
  attempts: number;
  /** Of the last attempt, and part of its file names. 0 before the first. */
  token: number;
  /** Since the last success: what the retry rule counts. */
  failures: number;
  lost: number;
  /** Rejected reviews since the last success. */
  rejections: number;
  /** What the last review found; until it is completed. */
  review: ReviewVerdict | null;
  /** The same rejection in a row: which, and how often. */
  repeated: { readonly fingerprint: string; readonly times: number } | null;
  /** Performed by this agent instead of the plan's. */
  agent: string | null;
  /** Its next attempt is the debugging agent's. */
  escalated: boolean;
  /** The file with the debugging agent's findings. */
  finding: string | null;
  /** Files that its last attempt is known to have changed; null: none is known. */
  wrote: readonly string[] | null;
  /** What its last attempt in a tree of its own left on its branch. */
  work: WorkOnBranch | null;
  /** What changed outside of its tree while its last attempt worked; null: nothing that is known. */
  incidents: readonly Incident[] | null;
  /** How often in a row its work could not be merged. */
  unmerged: number;
  /** How often in a row its agent fell silent and was ended. */
  silent: number;
  /** With a coding agent; of its last attempt that had one. */
  conversation: Conversation | null;
  /** How often it was escalated. */
  escalations: number;
  /** The decision that must be answered before it may start. */
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
  /** The token of the attempt that the failure is about; 0: of none. */
  failedAs: number;
  treatAsDone: boolean;
  /** When its first attempt was scheduled: its age among others, kept over retries. 0: never yet. */
  firstStartedAt: number;
  /** How often it was stopped to end a deadlock. */
  deadlocks: number;
  /** Added by a deadlock: it waits until this owner releases this resource. */
  after: AddedNeed | null;
  /** How often others passed it in the line for the same locks. */
  passed: number;
  /** How the attempt before was stopped, for the next one and for people. */
  stopped: StoppedWork | null;
  /** When it last failed; 0: never. */
  failedAt: number;
  /** What its attempts and reviews have cost in all runs, as far as it is known (USD). */
  spent: number;
  /** It failed because it was silent or its process was gone. */
  stuck: boolean;
  /** The notes of the person or agent who completed it. */
  notes: string | null;
  /** The attempt by hand, if there is one. */
  hand: HandWork | null;
  /** Who made its last attempt, if that was by hand; null: one of ours, or none yet. */
  workedBy: string | null;
  /** Calls with a key since it was last opened, oldest first: a repetition of one changes nothing. Null: none. */
  requests: readonly HeardRequest[] | null;
  /** What its last attempt was started with, if the plan was edited since; see `started-task.ts`. */
  startedWith: TaskText | null;
  /** The person who skipped or suspended it, with the reason; or the note of a retry. */
  by: string | null;
  reason: string | null;
}

export interface RunRecord {
  readonly run: RunId;
  readonly startedAt: number;
  /** 0: it has not ended. */
  readonly endedAt: number;
  readonly completed: number;
  readonly failed: number;
  /** Null: it has not ended, or was driven by hand. */
  readonly outcome: Outcome | null;
  /** Where its results gathered; absent: it had no worktrees. */
  readonly branch?: string;
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
  /** Another attempt has ended since, so the next prompt leaves it out. */
  readonly over?: true;
}

/** An end that waits for its verdict. */
export interface EndedAttempt {
  readonly end: AttemptEnd;
  readonly doom: Doom | null;
  readonly attempt: AttemptId;
  readonly run: RunId;
  readonly evidence: Evidence | null;
  /** How many of its checks were green. */
  readonly checks: number;
  /** Their tokens, part of their log file names. */
  readonly checkTokens?: readonly number[];
  /** Checks in a row, or reviews, that proved nothing; and what was wrong with the last review. */
  readonly interrupted: number;
  readonly problem: string | null;
  /** The event since which it waits for its next check or review. */
  readonly since: number;
  /** The failure that a check or a review has caused. */
  readonly failure: Failure | null;
  readonly verdict: ReviewVerdict | null;
  /** A person was asked to review it. */
  readonly asked: DecisionId | null;
  /** Its last review ran into the limit of this account, which is not closed yet. */
  readonly limited?: { readonly account: string; readonly resetsAt: number | null };
  /** By another agent than the plan says. */
  readonly byAgent?: true;
  /** What came of its merge. */
  readonly merge?: 'merged' | 'nothing' | Extract<Failure, { readonly kind: 'merge' }>;
}

/** The purpose of a process that Signalbox started. */
export type Job =
  /** `command`: the plan's `run:` performs it, and no agent. */
  | { readonly kind: 'attempt'; readonly agent?: string; readonly escalated?: true; readonly command?: true }
  | { readonly kind: 'check'; readonly check: number }
  | { readonly kind: 'review' }
  | { readonly kind: 'merge' };

/** A live attempt; or a check, review or merge of an ended one, with that attempt's name and a token of its own. */
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
  /** Time spent waiting for locks, which counts against no limit; and, while it waits, the start of the wait. */
  parkedMs: number;
  parkedSince: number;
  /** What the clock was moved by since its start: no time that it ran. */
  uncountedMs: number;
  /** That it is charged to. */
  readonly account?: string;
  /** Files that its shell commands wrote without their locks; the worst fifty. */
  found?: readonly WriteFinding[];
  /** Somebody else was at work in the workspace at some time meanwhile. */
  accompanied?: true;
  /** What it may cost, and whether nothing of that is reserved for it: see `AttemptScheduled`. */
  readonly mostUsd?: number;
  readonly sharesBudget?: true;
}

export interface Spent {
  readonly usd: number;
  readonly priced: number;
  readonly unknown: number;
}

export interface RunState {
  readonly run: RunId;
  readonly runner: ProcessIdentity;
  readonly limits: Limits;
  readonly selection: Selection | null;
  readonly deadlock: DeadlockRules;
  /** Overrides the policy of each task. */
  readonly onFailure: OnFailure | null;
  readonly escalationAgent: string | null;
  readonly reviewAgent: string | null;
  readonly livelock: LivelockRules;
  /** 0: a decision may stay open for ever. */
  readonly decideWithinMs: number;
  /** It took over from another process, and has seen everything that ran there. */
  readonly takesOver: boolean;
  tookOver: boolean;
  readonly startedAt: number;
  /** When the first of the processes began that this run went through. */
  readonly begunAt: number;
  /** Attempts scheduled in this run, by all its processes. */
  attempts: number;
  stopping: { readonly mode: StopMode; readonly by: string; readonly exitCode: 130 | 143 } | null;
  ended: {
    readonly outcome: Outcome;
    readonly exitCode: number;
    readonly at: number;
    readonly summary: Summary;
  } | null;
  /** What its coding agents cost, as far as it is known, and of how many attempts and reviews it is not known. */
  spent: Spent;
  readonly stopsAtQuota: boolean;
  readonly waitsPaused: boolean;
  /** An account has reached its limit, and the run does not wait for it. */
  limited: boolean;
  /** Null: all work in the workspace. */
  readonly isolation: Isolation | null;
  /** Why nothing is merged until a person has answered; null: everything is. */
  held: MergeObstacle | null;
  /** Checks that a person lets be red on the merged result, because they are red on the branch. */
  accepted: readonly string[];
  /** How often in a row the setup of a tree failed. */
  unprepared: number;
}
