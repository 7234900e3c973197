// Accounts of coding agents that have reached their limit.
import type { Base } from './event.ts';
import type { AttemptId, RunId, TaskId } from './ids.ts';

export type QuotaEvent = QuotaPaused | QuotaResumed;

/** Nothing that uses the account starts before `until`. */
export interface QuotaPaused extends Base<'quota-paused'> {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: AttemptId;
  /** The kind of agent and a name for its credential. */
  readonly account: string;
  /** By the clock of the log. */
  readonly until: number;
  /** Nobody said until when: then it is tried again. */
  readonly guessed?: true;
}

/** Its time is over: one attempt finds out whether the account really can go on, and the others follow. */
export interface QuotaResumed extends Base<'quota-resumed'> {
  readonly account: string;
}
