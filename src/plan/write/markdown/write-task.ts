// One task as lines of markdown, without its subtasks: the box, the id, the title, what it needs, its keys, its prose. Every
// choice of spelling is made by reading it back: the plainest one that says the same wins, and never one that says less.
import type { TaskKeys } from '../../../core/model/plan.ts';
import { Report } from '../../diagnostics/report.ts';
import { Outline } from '../../read/markdown/outline.ts';
import { readMarkdown } from '../../read/markdown/read-markdown.ts';
import { readTaskLine } from '../../read/markdown/task-line.ts';
import type { RawTask, Reference } from '../../read/raw-plan.ts';
import { fenced, writeKeys } from './write-value.ts';

/** What is written of a task. */
export type TaskText = Pick<
  RawTask,
  'id' | 'title' | 'box' | 'optional' | 'parallel' | 'sequential' | 'keys' | 'prompt'
> & {
  readonly references: readonly Pick<Reference, 'kind' | 'text'>[];
};

export interface TaskSource {
  /** What stood behind the box, for a title that only its own spelling says. */
  readonly line?: string;
  /** The references that `line` holds. */
  readonly inLine?: readonly Pick<Reference, 'kind' | 'text'>[];
  /** The plan has the signs of Kiro; where it has none, no text may become one. */
  readonly kiro?: boolean;
  /** How many notes with `[SEQUENTIAL]` count in its prose; in that of other forms, and in blocks, none does. */
  readonly marks?: number;
  /** Whether the file says it with exactly these lines. */
  readonly stands?: (lines: readonly string[]) => boolean;
}

/** Its lines, the first one at the margin; null when no spelling reads back as this task. */
export function writeTask(task: TaskText, source: TaskSource = {}): string[] | null {
  if (boxes[task.box] === null) return null;
  const box = `- ${boxes[task.box]}${task.optional ? '*' : ''}`;
  const stories = storiesOf(task, source);
  const plainest = firstSpelling(task, source, box, stories);
  if (source.stands?.(plainest)) return plainest;
  const marked = hasParallelMark(source.line);
  const signs = { marked, kiro: source.kiro === true, marks: source.marks ?? 0 };
  const readsAs = (text: string, wanted: TaskText) => readBack(text, wanted, signs);
  if (stories.length > 0 && readsAs(plainest.join('\n'), task)) return plainest;
  const body = writeKeys(task.keys ?? {});
  const inline = task.prompt === null ? [] : task.prompt.split('\n');
  const block = task.prompt === null ? [] : fenced(task.prompt, 'prompt');
  const bodies = [[...body, ...inline], [...body, ...block], ...(task.prompt === null ? [] : [[...inline, ...body]])];
  for (const { text, keys } of headLines(task, source)) {
    const head = `${box} ${text}`.trimEnd();
    for (const [i, lines] of bodies.entries()) {
      const written = [head, ...[...keys, ...lines].map(indented)];
      if (readsAs(written.join('\n'), task)) return written;
      // Another body does not help a head that says something else.
      const alone = [head, ...keys.map(indented)].join('\n');
      if (i === 0 && !readsAs(alone, { ...task, keys: null, prompt: null })) break;
    }
  }
  return null;
}

/** The one that nearly every task has: marks of stories where its author had them, keys, then prose. */
function firstSpelling(task: TaskText, source: TaskSource, box: string, stories: readonly string[]): string[] {
  const { keys, title } = task;
  const labels = keys?.labels?.slice(stories.length);
  const others = stories.length === 0 ? keys : { ...keys, labels: labels!.length > 0 ? labels! : undefined };
  const marks = stories.map((story) => `[${story}] `).join('');
  const [head] = headLines(marks === '' ? task : { ...task, title: `${marks}${title || task.id}` }, source);
  const lines = [`${box} ${head!.text}`.trimEnd()];
  if (others) for (const line of writeKeys(others as TaskKeys)) lines.push(indented(line));
  if (task.prompt !== null) for (const line of task.prompt.split('\n')) lines.push(indented(line));
  return lines;
}

/** `[US1]` behind an id is a label; it stays a mark where it was one. */
function storiesOf({ keys, id }: TaskText, { line }: TaskSource): string[] {
  if (id === null || !keys?.labels || !line?.includes('[US')) return [];
  const end = keys.labels.findIndex((label) => !/^US\d+$/.test(label) || !line.includes(`[${label}]`));
  return keys.labels.slice(0, end < 0 ? undefined : end);
}

