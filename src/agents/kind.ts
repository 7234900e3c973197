// A kind of agent: how its program is called, how it is told what to do, and what is understood of what it prints. A new kind is one
// file in `kinds/` and one line in the table below.
import type { AgentSettings } from '../core/model/settings.ts';
import { command } from './kinds/command.ts';
import type { ToolCallReader } from './kinds/tool-calls.ts';

export interface AgentKind {
  /** The program to look for before a run: a name on the PATH, or a path from the workspace. */
  readonly program: (agent: AgentSettings) => string;
  /** The program and its arguments, each one word whatever it holds: no shell sees them. */
  readonly argv: (agent: AgentSettings, values: AgentValues) => readonly [string, ...string[]];
  /** Whether it gets the prompt file as its standard input; false: its arguments say everything. */
  readonly isPrompted: boolean;
  /** Reads its tool calls from what it prints; null: it makes none. @param onRow see `ToolCallReader`. */
  readonly toolCalls: ((onRow: (call: string, times: number) => void) => ToolCallReader) | null;
}

/** What is put into the arguments of an agent by name. */
export interface AgentValues {
  readonly task: string;
  readonly attempt: string;
  readonly promptFile: string;
  readonly model: string;
  readonly workspace: string;
}

/** Those that `kind:` in the settings can name. `shell` is not among them: it performs `run:`. */
const kinds: Readonly<Record<string, AgentKind>> = { command };

/** Null: this version cannot run it. */
export const kindOf = ({ kind }: Pick<AgentSettings, 'kind'>): AgentKind | null =>
  Object.hasOwn(kinds, kind) ? kinds[kind]! : null;
