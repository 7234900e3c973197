// What is remembered to recognise work that goes on without getting anywhere. Bounded, and forgotten with the first progress.
import type { AttemptEnded } from './event.ts';
import type { TaskId } from './ids.ts';
import type { Loops } from './state.ts';

const mostIdle = 20;
const mostFiles = 200;
const mostVersions = 8;

/** An attempt of an agent that changed nothing counts; one that changed something, or of which nobody knows, starts anew. */
export function rememberAttempt(loops: Loops, { task, attempt, evidence }: AttemptEnded): Loops {
  if (evidence === undefined) return loops;
  const idle = evidence.changed === false ? [...loops.idle, attempt].slice(-mostIdle) : [];
  return { ...loops, idle, files: rememberFiles(loops.files, task, evidence.files ?? []) };
}

type Changed = readonly { readonly file: string; readonly before: string; readonly after: string }[];

function rememberFiles(files: Loops['files'], task: TaskId, changed: Changed): Loops['files'] {
  if (changed.length === 0) return files;
  const next = { ...files };
  for (const { file, after } of changed) {
    // Behind the others: what nobody touches is the first to be forgotten.
    const versions = [...(next[file] ?? []), { task, hash: after }].slice(-mostVersions);
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
  return { ...loops, blames };
}

/** It was approved, or a person has taken it in hand: what it was rejected for is over. And something was done. */
export function forgetBlame(loops: Loops, task: TaskId): Loops {
  const blames = Object.fromEntries(Object.entries(loops.blames).filter(([key]) => !key.startsWith(`${task}\n`)));
  return { ...loops, idle: [], blames };
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
    if (last.length < 2 * times || a!.hash === b!.hash) continue;
    if (last.every(({ hash }, i) => hash === (i % 2 === 0 ? a : b)!.hash)) {
      return { file, tasks: [...new Set(last.map(({ task }) => task))] };
    }
  }
  return null;
}