/** Markdown has no box for a suspended task. */
const boxes = { open: '[ ]', completed: '[x]', skipped: '[-]', suspended: null } as const;
const indented = (line: string) => (line === '' ? '' : `  ${line}`);

interface Head {
  readonly text: string;
  /** Lines for the dependencies that are not in it. */
  readonly keys: readonly string[];
}

/** From the plainest spelling to the author's own. */
function* headLines(task: TaskText, source: TaskSource): Generator<Head> {
  const { id, title: words, references } = task;
  // `[P]` stands behind the id, `[SEQUENTIAL]` behind the title.
  const marked = task.parallel ? `[P] ${words || id}` : words;
  const title = task.sequential ? `${marked || (id ?? '')} [SEQUENTIAL]`.trimStart() : marked;
  // A title that only repeats the id is said once; where that cannot be read, twice.
  const once = id !== null && (title === id || title === '') ? spellings(id) : [];
  const names = id === null ? [title] : [...once, ...spellings(id).map((name) => `${name} ${title || id}`)];
  for (const name of names) yield { text: `${name}${arrows(references)}`, keys: [] };
  for (const name of names) yield { text: name, keys: referenceKeys(references) };
  if (source.line === undefined) return;
  const others = references.filter((reference) => !source.inLine?.includes(reference));
  const own = id === null ? [source.line] : [source.line, ...spellings(id).map((name) => `${name} ${source.line}`)];
  for (const text of own) yield { text, keys: referenceKeys(others) };
}

/** `1.1`, `T014` and `ABC-12` are ids by themselves; other ids are set off. */
function spellings(id: string): string[] {
  const bare = /^(?:\d+(?:\.\d+)+|T\d+|[A-Z][A-Z0-9]*-\d+)$/.test(id) ? [id] : [];
  const word = /^[\p{Ll}\p{Lm}\p{Lo}0-9][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}_-]*$/u.test(id) ? [`${id}:`] : [];
  const number = /^\d+$/.test(id) ? [`${id}.`] : [];
  return [...bare, ...number, ...word, `**${id}**`, `\`${id}\``];
}

const textsOf = (references: TaskText['references'], kind: Reference['kind']) =>
  references.filter((reference) => reference.kind === kind).map(({ text }) => text);

function arrows(references: TaskText['references']): string {
  const [needs, prefers] = [textsOf(references, 'need'), textsOf(references, 'preference')];
  return `${needs.length > 0 ? ` → ${needs.join(', ')}` : ''}${prefers.length > 0 ? ` ~> ${prefers.join(', ')}` : ''}`;
}

function referenceKeys(references: TaskText['references']): string[] {
  const [needs, prefers] = [textsOf(references, 'need'), textsOf(references, 'preference')];
  return [
    ...(needs.length > 0 ? [`- needs: ${needs.join(', ')}`] : []),
    ...(prefers.length > 0 ? [`- prefers: ${prefers.join(', ')}`] : []),
  ];
}

/** `[P]` behind an id is not part of the title, and must stay where the author put it. */
const hasParallelMark = (line: string | undefined): boolean =>
  line?.includes('[P]') === true && readTaskLine(line, 1, 1, new Report('', line)).isSpecKit;

interface Signs {
  readonly marked: boolean;
  readonly kiro: boolean;
  readonly marks: number;
}

/** How many notes with `[SEQUENTIAL]` count in these lines of a task; that in the line of its box is its own. */
export function countMarks(text: string): number {
  const report = new Report('', text);
  const outline = new Outline(report);
  readMarkdown(text, report, outline);
  return outline.notes.length + (outline.headings.path[0]!.sequential ? 1 : 0);
}

function readBack(text: string, task: TaskText, signs: Signs): boolean {
  const report = new Report('', text);
  const { tasks, phases, specKit, kiro } = readMarkdown(text, report);
  const [read] = tasks;
  if (report.failed || tasks.length !== 1 || phases.length !== 1 || !read) return false;
  if ((specKit !== null) !== signs.marked || (kiro !== null && !signs.kiro)) return false;
  if (task.prompt?.includes('[SEQUENTIAL]') && countMarks(text) !== signs.marks) return false;
  return meaning({ ...read, references: read.references ?? [] }) === meaning(task);
}

function meaning(task: TaskText): string {
  const { id, title, box, optional, parallel, sequential, keys, prompt, references } = task;
  const needs = textsOf(references, 'need');
  const own = Object.entries(keys ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    id,
    title === '' ? id : title,
    box,
    optional,
    parallel,
    sequential === true,
    own,
    prompt,
    needs,
    textsOf(references, 'preference'),
  ]);
}
