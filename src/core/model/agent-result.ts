// How the attempt of a coding agent ended, by its own words: bounded facts for the log. An agent's word completes nothing by itself.

/**
 * done            it says that it is finished
 * asks            it needs the answer of a person
 * refused-tools   tools it needed were refused
 * max-turns       it used all the turns that it may take
 * budget          it used all the money that it may spend
 * rate-limit      the account has to wait; no failure of the task
 * overload        the service is overloaded or failed; trying again later helps
 * billing         the account cannot pay
 * authentication  nobody is logged in, or the key is wrong
 * context         the conversation is too long to go on; only a fresh one helps
 * no-conversation it should go on in a conversation, and could not; a fresh one costs nothing
 * crash           it ended with an error, or says so
 * ungoverned      its hooks did not reach us: nobody knows under which locks it wrote
 * killed          somebody else ended it with a signal
 * no-result       it ended and never said that it is finished
 */
export type ResultClass =
  | 'done'
  | 'asks'
  | 'refused-tools'
  | 'max-turns'
  | 'budget'
  | 'rate-limit'
  | 'overload'
  | 'billing'
  | 'authentication'
  | 'context'
  | 'no-conversation'
  | 'crash'
  | 'ungoverned'
  | 'killed'
  | 'no-result';

/** What is recorded about an attempt of a coding agent. An absent field is not known. */
export interface AgentReport {
  /** As the settings call it. */
  readonly by: string;
  readonly class: ResultClass;
  /** Of its program: as that says, or as it said at the start of the run. */
  readonly version?: string;
  /** Its last message, or what went wrong; cut. */
  readonly said?: string;
  /** The name under which the conversation can be resumed. */
  readonly session?: string;
  /** Where it ran, absolute: conversations are found again from there only. */
  readonly folder?: string;
  /** A short name for the task as it was told, which a later attempt need not read again. */
  readonly told?: string;
  /** It was to go on in an earlier conversation. */
  readonly resumed?: true;
  /** When its account may go on, by the wall clock. */
  readonly resetsAt?: number;
  /** Plugins, MCP servers, skills and hooks that the program took in, and that come neither with it nor from us. */
  readonly loaded?: readonly string[];
  /** The sentence of its last message that announces that it waits: nothing calls it back. */
  readonly waits?: string;
  /** Tools that were refused. */
  readonly denied?: readonly string[];
  /** Files that it says it has written, from the root of the workspace where they lie in it. */
  readonly writes?: readonly string[];
  readonly usage?: readonly ModelUsage[];
  readonly costUsd?: number;
  /** Lines of its stream that are too long or no JSON, and the beginning of the first one. */
  readonly unread?: { readonly lines: number; readonly preview: string };
}

/** Tokens. `cached`: the part of the input that was read from a cache; `input` does not count it. */
export interface ModelUsage {
  /** Empty: the program does not say. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Written to the cache. */
  readonly cacheWrite: number;
  readonly costUsd?: number;
}

/** Trying again cannot help before a person has done something. */
export const isPermanent = (result: ResultClass): boolean =>
  result === 'billing' || result === 'authentication' || result === 'ungoverned';
