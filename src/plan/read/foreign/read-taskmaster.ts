// Task Master's `tasks.json`: one list of tasks per tag, or in older files one list alone. Subtasks are numbered inside their
// task, and a dependency of a subtask that is a bare number means a sibling.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';
import { type ForeignPlan, type ForeignTask, type Losses, tooManyTasks } from './foreign-task.ts';
import { isMap, type JsonMap, listOf, otherFields, own, parseJson, textOf } from './json-value.ts';

export interface TaskmasterOptions {
  /** Which list; `master`, or the only one, by default. */
  readonly tag: string | undefined;
}

export function readTaskmaster(
  text: string,
  options: TaskmasterOptions,
  losses: Losses,
  report: Report,
): ForeignPlan | null {
  const root = parseJson(text, 1, report);
  if (root === undefined) return null;
  const lists = isMap(root) ? tagsOf(root) : new Map<string, JsonMap>();
  const names = [...lists.keys()];
  const tag = options.tag ?? (lists.has('master') ? 'master' : names[0]);
  const list = tag === undefined ? undefined : lists.get(tag);
  if (list === undefined || tag === undefined) {
    const message =
      names.length === 0 ? 'this is not a `tasks.json` of Task Master' : `there is no tag ${quoted(tag ?? '')} in it`;
    const help =
      names.length === 0
        ? 'it has a list `tasks`, or one under each tag: `{"master": {"tasks": […]}}`'
        : `its tags are ${names.map(quoted).join(', ')}`;
    report.error({ code: 'wrong-tool', message, line: 1, column: 1, help });
    return null;
  }
  for (const other of names) {
    if (other === tag) continue;
    const { length } = listOf(lists.get(other)!, 'tasks');
    losses.add(`the tag ${quoted(other)} with ${length} ${length === 1 ? 'task' : 'tasks'}; name it with --tag`);
  }
  // Before a task is made of each.
  if (listOf(list, 'tasks').length > mostTasks) {
    report.error(tooManyTasks);
    return null;
  }
  return { title: titleOf(list, tag), tasks: tasksOf(list, losses) };
}

function tagsOf(root: JsonMap): Map<string, JsonMap> {
  if (Array.isArray(own(root, 'tasks'))) return new Map([['master', root]]);
  const tags = Object.entries(root).filter(([, value]) => isMap(value) && Array.isArray(own(value, 'tasks')));
  return new Map(tags as [string, JsonMap][]);
}

function titleOf(list: JsonMap, tag: string): string {
  const about = ['metadata', 'meta'].map((name) => own(list, name)).find(isMap);
  return (about && textOf(about, 'projectName', 'name')) || (tag === 'master' ? 'Tasks of Task Master' : tag);
}

const known = new Set(
  'id title description details testStrategy status dependencies priority subtasks parentTaskId parentId'.split(' '),
);

function tasksOf(list: JsonMap, losses: Losses): ForeignTask[] {
  const tasks: ForeignTask[] = [];
  const waiting: { map: JsonMap; parent: string | null; siblings: ReadonlySet<string> }[] = [];
  const add = (maps: readonly unknown[], parent: string | null) => {
    const siblings = new Set(maps.filter(isMap).map((map) => textOf(map, 'id')));
    const found = maps.filter(isMap).map((map) => ({ map, parent, siblings }));
    if (found.length < maps.length) losses.add('entries that are no tasks', parent ?? undefined);
    // The last first: they are taken from the end.
    for (const one of found.reverse()) waiting.push(one);
  };
  add(listOf(list, 'tasks'), null);
  // One more than a plan has is enough to see that there are too many.
  for (let next = waiting.pop(); next && tasks.length <= mostTasks; next = waiting.pop()) {
    const { map, parent, siblings } = next;
    const own = textOf(map, 'id');
    const id = parent === null || own.includes('.') ? own : `${parent}.${own}`;
    const needs = listOf(map, 'dependencies').map((need) => {
      const name = String(need).trim();
      return parent !== null && !name.includes('.') && siblings.has(name) ? `${parent}.${name}` : name;
    });
    tasks.push(taskOf(map, { id, parent, needs }, losses));
    add(listOf(map, 'subtasks'), id);
  }
  return tasks;
}

function taskOf(map: JsonMap, place: Pick<ForeignTask, 'id' | 'parent' | 'needs'>, losses: Losses): ForeignTask {
  const status = textOf(map, 'status').toLowerCase();
  const state = states.get(status) ?? 'open';
  if (!states.has(status)) losses.add(`the status ${quoted(status)}: it starts as pending`, place.id);
  for (const name of otherFields(map, known)) losses.add(`the field ${quoted(name)}`, place.id);
  const strategy = textOf(map, 'testStrategy');
  return {
    ...place,
    title: textOf(map, 'title'),
    state,
    prompt: [textOf(map, 'description'), textOf(map, 'details')],
    accept: strategy === '' ? [] : [strategy],
    labels: [],
    priority: priorities.get(textOf(map, 'priority').toLowerCase()) ?? 0,
  };
}

const states: ReadonlyMap<string, ForeignTask['state']> = new Map([
  ['', 'open'],
  ['pending', 'open'],
  ['done', 'completed'],
  ['completed', 'completed'],
  ['cancelled', 'skipped'],
]);

const priorities: ReadonlyMap<string, number> = new Map([
  ['critical', 2],
  ['high', 1],
  ['medium', 0],
  ['low', -1],
]);
