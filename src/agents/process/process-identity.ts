// Tells one process from every other: by host (boot and pid namespace), pid and start time. A pid alone is never trusted,
// because it is given to others; a zombie counts as ended, because nothing of it runs any more.
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { type HostId, hostId, type ProcessIdentity } from '../../core/model/ids.ts';

export interface Host {
  readonly id: HostId;
  /** For people; may change under the same id. */
  readonly name: string;
}

/** Where processes are looked up: Linux has /proc, other systems only the program `ps`. */
export type ProcessSource = 'proc' | 'ps';

export const processSource: ProcessSource = existsSync('/proc/self/stat') ? 'proc' : 'ps';

let known: Host | undefined;

/** The host that this program runs on. */
export function thisHost(): Host {
  known ??= {
    id: hostId(fingerprint(bootAndNamespace())),
    name: hostname(),
  };
  return known;
}

let boot: string | undefined;

/** Whose monotonic clock this is: the same for everything that can compare times by it, in any container of this boot. */
export function thisBoot(): string {
  boot ??= fingerprint(bootAndClock());
  return boot;
}

let own: ProcessIdentity | undefined;

/** This program itself: it stays who it is, and is not looked up again. */
export function thisProcess(): ProcessIdentity {
  own ??= identify(process.pid)!;
  return own;
}

/** The process that has this pid now; null if none has, or if it has ended and only waits to be collected. */
export function identify(pid: number, source: ProcessSource = processSource): ProcessIdentity | null {
  const startTime = source === 'proc' ? startTimeByProc(pid) : startTimeByPs(pid);
  return startTime === null ? null : { host: thisHost().id, pid, startTime };
}

/** `unknown`: it belongs to another host (or to this machine before it was booted again) and cannot be seen from here. */
export function isAlive(
  process: ProcessIdentity,
  host: HostId = thisHost().id,
  source: ProcessSource = processSource,
): boolean | 'unknown' {
  if (process.host !== host) return 'unknown';
  return identify(process.pid, source)?.startTime === process.startTime;
}

/** What /proc/<pid>/stat says; `startTime` is in clock ticks since boot. */
export interface ProcessStat {
  readonly state: string;
  readonly ppid: number;
  readonly startTime: string;
}

/** The command's name comes second, in parentheses, and may itself hold parentheses, spaces and newlines: count from its end. */
export function parseStat(text: string): ProcessStat | null {
  const close = text.lastIndexOf(')');
  if (close < 0) return null;
  const fields = text.slice(close + 2).split(' ');
  const [state, ppid, startTime] = [fields[0], fields[1], fields[19]];
  if (!state || !ppid || !startTime || !/^\d+$/.test(startTime)) return null;
  return { state, ppid: Number(ppid), startTime };
}

export const hasEnded = (state: string): boolean => state.startsWith('Z') || state.startsWith('X');

/** What /proc answers about a process that has gone. Anything else (no file descriptors left) is no proof of death. */
export const isGone = (error: unknown): boolean => /^(ENOENT|ESRCH)$/.test((error as NodeJS.ErrnoException).code ?? '');

function startTimeByProc(pid: number): string | null {
  const text = readIfThere(`/proc/${pid}/stat`);
  const stat = text === null ? null : parseStat(text);
  return stat === null || hasEnded(stat.state) ? null : stat.startTime;
}

function startTimeByPs(pid: number): string | null {
  try {
    const line = childProcess()
      .execFileSync('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: psEnvironment,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      .trim();
    const match = /^(\S+)\s+(\S.*)$/.exec(line);
    return match === null || hasEnded(match[1]!) ? null : match[2]!.replace(/\s+/g, ' ');
  } catch (error) {
    if ((error as { status?: unknown }).status === 1) return null; // how `ps -p` says that there is no such process
    throw error;
  }
}

/** `lstart` is written in words: the same words for everybody. */
export const psEnvironment = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' } as const;

/** Loaded only where there is no /proc: the module alone costs every small command 5 ms. */
const childProcess = () => process.getBuiltinModule('node:child_process');

/** FNV-1a, 64 bits: tells hosts apart and hides nothing, so that it need not load a module for cryptography (10 ms). */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}

function bootAndNamespace(): string {
  const id = bootId();
  return id === null ? bootWithoutProc() : `${id} ${readlinkSync('/proc/self/ns/pid')}`;
}

function bootAndClock(): string {
  const id = bootId();
  if (id === null) return bootWithoutProc();
  // A namespace of time shifts the monotonic clock. Kernels before 5.6 have none.
  return existsSync('/proc/self/ns/time') ? `${id} ${readlinkSync('/proc/self/ns/time')}` : id;
}

const bootId = (): string | null => readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

/** Not `kern.boottime`: macOS moves it when the clock is set. */
function bootWithoutProc(): string {
  try {
    const options = { encoding: 'utf8' } as const;
    return `${hostname()} ${childProcess().execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], options).trim()}`;
  } catch {
    // The uptime drifts against the clock by less than this rounding; at its edges a host may look like another one, and
    // then attempts are called lost that could have been adopted, never the other way round.
    return `${hostname()} ${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
