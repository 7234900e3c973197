// Keys of `files:`, `reads:` and `locks:` that nothing can be locked by: outside the workspace, absolute, or no pattern at all.
import type { Plan, TaskKeys } from '../../core/model/plan.ts';
import type { ResourceReading } from '../../locks/resource.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';

/** What a key stands for that leads through links, or where it ends, as the end of a sentence. Null: through none. */
export type FollowLinks = (key: string) => string | null | { readonly problem: string };

/** Reads a key as a resource. */
export type ReadKey = (key: string) => ResourceReading;

const lockLists = ['files', 'reads', 'locks'] as const;

/** What many tasks inherit from one place is told once, for the first of them. */
export function checkLockKeys({ tasks }: Plan, report: Report, readKey: ReadKey, follow?: FollowLinks): void {
  const seen = new Set<TaskKeys | readonly string[]>();
  for (const [at, { id, line, keys }] of tasks.entries()) {
    if (seen.has(keys)) continue;
    seen.add(keys);
    for (const name of lockLists) {
      const texts = keys[name];
      if (!texts || seen.has(texts)) continue;
      seen.add(texts);
      for (const text of texts) {
        const problem = problemOf(text, readKey, follow);
        if (problem === null) continue;
        report.error({
          code: 'bad-lock-key',
          message: `${quoted(text)} in \`${name}\` of ${quoted(id)} ${problem}`,
          ...placeOf(text, { from: line, to: tasks[at + 1]?.line ?? line + mostLines }, report),
          help: 'paths and globs start at the root of the workspace; anything else has a name such as `db:test`',
        });
      }
    }
  }
}

function problemOf(text: string, readKey: ReadKey, follow: FollowLinks | undefined): string | null {
  const read = readKey(text);
  if (!read.ok) return read.problem;
  const found = follow?.(text) ?? null;
  return found === null || typeof found === 'string' ? null : found.problem;
}

/** The plan with what its keys stand for, so that two names of one file are one lock. What is shared stays shared. */
export function followLinks(plan: Plan, follow: FollowLinks): Plan {
  const links = new Map<string, string>();
  const lists = new Map<readonly string[], readonly string[]>();
  const known = new Map<TaskKeys, TaskKeys>();
  const listOf = (texts: readonly string[]) => {
    const found = lists.get(texts) ?? texts.map((text) => linkOf(text, follow, links));
    lists.set(texts, found);
    return found;
  };
  const keysOf = (keys: TaskKeys): TaskKeys => {
    const before = links.size;
    const changed: { -readonly [Key in keyof TaskKeys]?: TaskKeys[Key] } = {};
    for (const name of lockLists) if (keys[name]) changed[name] = listOf(keys[name]);
    // Most lead through no link, and stay the object that they are.
    const isSame = links.size === before && lockLists.every((name) => !keys[name]?.some((text) => links.has(text)));
    return isSame ? keys : { ...keys, ...changed };
  };
  const tasks = plan.tasks.map((task) => {
    const keys = known.get(task.keys) ?? keysOf(task.keys);
    known.set(task.keys, keys);
    return keys === task.keys ? task : { ...task, keys };
  });
  return links.size === 0 ? plan : { ...plan, tasks, links: Object.fromEntries(links) };
}

function linkOf(text: string, follow: FollowLinks, links: Map<string, string>): string {
  const found = follow(text);
  if (typeof found !== 'string') return text;
  links.set(text, found);
  return found;
}

/** A task with more lines than this has its keys somewhere at the top. */
const mostLines = 100;

/** Where the key is written: under the task, else above it, for all of them; the task itself when it is not found. */
function placeOf(text: string, { from, to }: { readonly from: number; readonly to: number }, report: Report) {
  const lines = [
    ...range(from, Math.min(Math.max(to, from + 1), from + mostLines)),
    ...range(1, Math.min(from, mostLines)),
  ];
  for (const line of lines) {
    const at = report.lineAt(line).indexOf(text);
    if (at !== -1) return { line, column: at + 1, length: text.length };
  }
  return { line: from, column: 1 };
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
