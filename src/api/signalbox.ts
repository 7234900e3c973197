// The one door for all faces: every command and query of Signalbox, with its options. Reports (`reports/`) are plain data in the
// shapes of `--json`; a face only turns them into text. A command that cannot be done throws a `Refusal`, trouble outside the
// program an `Outage`.

import type { StreamReport } from '../agents/stream/stream-reader.ts';
import type { OnFailure } from '../core/model/decision.ts';
import type { StoredEvent } from '../core/model/event.ts';
import type { WriteFinding } from '../core/model/failure.ts';
import type { IsolationKind } from '../core/model/plan.ts';
import type { SteerDoor } from './act/steer-door.ts';
import type { DecisionDoor } from './decisions/decision-door.ts';
import type { FilesDoor } from './files/files-door.ts';
import type { HandDoor } from './hand/hand-door.ts';
import type { SetupDoor } from './init/setup-door.ts';
import type { LockDoor } from './locks/lock-door.ts';
import type { AgentDoor } from './look/agent-door.ts';
import type { PlanningDoor } from './planning/planning-door.ts';
import type { LogChunk } from './reports/answers.ts';
import type { AttemptsReport } from './reports/decisions.ts';
import type { GraphFormat, GraphReport } from './reports/graph.ts';
import type { DoctorReport, ValidateReport } from './reports/health.ts';
import type { DryRunReport, RunReport } from './reports/run.ts';
import type { NextReport, PlansReport, ProgressReport, StatusReport } from './reports/status.ts';
import type { ResetReport } from './reports/steering.ts';
import type { TrustReport } from './reports/trust.ts';
import type { VerifiedCheck, VerifyReport } from './reports/verify.ts';
import type { WhyReport } from './reports/why.ts';
import type { ResultsDoor } from './results/results-door.ts';
import type { RunDoor } from './run/run-door.ts';

export interface Signalbox {
  /** The workspace's root folder. */
  readonly root: string;
  /** The workspace is not the current folder: people want to see it before something happens there. */
  readonly isElsewhere: boolean;
  /** The path of a plan as it has to be typed in the current folder; reports have it from the root of the workspace. */
  typed(plan: string): string;

  /** The first day: settings, a first plan, ignore rules; and taking them back. */
  setup(): Promise<SetupDoor>;
  /** Files of plans: read, rewritten, brought in from other tools, compared with what was loaded. */
  files(): Promise<FilesDoor>;
  run(plan: string | undefined, options: RunOptions): Promise<RunReport>;
  /** Runs of other processes: followed, or started to go on by themselves. */
  runs(): Promise<RunDoor>;
  /** What a run would do first, without doing it or keeping anything. */
  dryRun(plan: string | undefined, options: SelectOptions & IsolationOptions): Promise<DryRunReport>;
  status(plan?: string, options?: StatusOptions): Promise<StatusReport>;
  /** The status now, and again each time it has changed, until `signal` is aborted. */
  statusChanges(
    plan: string | undefined,
    options: StatusOptions & { readonly signal?: AbortSignal },
  ): AsyncIterable<StatusReport>;
  /** The counts alone: for prompts and status lines, which ask often. */
  progress(plan?: string): Promise<ProgressReport>;
  /** Who waits for whom, and, in a format, the picture of it. */
  graph(plan: string | undefined, options: GraphOptions): Promise<GraphReport>;
  next(plan: string | undefined, most: number): Promise<NextReport>;
  why(plan: string | undefined, task: string): Promise<WhyReport>;
  /** What agents are told, and what they cost. */
  agents(): Promise<AgentDoor>;
  /** Tasks that have failed, with the attempts they have left. */
  attempts(plan: string | undefined): Promise<AttemptsReport>;
  plans(): Promise<PlansReport>;
  /** The log, oldest first; with `follow` it goes on until `signal` is aborted. */
  events(plan: string | undefined, options: EventsOptions): AsyncIterable<StoredEvent>;
  /** What an attempt printed, raw unless asked for otherwise; with `follow` until the attempt has ended. */
  logs(plan: string | undefined, task: string, options: LogsOptions): AsyncIterable<LogPiece>;

  /** What people tell a plan and its tasks. */
  steering(): Promise<SteerDoor>;

  /** What attempts have made: landed, looked at, brought back, cleaned up. */
  results(): Promise<ResultsDoor>;

  /** Plans that agents write, and the approval that they need. */
  planning(): Promise<PlanningDoor>;

  /** Runs every check of what is completed once more; records nothing. */
  verify(plan: string | undefined, options: VerifyOptions): Promise<VerifyReport>;

  /** Locks on files and other things, for agents and people. */
  locks(): Promise<LockDoor>;

  /** Questions that only a person may answer, and verdicts of people. */
  decisions(): Promise<DecisionDoor>;

  /** Tasks marked by people and agents that no runner looks after. */
  hand(): Promise<HandDoor>;

