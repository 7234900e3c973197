// Who asks: an agent by its name, else the person who is logged in.
import { userInfo } from 'node:os';

export function userName(env: Readonly<Record<string, string | undefined>>): string {
  const { SIGNALBOX_AGENT: agent, USER: user, LOGNAME: logname } = env;
  return agent || user || logname || nameOnRecord();
}

/** Containers run as numbers that the system has no name for. */
function nameOnRecord(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
