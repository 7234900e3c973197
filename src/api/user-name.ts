// Who asks: an agent by its name, else the person who is logged in.
import { userInfo } from 'node:os';

export function userName(env: Readonly<Record<string, string | undefined>>): string {
  const { SIGNALBOX_AGENT: agent, USER: user, LOGNAME: logname } = env;
  return agent ?? user ?? logname ?? userInfo().username;
}
