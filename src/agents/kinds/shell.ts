// The kind `shell`, of `run:` tasks and checks: a shell performs the command that the plan's author wrote, and only that.
import type { AgentSettings } from '../../core/model/settings.ts';
import type { AgentKind } from '../kind.ts';

export const shellArguments = (command: string): readonly [string, ...string[]] => ['/bin/sh', '-c', command];

export const shell: AgentKind = {
  program: () => '/bin/sh',
  launch: ({ command: [command = ''] }) => ({ argv: shellArguments(command) }),
  isPrompted: false,
  canResume: false,
  events: null,
  hooks: null,
  known: null,
};

/** A command of a plan as an agent. */
export const shellAgent = (command: string): AgentSettings => ({
  kind: 'shell',
  command: [command],
  args: [],
  env: {},
  line: 0,
});
