// Tasks of another tool as a native markdown plan. What a plan cannot say, or would say differently, is left out and told.
import type { TaskKeys } from '../../core/model/plan.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import type { ForeignPlan, ForeignTask, Losses } from '../read/foreign/foreign-task.ts';
import type { Draft } from '../read/raw-plan.ts';
import { type TaskText, writeTask } from './markdown/write-task.ts';

/** The text of the plan; it says `order: explicit`, because nothing but the named needs was meant. */
export function writeForeignPlan(plan: ForeignPlan, losses: Losses): string {
  const tree = new Tree(plan.tasks, losses);
  const lines = ['---', 'order: explicit', '---', `# ${oneLine(plan.title)}`, ''];
  for (const { task, depth } of tree.inOrder()) {
    const margin = '  '.repeat(depth);
    for (const line of writeForeign(tree, task, losses)) lines.push(line === '' ? '' : margin + line);
  }
  return `${lines.join('\n')}\n`;
}

/** Who is inside of whom, by index; ids that a plan can hold, each once. */
class Tree {
  readonly tasks: readonly ForeignTask[];
  readonly ids: readonly string[];
  readonly parents: readonly number[];
  readonly children: readonly number[][];
  readonly #index: ReadonlyMap<string, number>;

  constructor(tasks: readonly ForeignTask[], losses: Losses) {
    this.tasks = tasks;
    this.ids = idsFor(tasks, losses);
    const index = new Map<string, number>();
    // Some tools do not tell cases apart; the exact name goes first.
    tasks.forEach(({ id }, i) => {
      if (!index.has(id.toLowerCase())) index.set(id.toLowerCase(), i);
    });
    for (let i = tasks.length - 1; i >= 0; i--) index.set(tasks[i]!.id, i);
    this.#index = index;
    this.parents = parentsFor(tasks, (id) => this.find(id), losses);
    this.children = tasks.map(() => []);
    this.parents.forEach((parent, i) => {
      if (parent >= 0) this.children[parent]!.push(i);
    });
  }

  find(id: string): number | undefined {
    return this.#index.get(id) ?? this.#index.get(id.toLowerCase());
  }

  *inOrder(): Generator<{ task: number; depth: number }> {
    const open = this.tasks.map((_, task) => ({ task, depth: 0 })).filter(({ task }) => this.parents[task]! < 0);
    open.reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      yield next;
      const { task, depth } = next;
      for (const child of this.children[task]!.toReversed()) open.push({ task: child, depth: depth + 1 });
    }
  }

  isInside(task: number, group: number): boolean {
    for (let at = task; at >= 0; at = this.parents[at]!) if (at === group) return true;
    return false;
  }

  /** Every task below it, itself left out. */
  *inside(group: number): Generator<number> {
    const open = [...this.children[group]!];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      yield next;
      for (const child of this.children[next]!) open.push(child);
    }
  }
}

function idsFor(tasks: readonly ForeignTask[], losses: Losses): string[] {
  const taken = new Set<string>();
  return tasks.map(({ id }) => {
    const safe = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(id) ? id : safeId(id);
    let name = safe;
    for (let n = 2; taken.has(name); n++) name = `${safe}-${n}`;
    taken.add(name);
    if (name !== id) losses.add(`the id ${quoted(id)}: it is called ${quoted(name)}`);
    return name;
  });
}

