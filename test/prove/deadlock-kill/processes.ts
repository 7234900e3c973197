// Finds the processes of a workspace's attempts by the environment they were given, and kills one of them.
import { readdirSync, readFileSync } from 'node:fs';

export interface Found {
  readonly pid: number;
  readonly attempt: string;
  readonly kind: 'waiter' | 'shell';
}

export function attemptsIn(folder: string): Found[] {
  const found: Found[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const environment = read(`/proc/${name}/environ`);
    if (!environment.includes(`SIGNALBOX_WORKSPACE=${folder}\0`)) continue;
    const attempt = /(?:^|\0)SIGNALBOX_ATTEMPT=([^\0]+)/.exec(environment)?.[1];
    const command = read(`/proc/${name}/cmdline`);
    if (attempt === undefined) continue;
    if (command.includes('\0lock\0wait\0')) found.push({ pid: Number(name), attempt, kind: 'waiter' });
    else if (command.includes('sh\0task.sh\0')) found.push({ pid: Number(name), attempt, kind: 'shell' });
  }
  return found;
}

/** False when it was gone already. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
