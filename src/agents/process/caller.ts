// The program that uses us, such as the Claude Code session that started a hook or a server: the nearest ancestor that is neither a shell
// nor a launcher. All that it starts has it in common, so it stands for the session.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface Ancestor {
  readonly ppid: number;
  /** What was started, without its folder. */
  readonly name: string;
}

/** npx calls itself `npm exec …`. */
const between = /^(sh|bash|dash|zsh|fish|ksh|ash|busybox|env|npx|npm(?: .*)?|timeout|nice|signalbox)$/;
/** Deeper than any shell in a shell that somebody has built. */
const mostSteps = 12;

/** @param first where the way up begins */
export function callerPid(first: number = process.ppid, look: (pid: number) => Ancestor | null = ancestor): number {
  let pid = first;
  for (let step = 0; step < mostSteps; step++) {
    const found = look(pid);
    if (found === null || found.ppid <= 1 || !between.test(found.name)) return pid;
    pid = found.ppid;
  }
  return first;
}

/** Null: it is gone, or nobody may see it. */
function ancestor(pid: number): Ancestor | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): Ancestor {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name in brackets may hold brackets.
  const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const argv = () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return { ppid: Number(ppid), name: between.test(name) ? name : startedAs(name, argv()) };
}

/** The launcher, on an old Node, waits for the newer one that it has started us with (bin/signalbox.cjs). */
function startedAs(name: string, [, ...args]: readonly string[]): string {
  const script = args.find((word) => !word.startsWith('-')) ?? '';
  return /^signalbox(?:\.cjs)?$/.test(basename(script)) ? 'signalbox' : name;
}

function fromPs(pid: number): Ancestor {
  const told = (what: string) => execFileSync('ps', ['-o', what, '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [, ppid = '0', command = ''] = /^(\d+)\s+(.*)$/.exec(told('ppid=,comm=')) ?? [];
  const name = basename(command);
  return { ppid: Number(ppid), name: between.test(name) ? name : startedAs(name, told('args=').split(' ')) };
}