const safeId = (id: string) =>
  id
    .slice(0, 80)
    .replace(/[^A-Za-z0-9._/-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '') || 'task';

function parentsFor(
  tasks: readonly ForeignTask[],
  find: (id: string) => number | undefined,
  losses: Losses,
): readonly number[] {
  const parents = tasks.map(({ id, parent }) => {
    if (parent === null) return -1;
    const found = find(parent);
    if (found === undefined) losses.add(`the group ${quoted(parent)}, which is not in the file`, id);
    return found ?? -1;
  });
  const settled = new Set<number>([-1]);
  tasks.forEach(({ id }, i) => {
    const way = new Set<number>();
    let at = i;
    for (; !settled.has(at) && !way.has(at); at = parents[at]!) way.add(at);
    if (way.has(at)) {
      losses.add('groups that are inside each other', id);
      parents[at] = -1;
    }
    for (const one of way) settled.add(one);
  });
  return parents;
}

function writeForeign(tree: Tree, i: number, losses: Losses): string[] {
  const task = tree.tasks[i]!;
  const isGroup = tree.children[i]!.length > 0;
  const text = {
    id: tree.ids[i]!,
    box: boxOf(tree, i, losses),
    optional: false,
    parallel: false,
    keys: keysOf(tree, i, losses),
    references: needsOf(tree, i, losses).map((id) => ({ kind: 'need' as const, text: id })),
  };
  const title = oneLine(task.title) || text.id;
  // What a group says about acceptance would be handed down to every task in it.
  const accept = isGroup && task.accept.length > 0 ? [`To be accepted:\n\n${task.accept.join('\n')}`] : [];
  const prompt = promptOf([...task.prompt, ...accept]);
  for (const spelled of [title, title.replace(/→|(?<![^\s)])[-~]>/g, '`$&`'), title.replace(/[()]/g, ' ')]) {
    const lines = writeTask({ ...text, title: oneLine(spelled), prompt });
    if (lines) return lines;
  }
  losses.add('titles that read as something else: they went to the text below', task.id);
  const whole: TaskText = { ...text, title: text.id, prompt: promptOf([title, ...task.prompt, ...accept]) };
  const lines = writeTask(whole);
  if (lines) return lines;
  losses.add('keys or texts that no line of a plan can hold', task.id);
  const bare = writeTask({ ...whole, keys: null }) ?? writeTask({ ...whole, keys: null, prompt: null });
  if (bare) return bare;
  throw new Error(`task ${quoted(task.id)} cannot be written`);
}

function keysOf(tree: Tree, i: number, losses: Losses): TaskKeys | null {
  const { id, accept, labels, priority } = tree.tasks[i]!;
  const around = tree.parents[i]! < 0 ? 0 : tree.tasks[tree.parents[i]!]!.priority;
  const keys: Draft<TaskKeys> = {};
  const criteria = accept.map(clean).filter((text) => text !== '');
  const names = labels.map(oneLine).filter((text) => text !== '' && !/[`,{}]|<!--/.test(text));
  if (names.length < labels.length) losses.add('labels with signs that a list of names cannot hold', id);
  if (criteria.length > 0 && tree.children[i]!.length === 0) keys.accept = criteria;
  if (names.length > 0) keys.labels = names;
  if (priority !== around) keys.priority = priority;
  return Object.keys(keys).length > 0 ? keys : null;
}

/** A box of a group counts for all inside it, so it is only ticked when they are. */
function boxOf(tree: Tree, i: number, losses: Losses): ForeignTask['state'] {
  const { state, id } = tree.tasks[i]!;
  if (state === 'open') return state;
  for (const inner of tree.inside(i)) {
    if (tree.tasks[inner]!.state === state) continue;
    losses.add(`the mark of a group as ${state}: not all of its tasks are ${state}`, id);
    return 'open';
  }
  return state;
}

function needsOf(tree: Tree, i: number, losses: Losses): string[] {
  const { id, needs } = tree.tasks[i]!;
  const found = new Set<string>();
  for (const need of needs) {
    const other = tree.find(need);
    if (other === undefined) losses.add(`the need of ${quoted(need)}, which is not in the file`, id);
    else if (tree.isInside(i, other) || tree.isInside(other, i))
      losses.add(`the need of ${quoted(need)}, which is itself, around it, or inside it`, id);
    else found.add(tree.ids[other]!);
  }
  return [...found];
}

function promptOf(paragraphs: readonly string[]): string | null {
  const text = paragraphs
    .map(clean)
    .filter((part) => part !== '')
    .join('\n\n');
  return text === '' ? null : text;
}

/** One kind of line end, nothing that no file could hold, no empty lines around it. */
const clean = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\0|\p{Cs}/gu, '\ufffd')
    .replace(/^\s*\n|\s+$/g, '');

const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();
