// From references as they were written to ids that exist: ranges expanded, each id once, nothing that can never hold.
import { type TaskId, taskId } from '../core/ids.ts';
import { quoted } from './diagnostic.ts';
import type { Ids } from './ids.ts';
import { nearest, patience } from './nearest.ts';
import { type RangeReading, Ranges } from './ranges.ts';
import type { RawTask, Reference } from './raw-plan.ts';
import type { Report } from './report.ts';

export interface Resolved {
  readonly needs: readonly TaskId[] | undefined;
  readonly prefers: readonly TaskId[] | undefined;
}

/** More than this, from ranges of ranges, would not fit into memory. */
const mostDependencies = 5_000_000;

export class NeedsResolver {
  private readonly tasks: readonly RawTask[];
  private readonly ids: Ids;
  private readonly report: Report;
  private readonly ranges: Ranges;
  /** By task: the first one behind it that is not inside it. */
  private readonly after: Int32Array;
  private readonly patience = patience();
  private total = 0;
  // What the task in hand names, before it is copied: a list that grows keeps room for sixteen more.
  private readonly needs: TaskId[] = [];
  private readonly prefers: TaskId[] = [];
  /** Everything that was resolved stands wholly before the task that names it. */
  onlyBackwards = true;

  constructor(tasks: readonly RawTask[], ids: Ids, report: Report) {
    this.tasks = tasks;
    this.ids = ids;
    this.report = report;
    this.ranges = new Ranges(ids.index);
    this.after = subtreeEnds(tasks);
  }

  resolve(task: number): Resolved {
    const { references } = this.tasks[task]!;
    if (references === null) return independent;
    const { needs, prefers } = this;
    needs.length = 0;
    prefers.length = 0;
    for (const reference of references) {
      const into = reference.kind === 'need' ? needs : prefers;
      const other = this.ids.index.get(reference.text);
      if (other !== undefined) this.add(task, other, reference, into);
      else for (const id of this.idsOf(reference)) this.add(task, this.ids.index.get(id)!, reference, into);
    }
    this.total += needs.length + prefers.length;
    const needed = each(needs);
    const preferred = each(prefers);
    // A need is the stronger word for the same thing.
    return { needs: needed, prefers: needed && preferred ? except(preferred, needed) : preferred };
  }

  /** Tasks that are only listed, in the order of the file: without those inside another of the list. */
  list(references: readonly Reference[]): number[] {
    const named = references.flatMap((reference) => {
      const known = this.ids.index.get(reference.text);
      return known === undefined ? this.idsOf(reference).map((id) => this.ids.index.get(id)!) : [known];
    });
    return this.outermost([...new Set(named)].sort((a, b) => a - b));
  }

  /** A group and all inside it are one run of tasks, so what is inside stands behind it. */
  private outermost(sorted: readonly number[]): number[] {
    let end = 0;
    return sorted.filter((task) => {
      if (task < end) return false;
      end = this.after[task]!;
      return true;
    });
  }

  private idsOf(reference: Reference): readonly string[] {
    const { index } = this.ids;
    const { text } = reference;
    if (this.total > mostDependencies) {
      this.error(reference, 'too-many-needs', `this plan names more than ${mostDependencies} dependencies`);
      this.total = Number.NEGATIVE_INFINITY;
      return [];
    }
    const trimmed = /[.:]$/.test(text) ? text.slice(0, -1) : text;
    if (trimmed !== text && index.has(trimmed)) return [trimmed];
    const range = this.ranges.read(trimmed);
    if (range !== null) return this.idsOfRange(reference, range);
    if (!filler.has(text.toLowerCase())) this.unknown(reference, text);
    return [];
  }

  private idsOfRange(reference: Reference, range: RangeReading): readonly string[] {
    if (range.kind === 'missing') this.unknown(reference, range.end);
    else if (range.kind === 'backwards') {
      const help = 'a range goes from the lower number to the higher one: `1.1-1.3`';
      this.error(reference, 'bad-range', `the range ${quoted(reference.text)} holds nothing`, help);
    } else {
      this.total += range.ids.length;
      return range.ids;
    }
    return [];
  }

  private unknown(reference: Reference, id: string): void {
    const meant = nearest(id, this.ids.index.keys(), this.patience);
    const within = id === reference.text ? '' : `, the end of the range ${quoted(reference.text)}`;
    this.error(
      reference,
      'unknown-id',
      `there is no task ${quoted(id)}${within}`,
      meant === undefined ? this.known() : `did you mean ${quoted(meant)}?`,
    );
  }

  /** In a small plan the ids themselves are the best help. */
  private known(): string | undefined {
    const { index } = this.ids;
    return index.size > 12 ? undefined : `the ids of this plan are ${[...index.keys()].map(quoted).join(', ')}`;
  }

  /** A task cannot wait for itself, for what it is part of, or for its own parts. */
  private add(task: number, other: number, reference: Reference, into: TaskId[]): void {
    const isAround = other <= task && task < this.after[other]!;
    const isInside = task < other && other < this.after[task]!;
    if (task < this.after[other]!) this.onlyBackwards = false;
    if (!isAround && !isInside) into.push(taskId(this.ids.of[other]!));
    else this.circular(task, other, reference);
  }

  private circular(task: number, other: number, reference: Reference): void {
    const verb = reference.kind === 'need' ? 'need' : 'prefer';
    const name = quoted(this.ids.of[task]!);
    const id = quoted(this.ids.of[other]!);
    if (other === task) this.error(reference, 'self-need', `task ${name} cannot ${verb} itself`);
    else if (other < task) {
      this.error(reference, 'need-of-group', `task ${name} cannot ${verb} ${id}, the group it is part of`);
    } else {
      const help = 'a group is completed by its subtasks anyway';
      this.error(reference, 'need-of-subtask', `group ${name} cannot ${verb} its own subtask ${id}`, help);
    }
  }

  private error({ line, column, text }: Reference, code: string, message: string, help?: string): void {
    this.report.error({ code, message, line, column, length: text.length, help });
  }
}

const independent: Resolved = { needs: undefined, prefers: undefined };

/** Each id once, in the order of the first, as a list of its own; undefined for none at all. */
function each(ids: readonly TaskId[]): TaskId[] | undefined {
  if (ids.length === 0) return undefined;
  if (ids.length === 1 || (ids.length === 2 && ids[0] === ids[1])) return [ids[0]!];
  return ids.length === 2 ? [ids[0]!, ids[1]!] : [...new Set(ids)];
}

function except(ids: TaskId[], others: readonly TaskId[]): TaskId[] | undefined {
  const gone = new Set(others);
  const rest = ids.filter((id) => !gone.has(id));
  return rest.length > 0 ? rest : undefined;
}

/** What people write between or instead of ids. */
const filler = new Set(['and', 'task', 'tasks', 'none', '+', '-', '–', '—']);

/** Tasks stand in the order of the file, so a group and all inside it are one run of them. */
function subtreeEnds(tasks: readonly RawTask[]): Int32Array {
  const after = new Int32Array(tasks.length);
  for (let i = tasks.length - 1; i >= 0; i--) {
    if (after[i] === 0) after[i] = i + 1;
    const { parent } = tasks[i]!;
    if (parent >= 0 && after[parent]! < after[i]!) after[parent] = after[i]!;
  }
  return after;
}
