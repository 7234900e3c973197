// The memory that recognises work without progress. It is bounded, and cleared by the first progress.
import type { AttemptEnded } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { EndedAttempt, Loops } from './state.ts';

const mostIdle = 20;
const mostBlames = 1_000;
const mostFiles = 200;
const mostVersions = 20;

/** An agent's attempt that changed something, or may have, resets the count of idle ones. */
export function rememberAttempt(loops: Loops, { task, evidence }: AttemptEnded): Loops {
  if (evidence === undefined) return loops;
  const idle = evidence.changed === false ? loops.idle : [];
  return { ...loops, idle, files: rememberFiles(loops.files, task, evidence.files ?? []) };
}

/** An attempt without a change counts once it is judged: until then its check or review may still complete the task. */
export function rememberIdle(loops: Loops, ended: EndedAttempt | null): Loops {
  if (ended?.evidence?.changed !== false) return loops;
  return { ...loops, idle: [...loops.idle, ended.attempt].slice(-mostIdle) };
}

type Changed = readonly { readonly file: string; readonly before: string; readonly after: string }[];

function rememberFiles(files: Loops['files'], task: TaskId, changed: Changed): Loops['files'] {
  if (changed.length === 0) return files;
  const next = { ...files };
  for (const { file, after } of changed) {
    // Moved to the end: files that were not touched for longest are forgotten first.
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

/** It was approved, or a person took over: earlier rejections no longer count. */
export function forgetBlame(loops: Loops, task: TaskId): Loops {
  const own = Object.keys(loops.blames).filter((key) => key.startsWith(`${task}\n`));
  if (own.length === 0) return loops;
  const blames = { ...loops.blames };
  for (const key of own) delete blames[key];
  return { ...loops, blames };
}

/** A circle through the task in which each was rejected for the next one at least this often; null: none. */
export function circleThrough({ blames }: Loops, task: TaskId, times: number): TaskId[] | null {
  const next = new Map<string, string[]>();
  for (const [key, count] of Object.entries(blames)) {
    const [from, to] = key.split('\n') as [string, string];
    if (count >= times) next.set(from, [...(next.get(from) ?? []), to]);
  }
  // Breadth first, to show the shortest circle.
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
