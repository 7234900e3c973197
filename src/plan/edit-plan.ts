// Writes a change of a plan's shape into its file, by touching only the lines it is about. Nothing is guessed: each way of writing
// it is read back, and the first that says exactly what the change made of the plan is taken. None: the file stays as it is, with a reason.

import type { Restructure } from '../core/commands/restructure.ts';
import type { Plan, Task } from '../core/model/plan.ts';

export interface Edit {
  readonly text: string;
  readonly change: Restructure;
  /** As the file says it now, and what it is to say. */
  readonly before: Plan;
  readonly after: Plan;
  readonly read: (text: string) => Plan | null;
}

export type Edited =
  | { readonly ok: true; readonly text: string }
  /** The end of a sentence. */
  | { readonly ok: false; readonly because: string };

export function editPlan(edit: Edit): Edited {
  const wanted = meaningOf(edit.after);
  const texts = [...candidates(edit)].filter((text) => text !== edit.text);
  let closest: Plan | null = null;
  // Without its last named need, a plan that does not say its order would be read in another one.
  for (const text of [...texts, ...texts.flatMap((one) => withOrder(one, edit))]) {
    const plan = edit.read(text);
    if (plan !== null && meaningOf(plan) === wanted) return { ok: true, text };
    closest ??= plan;
  }
  return { ok: false, because: closest === null ? noWords(edit.change) : otherMeaning(closest, edit.after) };
}

function noWords(change: Restructure): string {
  if (change.kind === 'merge') return `a plan file cannot say that ${change.from} is a part of ${change.into}`;
  if (change.kind === 'move') return `${change.phase} has no task that ${change.task} could stand behind`;
  return `the lines of ${change.task} do not name ${change.need} in a form that Signalbox can take out`;
}

function otherMeaning(found: Plan, wanted: Plan): string {
  const meanings = new Map(wanted.tasks.map((task) => [task.id, meaningOf({ ...wanted, tasks: [task] })]));
  const others = found.tasks.filter((task) => meanings.get(task.id) !== meaningOf({ ...wanted, tasks: [task] }));
  if (others.length === 0) return `the file would then be read with \`order: ${found.order}\``;
  return `the file would then say something else about ${others.map(({ id }) => id).join(', ')}`;
}

/** With the order that holds now, in the front matter or at the top of YAML. */
function withOrder(text: string, { before, after }: Edit): string[] {
  if (before.order !== after.order) return [];
  const [, mark = '', rest = ''] = /^(\uFEFF?)(.*)$/s.exec(text)!;
  const end = rest.includes('\r\n') ? '\r\n' : '\n';
  const line = `order: ${after.order}${end}`;
  const atKey = /^(?=[a-z][\w-]*:(?:\s|$))/im;
  return [
    ...(/^---[ \t]*\r?\n/.test(rest) ? [mark + rest.replace(/^.*\n/, (fence) => fence + line)] : []),
    `${mark}---${end}${line}---${end}${rest}`,
    mark + rest.replace(atKey, line),
  ];
}

/** All but where it stands in the file. */
function meaningOf({ tasks, ...plan }: Plan): string {
  return JSON.stringify([
    plan,
    tasks.map(({ line: _, ...task }) => Object.entries(task).sort(([a], [b]) => (a < b ? -1 : 1))),
  ]);
}

function candidates(edit: Edit): Iterable<string> {
  const { change } = edit;
  if (change.kind === 'drop-need') return withoutNeed(edit, change.task, change.need);
  return change.kind === 'move' ? moved(edit, change.task) : [];
}

function* withoutNeed({ text, before }: Edit, id: string, need: string): Generator<string> {
  const lines = text.split('\n');
  const { from, to } = blockOf(before, id, lines.length);
  for (let at = from; at < to; at++) {
    for (const line of withoutName(lines[at]!, need)) {
      yield lines.with(at, line).join('\n');
      // A list or a key that is empty now.
      if (/^\s*(?:[-*]\s+)?(?:needs:\s*(?:\[\s*\])?|-)?\s*$/.test(line)) yield lines.toSpliced(at, 1).join('\n');
      // A block list that lost its only entry, with the key above it.
      if (at > from && /^\s*-?\s*$/.test(line)) yield lines.toSpliced(at - 1, 2).join('\n');
    }
  }
}

/** The line without the name, and without what only stood there for it. */
function* withoutName(line: string, name: string): Generator<string> {
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const quoted = `["'\`]?${word}["'\`]?`;
  const bounds = `(?<![\\w.-])${quoted}(?![\\w.-]*[\\w-])`;
  yield line.replace(new RegExp(`\\s*,\\s*${bounds}`), '');
  yield line.replace(new RegExp(`${bounds}\\s*,\\s*`), '');
  yield line.replace(new RegExp(`\\s*(?:→|->)\\s*${bounds}`), '');
  yield line.replace(new RegExp(`\\s*\\((?:depends(?: on)?|needs|after|blocked by):?\\s*${bounds}\\)`, 'i'), '');
  yield line.replace(new RegExp(`,?\\s*needs:\\s*(?:\\[\\s*)?${bounds}(?:\\s*\\])?\\s*(?=[,}]|$)`), '');
  yield line.replace(new RegExp(`\\s+${bounds}`), '');
}

/** From the line of the task to that of the next one that is not inside it. */
function blockOf({ tasks }: Plan, id: string, end: number): { readonly from: number; readonly to: number } {
  const i = tasks.findIndex((task) => task.id === id);
  let next = i + 1;
  while (next < tasks.length && isInside(tasks, next, i)) next++;
  return { from: tasks[i]!.line - 1, to: next < tasks.length ? tasks[next]!.line - 1 : end };
}

function isInside(tasks: readonly Task[], task: number, group: number): boolean {
  for (let at: number | undefined = task; at !== undefined; at = tasks[at]!.parent) if (at === group) return true;
  return false;
}

/** Its lines, behind those of the last task of the phase. */
function* moved({ text, before, after }: Edit, id: string): Generator<string> {
  const lines = text.split('\n');
  const place = after.tasks.findIndex((task) => task.id === id);
  const { phase } = after.tasks[place]!;
  const neighbour = before.tasks.findLast(
    (task) => task.phase === phase && task.parent === undefined && task.id !== id,
  );
  if (neighbour === undefined) return;
  const own = trimmed(lines, blockOf(before, id, lines.length));
  const behind = trimmed(lines, blockOf(before, neighbour.id, lines.length)).to;
  const block = lines.slice(own.from, own.to);
  yield [...lines.slice(0, own.from), ...lines.slice(own.to, behind), ...block, ...lines.slice(behind)].join('\n');
}

/** Headings and empty lines behind a task are not its own. */
function trimmed(lines: readonly string[], { from, to }: { readonly from: number; readonly to: number }) {
  let end = lines.findIndex((line, at) => at > from && at < to && /^#{1,6}\s/.test(line));
  if (end === -1) end = to;
  while (end > from + 1 && lines[end - 1]!.trim() === '') end--;
  return { from, to: end };
}
