// The kind `command`: any program can be an agent. Its arguments come from the settings, with values put in by name.
import type { AgentKind, LaunchRequest } from '../kind.ts';

export const command: Omit<AgentKind, 'events'> = {
  program: ({ command: [program = ''] }, workspace) => {
    const known = program.replaceAll('{workspace}', () => workspace);
    return known.search(placeholder) < 0 ? known : null;
  },
  launch: (agent, request) => {
    const [program = '', ...rest] = [...agent.command, ...agent.args].map((argument) => filled(argument, request));
    return { argv: [program, ...rest] };
  },
  isPrompted: true,
  hooks: null,
  canResume: false,
  known: null,
};

const placeholder = /\{(task|attempt|promptFile|model|workspace)\}/g;
type Named = 'task' | 'attempt' | 'promptFile' | 'model' | 'workspace';

/** One pass, so that a value which looks like a placeholder stays what it is; other braces are left alone. */
const filled = (argument: string, values: Pick<LaunchRequest, Named>): string =>
  argument.replaceAll(placeholder, (_, name: Named) => values[name]);
