// The agent kind of `run:` tasks: a shell performs the command that the plan's author wrote, and only that.

export const shellArguments = (command: string): readonly [string, ...string[]] => ['/bin/sh', '-c', command];
