// From references as they were written to ids that exist: ranges expanded, each id once, nothing that can never hold.
import { type TaskId, taskId } from '../../core/model/ids.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';
import type { RawTask, Reference } from '../read/raw-plan.ts';
import type { Ids } from './ids.ts';
import { NeedHelp } from './need-help.ts';
import { type RangeReading, Ranges } from './ranges.ts';

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
  private readonly help: NeedHelp;
  private total = 0;
  /** In hand. */
  private task = -1;

  constructor(tasks: readonly RawTask[], ids: Ids, report: Report) {
    this.tasks = tasks;
    this.ids = ids;
    this.report = report;
    this.ranges = new Ranges(ids.index);
    this.after = subtreeEnds(tasks);
    this.help = new NeedHelp(tasks, ids);
  }

  resolve(task: number): Resolved {
    const { references } = this.tasks[task]!;
    if (references === null) return independent;
    const needs: TaskId[] = [];
    const prefers: TaskId[] = [];
    this.task = task;
    for (const reference of withoutSentences(references, (text) => this.isUnknown(text))) {
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
      this.error(
        reference,
        'too-many-needs',
        `this plan names more than ${mostDependencies} dependencies`,
        'a need of a group is one need of all that is in it',
      );
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

  private isUnknown(text: string): boolean {
    const { index } = this.ids;
    return !index.has(text) && !index.has(text.replace(/[.:]$/, '')) && this.ranges.read(text) === null;
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

  /** What the task in hand names, and itself: none of them was meant by a word that is no id. */
  private get named(): ReadonlySet<string> {
    const references = this.tasks[this.task]?.references ?? [];
    return new Set([this.ids.of[this.task] ?? '', ...references.map(({ text }) => text)]);
  }

  private unknown(reference: Reference, id: string): void {
    if (this.report.isFull('error', 'unknown-id')) return this.report.count('error', 'unknown-id');
    const within = id === reference.text ? '' : `, one end of the range ${quoted(reference.text)}`;
    const isEnd = within !== '';
    const help = isEnd
      ? 'a range goes from one task that exists to another one: `1.1-1.3`'
      : this.help.for(id, this.named);
    this.error(reference, 'unknown-id', `there is no task ${quoted(id)}${within}`, help);
  }

  /** A task cannot wait for itself, for what it is part of, or for its own parts. */
  private add(task: number, other: number, reference: Reference, into: TaskId[]): void {
    const isAround = other <= task && task < this.after[other]!;
    const isInside = task < other && other < this.after[task]!;
    if (!isAround && !isInside) into.push(taskId(this.ids.of[other]!));
    else this.circular(task, other, reference);
  }

  private circular(task: number, other: number, reference: Reference): void {
    const verb = reference.kind === 'need' ? 'need' : 'prefer';
    const name = quoted(this.ids.of[task]!);
    const id = quoted(this.ids.of[other]!);
    if (other === task) {
      const help = 'take it out, or name the task that was meant';
      this.error(reference, 'self-need', `task ${name} cannot ${verb} itself`, help);
    } else if (other < task) {
      const help = 'take it out: what its group needs, it waits for anyway';
      this.error(reference, 'need-of-group', `task ${name} cannot ${verb} ${id}, the group it is part of`, help);
    } else {
      const help = 'a group is completed by its subtasks anyway';
      this.error(reference, 'need-of-subtask', `group ${name} cannot ${verb} its own subtask ${id}`, help);
    }
  }

  private error({ line, column, text }: Reference, code: string, message: string, help?: string): void {
    this.report.error({ code, message, line, column, length: text.length, help });
  }
}

/** Words of a sentence stand side by side without a comma; none of them is an id, so one mistake is told for all. */
function withoutSentences(
  references: readonly Reference[],
  isUnknown: (text: string) => boolean,
): readonly Reference[] {
  if (references.length < 2) return references;
  const joined: Reference[] = [];
  /** The words of the sentence that is being read; its first one is the last of `joined`. */
  let words: string[] = [];
  let before: Reference | null = null;
  const finish = () => {
    if (words.length > 1) joined.push({ ...joined.pop()!, text: words.join(' ') });
  };
  const isWord = ({ text }: Reference) =>
    isUnknown(text) && (!filler.has(text) || (words.length > 0 && /^tasks?$/.test(text)));
  for (const reference of withoutBrackets(references)) {
    const isNext =
      before?.line === reference.line &&
      before.kind === reference.kind &&
      before.column + before.text.length + 1 === reference.column;
    if (isNext && words.length > 0 && isWord(reference)) words.push(reference.text);
    else {
      finish();
      words = isWord(reference) ? [reference.text] : [];
      joined.push(reference);
    }
    before = reference;
  }
  finish();
  return joined;
}

/** `[a, b]` is one mistake, and not one for each end of it. */
function withoutBrackets(references: readonly Reference[]): readonly Reference[] {
  if (!references.some(({ text }) => text.startsWith('['))) return references;
  const joined: Reference[] = [];
  let isOpen = false;
  for (const reference of references) {
    const last = joined[joined.length - 1];
    if (isOpen && last) joined[joined.length - 1] = { ...last, text: `${last.text}, ${reference.text}` };
    else joined.push(reference);
    const { text } = reference;
    isOpen = (isOpen || text.startsWith('[')) && !text.endsWith(']') && !text.endsWith(')');
  }
  return joined;
}

const independent: Resolved = { needs: undefined, prefers: undefined };

/** Each id once, in the order of the first; undefined for none at all. */
const each = (ids: readonly TaskId[]): TaskId[] | undefined => (ids.length === 0 ? undefined : [...new Set(ids)]);

function except(ids: TaskId[], others: readonly TaskId[]): TaskId[] | undefined {
  const gone = new Set(others);
  const rest = ids.filter((id) => !gone.has(id));
  return rest.length > 0 ? rest : undefined;
}

/** What people write between or instead of ids. */
export const filler = new Set(['and', 'task', 'tasks', 'none', '+', '-', '–', '—']);

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
