// The way out of a need that names no task: what people write instead of an id, and the task that was nearly named.
import { quoted } from '../diagnostics/diagnostic.ts';
import { nearest, patience } from '../diagnostics/nearest.ts';
import type { RawTask } from '../read/raw-plan.ts';
import type { Ids } from './ids.ts';

export class NeedHelp {
  private readonly tasks: readonly RawTask[];
  private readonly ids: Ids;
  private readonly patience = patience();
  private byTitle: Map<string, string> | null = null;

  constructor(tasks: readonly RawTask[], ids: Ids) {
    this.tasks = tasks;
    this.ids = ids;
  }

  /** `named` are beside it already. */
  for(id: string, named: ReadonlySet<string>): string {
    const { index } = this.ids;
    const bare = bareId(id);
    if (/^\[[^\]]+\]+$|^\[.*,/.test(id) && bare !== '') return `ids stand without brackets: ${quoted(bare)}`;
    const [first, last] = id.split(/\.{2,3}|[-–—]/) as [string, string?];
    if (last !== undefined && index.has(first) && index.has(last))
      return 'a range such as `1.1-1.3` is of ids that differ in their last number only; others are separated by commas';
    const inGroup = /^(.+)\/([^/]+)$/.exec(id);
    if (inGroup && index.has(inGroup[2]!) && this.isInside(inGroup[2]!, inGroup[1]!))
      return `did you mean ${quoted(inGroup[2]!)}? Ids are unique in the whole plan`;
    const parts = id.split(/[，、/|+;&]|&&/).map((part) => part.trim());
    if (parts.length > 1 && parts.every((part) => index.has(part)))
      return `separate ids with commas: ${quoted(parts.join(', '))}`;
    const meant = index.has(bare)
      ? bare
      : (this.titled(id) ?? nearest(id, /\d/.test(id) ? others(index.keys(), named) : index.keys(), this.patience));
    if (meant !== undefined && !(id.includes(' ') && this.titled(id) === undefined))
      return `did you mean ${quoted(meant)}?`;
    return habit(id) ?? (id.includes(' ') ? sentence : this.known());
  }

  private isInside(part: string, group: string): boolean {
    const { index } = this.ids;
    return index.has(group) && this.tasks[index.get(part)!]!.parent === index.get(group);
  }

  /** The task with this title, or with this in front of a colon. */
  private titled(text: string): string | undefined {
    this.byTitle ??= this.titles();
    return this.byTitle.get(text.toLowerCase()) ?? this.byTitle.get(numbered(text));
  }

  private titles(): Map<string, string> {
    const found = new Map<string, string>();
    this.tasks.forEach(({ title }, i) => {
      const lower = title.toLowerCase();
      const id = this.ids.of[i]!;
      const names = [lower, lower.slice(0, Math.max(0, lower.indexOf(':'))), slugged(lower), numbered(id)];
      for (const name of [...names, /^task (\d[\w.]*)/.exec(lower)?.[1] ?? ''])
        if (name !== '' && !found.has(name)) found.set(name, id);
    });
    return found;
  }

  /** In a small plan the ids themselves are the best help. */
  private known(): string {
    const { index } = this.ids;
    if (index.size > 12) return 'an id stands before the title of its task; without one it is made of the title';
    return `the ids of this plan are ${[...index.keys()].map(quoted).join(', ')}`;
  }
}

function* others(ids: Iterable<string>, named: ReadonlySet<string>): Iterable<string> {
  for (const id of ids) if (!named.has(id)) yield id;
}

const slugged = (title: string): string => title.replace(/[^\p{L}\p{N}]+/gu, '-');

/** `T001` and `T1` are the same to a person. */
const numbered = (id: string): string => id.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ''));

const sentence =
  'ids of tasks are single words, separated by commas; a remark goes on a line below, an arrow that is text in backticks';

/** What other tools know, or people expect. */
function habit(id: string): string | undefined {
  if (/^(?:all|everything|every|above|previous|the)(?= |$)|^\*$/i.test(id))
    return 'a need names tasks: ids, a range such as `1.1-1.3`, or a group for all that is in it; with `order: sequential` every task waits for the one before';
  if (/^(?:phase|section|step|batch|milestone)\b/i.test(id))
    return 'a phase is no task: with `order: phases` each phase waits for the one before it; otherwise name its tasks, or make them subtasks of one';
  if (/^(?:or|\||\|\||either|not|!.*|xor)$/i.test(id))
    return 'all needs hold together: there is no `or` and no `not`; what may fail is a preference, `~> id`';
  return undefined;
}

/** Without what people put around an id: brackets, quotes, an anchor, a mark of HTML. */
function bareId(id: string): string {
  const link = /^\[[^\]]*\]\(#?([^)]+)\)$/.exec(id);
  const plain = (link ? link[1]! : id).replace(/<[^>]*>/g, '');
  return plain.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
