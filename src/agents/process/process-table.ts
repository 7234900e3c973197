// A snapshot of all processes with their parents, start times and the marker they carry in their environment. Taken in slices,
// so that a machine with ten thousand processes does not hold up the loop; asked for several times at once, it is taken once.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { hasEnded, isGone, type ProcessSource, parseStat, processSource, psEnvironment } from './process-identity.ts';

/** Set in the environment of every attempt; children inherit it, also those that leave the group and the session. */
export const markerVariable = 'SIGNALBOX_TOKEN';

/** Of every process of an attempt. */
export const markerOf = (workspace: string, token: number): string => `${workspace}:${token}`;

export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly startTime: string;
  /** The marker's value; null if it has none or belongs to somebody else. */
  readonly marker: string | null;
}

export class ProcessTable {
  readonly source: ProcessSource;
  #next: Promise<readonly ProcessRow[]> | null = null;

  constructor(source: ProcessSource = processSource) {
    this.source = source;
  }

  /** Everything that lives now, without zombies. Never fails: without a look at all processes none can be called dead. */
  snapshot(): Promise<readonly ProcessRow[]> {
    this.#next ??= nextTurn().then(() => {
      this.#next = null; // whoever asks from here on needs a later one
      return this.#scan();
    });
    return this.#next;
  }

  async #scan(): Promise<readonly ProcessRow[]> {
    for (;;) {
      try {
        return await (this.source === 'proc' ? scanProc() : scanByPs());
      } catch {
        await delay(100); // out of file descriptors or processes: what was asked for is still needed
      }
    }
  }
}

/** Descendants of the roots by parent; a child is never older than its parent, else the parent's pid was given away. */
export function withDescendants(rows: readonly ProcessRow[], roots: Iterable<number>): Map<number, ProcessRow> {
  const byPid = new Map<number, ProcessRow>();
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    byPid.set(row.pid, row);
    const siblings = children.get(row.ppid);
    if (siblings) siblings.push(row);
    else children.set(row.ppid, [row]);
  }
  const found = new Map<number, ProcessRow>();
  const queue = [...roots].flatMap((pid) => byPid.get(pid) ?? []);
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    for (const child of children.get(row.pid) ?? []) if (!isOlder(child, row)) queue.push(child);
  }
  return found;
}

/** A parent comes before its children. */
export function parentsFirst(rows: ReadonlyMap<number, ProcessRow>): readonly ProcessRow[] {
  const depths = new Map<number, number>();
  const depthOf = (row: ProcessRow): number => {
    const known = depths.get(row.pid);
    if (known !== undefined) return known;
    depths.set(row.pid, 0); // pids that were given away can make a circle
    const parent = rows.get(row.ppid);
    const depth = parent === undefined ? 0 : depthOf(parent) + 1;
    depths.set(row.pid, depth);
    return depth;
  };
  return [...rows.values()].sort((a, b) => depthOf(a) - depthOf(b));
}

function isOlder(child: ProcessRow, parent: ProcessRow): boolean {
  const [a, b] = [Number(child.startTime), Number(parent.startTime)];
  return a < b; // NaN, and so false, for the words that `ps` gives
}

// 64 processes take about 2 ms.
const slice = 64;

async function scanProc(): Promise<readonly ProcessRow[]> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const rows: ProcessRow[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % slice === slice - 1) await nextTurn();
    const row = rowOf(pid);
    if (row) rows.push(row);
  }
  return rows;
}

function rowOf(pid: string): ProcessRow | null {
  const text = read(`/proc/${pid}/stat`);
  const stat = text === null ? null : parseStat(text.toString('latin1'));
  if (stat === null || hasEnded(stat.state)) return null;
  // Children of process 2 are the kernel's own threads.
  const environ = stat.ppid === 2 ? null : read(`/proc/${pid}/environ`);
  return { pid: Number(pid), ppid: stat.ppid, startTime: stat.startTime, marker: environ && markerIn(environ) };
}

/** The last one counts: when a name stands twice, which one a program sees is its own affair, and a shell takes the last. */
export function markerIn(environ: Buffer): string | null {
  const name = `${markerVariable}=`;
  for (let at = environ.lastIndexOf(name); at >= 0; at = at === 0 ? -1 : environ.lastIndexOf(name, at - 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString('utf8', at + name.length, end < 0 ? environ.length : end);
  }
  return null;
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    const isSomebodyElses = /^(EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '');
    if (isGone(error) || isSomebodyElses) return null;
    throw error;
  }
}

const psArguments =
  process.platform === 'linux'
    ? ['axeww', '-o', 'pid=,ppid=,stat=,lstart=,command=']
    : ['-A', '-E', '-ww', '-o', 'pid=,ppid=,stat=,lstart=,command='];

function scanByPs(): Promise<readonly ProcessRow[]> {
  return new Promise((resolve, reject) => {
    const options = { env: psEnvironment, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' } as const;
    execFile('/bin/ps', psArguments, options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout.split('\n').flatMap((line) => rowOfLine(line) ?? []));
    });
  });
}

const psLine = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/;

/** `ps` prints the environment behind the command, parted by spaces only; so a marker's value must have none. */
function rowOfLine(line: string): ProcessRow | null {
  const match = psLine.exec(line);
  if (match === null || hasEnded(match[3]!)) return null;
  const marker = [...match[5]!.matchAll(new RegExp(`(?:^| )${markerVariable}=(\\S*)`, 'g'))].at(-1)?.[1] ?? null;
  return { pid: Number(match[1]), ppid: Number(match[2]), startTime: match[4]!.replace(/\s+/g, ' '), marker };
}
