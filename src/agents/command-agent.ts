// The agent kind `command`: any program can be an agent. Its arguments come from the settings, with values put in by name; each
// stays one argument whatever the value holds, because no shell sees it.
import type { AgentSettings } from '../core/settings.ts';
import { findProgram } from './find-program.ts';

export interface CommandValues {
  readonly task: string;
  readonly attempt: string;
  readonly promptFile: string;
  readonly model: string;
  readonly workspace: string;
}

export interface CommandPlace {
  /** Where a program without a slash in its name is looked for. */
  readonly path: string;
  readonly cwd: string;
}

export type CommandArguments =
  | { readonly kind: 'found'; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: 'missing'; readonly program: string };

export function commandArguments(agent: AgentSettings, values: CommandValues, place: CommandPlace): CommandArguments {
  const [name = '', ...rest] = agent.command.map((argument) => filled(argument, values));
  const program = findProgram(name, place.path, place.cwd);
  return program === null ? { kind: 'missing', program: name } : { kind: 'found', argv: [program, ...rest] };
}

/** One pass, so that a value which looks like a placeholder stays what it is; other braces are left alone. */
const filled = (argument: string, values: CommandValues): string =>
  argument.replace(/\{(task|attempt|promptFile|model|workspace)\}/g, (_, name: keyof CommandValues) => values[name]);
