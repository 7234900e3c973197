// Gives every task its id: the author's, checked and unique, or a slug of the title.
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { RawTask } from '../read/raw-plan.ts';

export interface Ids {
  /** By task. */
  readonly of: readonly string[];
  /** The task that has an id. */
  readonly index: ReadonlyMap<string, number>;
}

/** The author's ids come first, so that no slug takes one of them. */
export function nameTasks(tasks: readonly RawTask[], report: Report): Ids {
  const of = new Array<string>(tasks.length);
  const index = new Map<string, number>();
  for (let i = 0; i < tasks.length; i++) {
    const task = tasks[i]!;
    if (task.id === null) continue;
    // `ö` can be written with one character or with two.
    const id = task.id.normalize('NFC');
    of[i] = id;
    const first = index.get(id);
    if (first === undefined) index.set(id, i);
    else duplicate(task, tasks[first]!, report);
    if (!wellFormed.test(task.id)) malformed(task, report);
  }
  const taken = new Map<string, number>();
  for (let i = 0; i < tasks.length; i++) {
    if (tasks[i]!.id === null) of[i] = nameBySlug(tasks[i]!, i, { index, taken }, report);
  }
  return { of, index };
}

// No `#` (attempts are `<task>#<n>`), white space, control or format characters, quotes, commas.
const wellFormed = /^[^#\s\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2066-\u2069'"`,]{1,200}$/u;

function nameBySlug(
  task: RawTask,
  i: number,
  names: { readonly index: Map<string, number>; readonly taken: Map<string, number> },
  report: Report,
): string {
  const slug = slugOf(task.title);
  let id = slug;
  let n = names.taken.get(slug) ?? 1;
  while (names.index.has(id)) id = `${slug}-${++n}`;
  names.taken.set(slug, n);
  names.index.set(id, i);
  if (id !== slug) {
    report.warning({
      code: 'equal-slug',
      message: `another task is called ${quoted(slug)}, so this one is ${quoted(id)}`,
      line: task.line,
      column: task.column,
      length: Math.max(1, task.title.length),
      help: 'give it an id of its own: `id: title`, in YAML the key `id`',
    });
  }
  return id;
}

export function slugOf(title: string): string {
  const slug = title
    .slice(0, 400)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = slug.length <= 80 ? slug : slug.slice(0, 80).replace(/-[^-]*$/, '');
  // Cutting can leave half of a surrogate pair.
  return short.replace(/[\ud800-\udbff]$/, '') || 'task';
}

function duplicate(task: RawTask, first: RawTask, report: Report): void {
  report.error({
    code: 'duplicate-id',
    message: `two tasks have the id ${quoted(task.id!)}`,
    ...placeOfId(task, report),
    help: `the first is in line ${first.line}; ids are unique in the whole plan, also among subtasks`,
  });
}

function malformed(task: RawTask, report: Report): void {
  report.error({
    code: 'bad-id',
    message: `${quoted(task.id!)} cannot be an id`,
    ...placeOfId(task, report),
    help: 'ids have 1 to 200 characters, without `#`, spaces, commas, quotes, control and invisible characters',
  });
}

/** Behind the signs that set it off: `**`, a backtick, a quote, the word "Task". */
function placeOfId({ id, line, column }: RawTask, report: Report): Place & { length: number } {
  const found = report.lineAt(line).indexOf(id!, column - 1);
  const isNear = found >= 0 && found <= column + 6;
  return { line, column: isNear ? found + 1 : column, length: Math.max(1, id!.length) };
}
