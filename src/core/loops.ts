// What is remembered to recognise work that goes on without getting anywhere. Bounded, and forgotten with the first progress.
import type { AttemptEnded } from './event.ts';
import type { TaskId } from './ids.ts';
import type { EndedAttempt, Loops } from './state.ts';

const mostIdle = 20;
const mostBlames = 1_000;
const mostFiles = 200;
const mostVersions = 20;

/** An attempt of an agent that changed something, or of which nobody knows, starts the counting of idle ones anew. */
export function rememberAttempt(loops: Loops, { task, evidence }: AttemptEnded): Loops {
  if (evidence === undefined) return loops;
  const idle = evidence.changed === false ? loops.idle : [];
  return { ...loops, idle, files: rememberFiles(loops.files, task, evidence.files ?? []) };
}

/** One that changed nothing counts when nothing has come of it: while it is checked or reviewed, something still may. */
export function rememberIdle(loops: Loops, ended: EndedAttempt | null): Loops {
  if (ended?.evidence?.changed !== false) return loops;
  return { ...loops, idle: [...loops.idle, ended.attempt].slice(-mostIdle) };
}

type Changed = readonly { readonly file: string; readonly before: string; readonly after: string }[];

function rememberFiles(files: Loops['files'], task: TaskId, changed: Changed): Loops['files'] {
  if (changed.length === 0) return files;
  const next = { ...files };
  for (const { file, after } of changed) {
    // Behind the others: what nobody touches is the first to be forgotten.
    const known = next[file] ?? [];
    if (known.at(-1)?.hash === after) continue;
    const versions = [...known, { task, hash: after }].slice(-mostVersions);
    delete next[file];
    next[file] = versions;
  }
  const names = Object.keys(next);
  for (const name of names.slice(0, Math.max(0, names.length - mostFiles))) delete next[name];
  return next;
}

const pair = (task: string, blamed: string) => `${task}\n${blamed}`;

export function rememberBlame(loops: Loops, task: TaskId, blamed: readonly string[]): Loops {
  const others = new Set(blamed.filter((other) => other !== task));
  if (others.size === 0) return loops;
  const blames = { ...loops.blames };
  for (const other of others) blames[pair(task, other)] = (blames[pair(task, other)] ?? 0) + 1;
  for (const key of Object.keys(blames).slice(0, -mostBlames)) delete blames[key];
  return { ...loops, blames };
}

/** It was approved, or a person has taken it in hand: what it was rejected for is over. */
export function forgetBlame(loops: Loops, task: TaskId): Loops {
  const own = Object.keys(loops.blames).filter((key) => key.startsWith(`${task}\n`));
  if (own.length === 0) return loops;
  const blames = { ...loops.blames };
  for (const key of own) delete blames[key];
  return { ...loops, blames };
}

/** A circle through the task in which everybody was rejected for the next one at least so often; null if there is none. */
export function circleThrough({ blames }: Loops, task: TaskId, times: number): TaskId[] | null {
  const next = new Map<string, string[]>();
  for (const [key, count] of Object.entries(blames)) {
    const [from, to] = key.split('\n') as [string, string];
    if (count >= times) next.set(from, [...(next.get(from) ?? []), to]);
  }
  // Breadth first: the shortest circle is the one to show.
  const cameFrom = new Map<string, string>();
  const queue: string[] = [task];
  for (const at of queue) {
    for (const to of next.get(at) ?? []) {
      if (to === task) return wayTo(cameFrom, at);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, at);
      queue.push(to);
    }
  }
  return null;
}

function wayTo(cameFrom: ReadonlyMap<string, string>, last: string): TaskId[] {
  const way = [last];
  for (let at = cameFrom.get(last); at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way as TaskId[];
}

/** A file that goes back and forth between two versions: a, b, a, b. */
export function undoneFile({ files }: Loops, times: number): { file: string; tasks: TaskId[] } | null {
  for (const [file, versions] of Object.entries(files)) {
    const last = versions.slice(-2 * times);
    const [a, b] = last;
    if (last.length < 2 * times) continue;
    if (last.every(({ hash }, i) => hash === (i % 2 === 0 ? a : b)!.hash)) {
      return { file, tasks: [...new Set(last.map(({ task }) => task))] };
    }
  }
  return null;
}
