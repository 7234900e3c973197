// The kind `shell`, of `run:` tasks and checks: a shell performs the command that the plan's author wrote, and only that.
import type { AgentSettings } from '../../core/model/settings.ts';
import type { AgentKind } from '../kind.ts';

export const shellArguments = (command: string): readonly [string, ...string[]] => ['/bin/sh', '-c', command];

export const shell: AgentKind = {
  program: () => '/bin/sh',
  argv: ({ command: [command = ''] }) => shellArguments(command),
  isPrompted: false,
  toolCalls: null,
};

/** A command of a plan as an agent. */
export const shellAgent = (command: string): AgentSettings => ({ kind: 'shell', command: [command], env: {}, line: 0 });
