// Who asks: an agent by its name, else the person who is logged in.
import { userInfo } from 'node:os';

export function userName(env: Readonly<Record<string, string | undefined>>): string {
  return env.SIGNALBOX_AGENT || loginName(env);
}

/** Whether that is the name of an agent. A person may have set their own. */
export const isAgentName = (env: Readonly<Record<string, string | undefined>>): boolean =>
  userName(env) !== loginName(env);

function loginName({ USER: user, LOGNAME: logname }: Readonly<Record<string, string | undefined>>): string {
  return user || logname || nameOnRecord();
}

/** Containers run as numbers that the system has no name for. */
function nameOnRecord(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