  /** Checks what a run depends on and does not control. `fix` puts right what is safe to change. */
  doctor(options: DoctorOptions): Promise<DoctorReport>;

  /** Which state is this user's own; with `state`, what lies in the workspace becomes so. */
  trust(options: TrustOptions): Promise<TrustReport>;

  /** Compares log, snapshot, locks and files. `fix` makes broken parts again from whole ones. */
  validate(options: ValidateOptions): Promise<ValidateReport>;

  close(): Promise<void>;
}

/** What a run is about; without either, all of the plan. */
export interface SelectOptions {
  readonly maxParallel?: number;
  /** These tasks and groups. */
  readonly only?: readonly string[];
  /** This task and whatever cannot start before it has ended. */
  readonly from?: string;
}

export interface IsolationOptions {
  /** Where attempts work; overrules the plan and the settings. */
  readonly isolation?: IsolationKind;
  /** What is not committed yet is taken along onto the branch with the results. */
  readonly includeChanges?: boolean;
}

export interface RunOptions extends SelectOptions, IsolationOptions {
  /** Starts the plan over first, as `reset` does. */
  readonly fresh?: boolean;
  readonly onReset?: (report: ResetReport) => void;
  /** What the coding agents of the run may cost; overrules the plan and the settings. */
  readonly budgetUsd?: number;
  /** Writes boxes of tasks that have ended back into the plan file. */
  readonly tick?: boolean;
  /** False: an edit of the plan while it runs is told, and left to a person's `reload`. */
  readonly reload?: boolean;
  /** False: nobody is stopped in this run because of a deadlock. */
  readonly detectDeadlocks?: boolean;
  /** What final failures lead to; overrules the plan. */
  readonly onFailure?: OnFailure;
  /** Takes over the run of another process, without stopping its attempts. */
  readonly takeOver?: boolean;
  /** After so many completed tasks a fresh process takes over, started with the same command line. */
  readonly refresh?: {
    /** Absent: what the settings say. */
    readonly after?: number;
    readonly argv: readonly string[];
    /** It was started; its exit code is that of the run. */
    readonly onSuccessor: (exitCode: Promise<number>) => void;
  };
  /** A person sits at the terminal: while the plan is paused, it waits for `resume` instead of ending. */
  readonly waitsPaused?: boolean;
  /** How long questions may stay open before the run goes on without an answer; absent: it does not wait for answers. */
  readonly decideWithinMs?: number;
  /** Every event of the plan from the start of the run on, in order, after it is durable. */
  readonly onEvents?: (events: readonly StoredEvent[]) => void;
  /** News that are no events: warnings about the plan, a database set aside. The assumed order is only a remark. */
  readonly onNotice?: (text: string, kind: 'warning' | 'remark') => void;
  /** Hands out `stop` for the interrupts of the person: the first drains, the second stops, the third kills. */
  readonly onInterruptible?: (stop: (mode: 'drain' | 'stop' | 'kill', exitCode: 130 | 143) => void) => void;
}

export interface GraphOptions {
  readonly format?: GraphFormat;
  /** A file to write the picture to, relative to the current folder. */
  readonly out?: string;
}

export interface VerifyOptions {
  /** How many checks at once; one by default. */
  readonly parallel?: number;
  readonly signal?: AbortSignal;
  /** Each as it ends. */
  readonly onCheck?: (check: VerifiedCheck) => void;
}

export interface DoctorOptions {
  readonly fix: boolean;
  /** Asks the programs that the settings name for their versions, which runs them. */
  readonly versions?: boolean;
}

export interface TrustOptions {
  readonly state?: boolean;
  /** Lets hooks and filters of the repository run. */
  readonly git?: boolean;
  /** Takes the trust in the repository back. */
  readonly revoke?: boolean;
}

export interface ValidateOptions {
  readonly fix: boolean;
  /** Compares everything from the first event, even where all sums are right. */
  readonly deep?: boolean;
}

/** A piece of a log. The last one of a readable stream says what the stream amounts to. */
export interface LogPiece extends LogChunk {
  readonly end?: AgentLogEnd;
}

export interface AgentLogEnd extends StreamReport {
  /** More is to come. */
  readonly isRunning: boolean;
  /** The sentence of its last message that announces that it waits; null: none does, or it has not ended well. */
  readonly waits: string | null;
  /** The last lines of its standard error. */
  readonly errors: readonly string[];
  /** What it wrote without a lock; known when it has ended. */
  readonly audit: readonly WriteFinding[];
}

export interface StatusOptions {
  /** In a plan with more tasks than this, completed and merely waiting ones are counted instead of listed. */
  readonly foldAbove?: number;
  /** Only tasks that are being worked on: quick, whatever the size of the plan. */
  readonly underWay?: boolean;
}

export interface EventsOptions {
  readonly after?: number;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

export interface LogsOptions {
  /** Which attempt; the last one by default. */
  readonly attempt?: number;
  /** The stream of a coding agent as a person reads it. What other programs print stays as it is. */
  readonly readable?: boolean;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}
