// The workspace's settings (`signalbox.yaml`), after reading. Any task key may stand there as a default for every task; those
// are merged into the plan when it is read.

import type { IsolationKeys, TaskKeys } from './plan.ts';
import type { DeadlockRules, LivelockRules } from './run-event.ts';

export interface Settings extends IsolationKeys {
  /** Programs that tasks can name with `agent:`. */
  readonly agents: Readonly<Record<string, AgentSettings>>;
  /** Defaults for every task; `agent` among them. */
  readonly defaults: TaskKeys;
  /** Limits the workspace. */
  readonly maxParallel?: number;
  readonly pools?: Readonly<Record<string, number>>;
  readonly maxAttempts?: number;
  /** Of a run. */
  readonly budgetUsd?: number;
  readonly deadlock?: Partial<DeadlockRules>;
  readonly livelock?: Partial<LivelockRules>;
  /** The agents for `review: agent` and for escalated tasks: names of `agents`. */
  readonly reviewAgent?: string;
  readonly escalationAgent?: string;
  /** For plans that say nothing themselves. */
  readonly finish?: string;
  readonly baseline?: boolean;
  /** A fresh process takes a run over after so many completed tasks; absent or 0: never. */
  readonly refreshAfter?: number;
  /** By model: what programs that do not price themselves cost. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** What a run does when an account has reached its limit; absent: it waits. */
  readonly quota?: 'wait' | 'stop';
  /** Whether coding agents get hooks that take locks before each edit; absent: they do. */
  readonly locks?: 'enforced' | 'advisory';
  /** What follows when an agent wrote to a file without its lock; absent: it is reported. */
  readonly audit?: 'report' | 'fail';
  /** The file with a frame for prompts, from the root of the workspace, and where the settings name it. */
  readonly promptTemplate?: { readonly file: string; readonly line: number; readonly column: number };
  /** The folder for files that other programs read, from the root of the workspace. */
  readonly outputs?: { readonly folder?: string; readonly currentPlan?: string };
  /** Known keys that this version does not support yet, with their lines. */
  readonly unsupported: readonly { readonly key: string; readonly line: number }[];
}

/** USD for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite: number;
}

export interface AgentSettings {
  /** `command` is any program; the others are coding agents that Signalbox knows. */
  readonly kind: string;
  /** A program and its arguments, with `{task} {attempt} {promptFile} {model} {workspace}`; empty: the kind's own program. */
  readonly command: readonly string[];
  /** Behind them, and behind those that the kind adds. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  /** How hard it thinks: a word of its program, such as high. */
  readonly effort?: string;
  /** What one attempt or review by it may cost. */
  readonly budgetUsd?: number;
  readonly line: number;
}

/** The settings without a file. */
export const emptySettings: Settings = Object.freeze({
  agents: Object.freeze(Object.create(null)),
  defaults: Object.freeze({}),
  unsupported: Object.freeze([]),
});

/** A kind of agent, as far as the settings have to know it. */
export interface KindInSettings {
  readonly name: string;
  /** It can be told how hard to think. */
  readonly takesEffort: boolean;
  /** It has no program of its own. */
  readonly needsCommand: boolean;
}
