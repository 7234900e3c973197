// The workspace's settings (`signalbox.yaml`), after reading. Any task key may stand there as a default for every task; those
// are merged into the plan when it is read.
import type { DeadlockRules, LivelockRules } from './event.ts';
import type { TaskKeys } from './plan.ts';

export interface Settings {
  /** Programs that tasks can name with `agent:`. */
  readonly agents: Readonly<Record<string, AgentSettings>>;
  /** Defaults for every task; `agent` among them. */
  readonly defaults: TaskKeys;
  /** Limits the workspace. */
  readonly maxParallel?: number;
  readonly pools?: Readonly<Record<string, number>>;
  readonly maxAttempts?: number;
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
  /** The folder for files that other programs read, from the root of the workspace. */
  readonly outputs?: { readonly folder?: string; readonly currentPlan?: string };
  /** Known keys that this version does not support yet, with their lines. */
  readonly unsupported: readonly { readonly key: string; readonly line: number }[];
}

export interface AgentSettings {
  /** `command` is any program; the kinds for real coding agents have their own issue. */
  readonly kind: string;
  /** A program and its arguments, with `{task} {attempt} {promptFile} {model} {workspace}`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly line: number;
}

/** The settings without a file. */
export const emptySettings: Settings = Object.freeze({
  agents: Object.freeze(Object.create(null)),
  defaults: Object.freeze({}),
  unsupported: Object.freeze([]),
});
