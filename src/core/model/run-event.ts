// The events of runs, and what a run is held to.
import type { VictimPolicy } from '../../locks/victim.ts';
import type { Outcome, Summary } from '../rules/outcome.ts';
import type { OnFailure } from './decision.ts';
import type { Base } from './event.ts';
import type { ProcessIdentity, RunId } from './ids.ts';
import type { Selection } from './selection.ts';

export type RunEvent = RunStarted | RunStopping | RunHandedOver | RunTookOver | RunEnded;

export interface RunStarted extends Base<'run-started'> {
  readonly run: RunId;
  readonly runner: ProcessIdentity;
  /** Recorded so that every process uses the same limits, whatever its settings say. */
  readonly limits: Limits;
  /** What the run is about; absent means all of the plan. */
  readonly selection?: Selection;
  /** How deadlocks of its attempts are handled; absent: they are detected, and the youngest attempt is stopped. */
  readonly deadlock?: DeadlockRules;
  /** It takes over the run of another process. */
  readonly takesOver?: true;
  /** The answer to final failures; absent: each task's own. */
  readonly onFailure?: OnFailure;
  /** The agent for escalated tasks; absent: none. */
  readonly escalationAgent?: string;
  /** The agent for reviews; absent: none. */
  readonly reviewAgent?: string;
  /** The process of the run before it died: what that run has spent counts for this one. */
  readonly carriesOn?: true;
  /** When loops without progress are stopped; absent: the default. */
  readonly livelock?: Partial<LivelockRules>;
  /** How long a question may stay open before its default is taken; absent: for ever. */
  readonly decideWithinMs?: number;
  /** It ends when an account has reached its limit; absent: it waits. */
  readonly stopsAtQuota?: true;
  /** A person sits at its terminal: while the plan is paused it waits; absent: it ends. */
  readonly waitsPaused?: true;
  /** Attempts work in trees of their own, and what they did gathers on a branch; absent: all work in the workspace. */
  readonly isolation?: Isolation;
}

export interface Isolation {
  /** Where results gather, without `refs/heads/`. */
  readonly branch: string;
  /** The commit that it stood at when the run began. */
  readonly base: string;
  /** The folder of the plan's trees: `integration`, `queue`, and in `tasks` one for each task. Absolute. */
  readonly trees: string;
  /** The workspace inside of a tree, with slashes; empty: the whole tree. */
  readonly prefix: string;
  /** The person's branch when the run began, which `land` brings the results to; absent: none was checked out. */
  readonly onto?: string;
  /** In whose name Signalbox commits, as git was configured when the run began; absent: as it is configured. */
  readonly committer?: Committer;
}

export interface Committer {
  readonly name: string;
  readonly email: string;
}

export interface LivelockRules {
  /** The same rejection, in a row. 0: never. The same for the others. */
  readonly sameRejections: number;
  readonly circularRejections: number;
  /** Ended attempts of agents without a change or a completed task. */
  readonly noProgress: number;
  readonly sameCalls: number;
  readonly undoing: number;
  /** Attempts of an agent that fell silent and were ended, in a row. 0: each is a failure. */
  readonly silence: number;
}

export interface DeadlockRules {
  readonly detect: boolean;
  readonly victim: VictimPolicy;
}

export interface Limits {
  /** All plans of the workspace together; absent means no limit. */
  readonly workspace?: number;
  /** This plan. */
  readonly plan: number;
  /** By pool name; across plans. A pool without an entry has no limit. */
  readonly pools: Readonly<Record<string, number>>;
  /** Attempts of this run; absent means no limit. */
  readonly maxAttempts?: number;
  /** By the name of an agent: the account that its attempts are charged to. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** What the coding agents of this run may cost; absent means no limit. */
  readonly budgetUsd?: number;
  /** By the name of an agent: what one attempt or review by it may cost. */
  readonly attemptUsd?: Readonly<Record<string, number>>;
}

/** `drain` lets attempts end, `stop` ends them with grace, `kill` at once. Only ever gets harder. */
export type StopMode = 'drain' | 'stop' | 'kill';

export interface RunStopping extends Base<'run-stopping'> {
  readonly run: RunId;
  readonly mode: StopMode;
  readonly by: string;
  /** What the runner exits with: 130 for an interrupt, 143 for stop or a termination signal. */
  readonly exitCode: 130 | 143;
}

/** A fresh process takes the plan over. Its run starts in the same transaction, and it watches the running attempts from then on. */
export interface RunHandedOver extends Base<'run-handed-over'> {
  readonly run: RunId;
  readonly to: RunId;
  readonly by: string;
}

/** The new process has taken over everything that ran in the one before. */
export interface RunTookOver extends Base<'run-took-over'> {
  readonly run: RunId;
  /** How many attempts, checks and reviews were running. */
  readonly adopted: number;
}

export interface RunEnded extends Base<'run-ended'> {
  readonly run: RunId;
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly summary: Summary;
}
