// The kind `command`: any program can be an agent. Its arguments come from the settings, with values put in by name.
import type { AgentKind, AgentValues } from '../kind.ts';
import { ToolCallReader } from './tool-calls.ts';

export const command: AgentKind = {
  program: (agent) => agent.command[0] ?? '',
  argv: (agent, values) => {
    const [program = '', ...rest] = agent.command.map((argument) => filled(argument, values));
    return [program, ...rest];
  },
  isPrompted: true,
  toolCalls: (onRow) => new ToolCallReader(onRow),
};

/** One pass, so that a value which looks like a placeholder stays what it is; other braces are left alone. */
const filled = (argument: string, values: AgentValues): string =>
  argument.replace(/\{(task|attempt|promptFile|model|workspace)\}/g, (_, name: keyof AgentValues) => values[name]);
