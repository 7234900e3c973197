// Rewrites the tasks of a markdown plan in one spelling and keeps everything between them: front matter, headings, prose,
// comments on lines of their own. What is kept is copied from the source; only tasks are written anew. Tasks that are
// headings or rows of a table become boxes.
import type { RawPlan, RawTask } from '../../read/raw-plan.ts';
import { escapeMarks, layOutSections } from './heading-layout.ts';
import { indentOf, isSetOff, keptLine, type Notes, notesOf } from './kept-lines.ts';
import type { RecordingOutline } from './recording-outline.ts';
import { layOutTables } from './table-layout.ts';
import { writeTree } from './write-tree.ts';

export interface MarkdownSource {
  /** The lines of a plan without mistakes. */
  readonly source: readonly string[];
  readonly raw: RawPlan;
  /** That saw it. */
  readonly outline: RecordingOutline;
  /** The line behind the front matter, 1 without one. */
  readonly start: number;
}

export interface MarkdownManner {
  /** By task: what to call those whose author gave them no id; null leaves them without. */
  readonly ids: readonly string[] | null;
  /** Whether a task is called so. */
  readonly isId: (word: string) => boolean;
}

export type FormattedMarkdown =
  | {
      readonly text: string;
      /** Ids that were written for the first time. */
      readonly named: readonly string[];
    }
  /** The task that no spelling says, or no place. */
  | { readonly stuck: number; readonly for: 'spelling' | 'place' };

/** What stands elsewhere, or differently, in the native form. */
export interface Layout {
  /** By line: tasks that are written there, under a heading of their own if they need one. */
  readonly groups: ReadonlyMap<number, readonly Group[]>;
  /** Lines that these replace. */
  readonly replaced: ReadonlySet<number>;
  /** Headings that would be taken for phases, by line: with their levels, they are text. */
  readonly demoted: ReadonlySet<number>;
  /** Lines outside of tasks that would say more to the reader in the native form than they do now. */
  readonly doubtful: (line: number) => Doubt | null;
  /** Remarks that no key has a place for, by task. */
  readonly remarks: ReadonlyMap<number, readonly string[]>;
  /** A title that stands behind tasks has to go before them. */
  readonly title: string | null;
  /** The first task that belongs to the phase of tasks further up, behind another phase; -1 for none. */
  readonly goesBack: number;
}

/** Items that would be keys or tasks; or also marks that would hold for other tasks. */
export type Doubt = 'items' | 'all';

export interface Group {
  readonly heading: string | null;
  readonly tasks: readonly number[];
}

/** What the parts of the writer work on. */
export interface Source {
  readonly source: readonly string[];
  readonly tasks: readonly RawTask[];
  readonly outline: RecordingOutline;
  readonly manner: MarkdownManner;
  /** Where top-level tasks stand: at the margin, or where they stood. */
  readonly margin: 'none' | 'kept';
  readonly notes: Notes;
  readonly layout: Layout;
  readonly isId: (word: string) => boolean;
  /** Ids that were written for the first time. */
  readonly named: string[];
}

export function formatMarkdown(
  { source, raw, outline, start }: MarkdownSource,
  manner: MarkdownManner,
): FormattedMarkdown {
  const { tasks } = raw;
  outline.keepOnly(tasks);
  const margin = mayMove(source, tasks, outline) ? 'none' : 'kept';
  const notes = notesOf(source, tasks, outline);
  const layout = outline.tasks.length === 0 ? layOutTables(raw, outline) : layOutSections(source, raw, outline);
  if (layout.goesBack >= 0) return { stuck: layout.goesBack, for: 'place' };
  const all: Source = { source, tasks, outline, manner, margin, notes, layout, isId: manner.isId, named: [] };
  const out = new Writing(all, start);
  for (let number = start; number <= source.length; number++) {
    const stuck = out.take(number);
    if (stuck >= 0) return { stuck, for: 'spelling' };
  }
  return { text: out.end(), named: all.named };
}

class Writing {
  private readonly all: Source;
  private readonly out: string[];
  private last: 'front' | 'task' | 'kept' | 'start';
  /** The line that was kept last. */
  private before = 0;
  /** Rules between tasks that are headings say no more than those did. */
  private inSection = false;

  constructor(all: Source, start: number) {
    this.all = all;
    this.out = start > 1 ? all.source.slice(0, start - 1) : [];
    this.last = start > 1 ? 'front' : 'start';
    if (all.layout.title === null) return;
    this.out.push(`# ${all.layout.title}`, '');
    this.last = 'kept';
  }

  /** The task that cannot be written, or -1. */
  take(number: number): number {
    const { tasks, outline, layout } = this.all;
    for (const { heading, tasks: roots } of layout.groups.get(number) ?? []) {
      if (heading !== null) this.heading(heading);
      else if (this.last === 'kept' && !this.out.at(-1)!.startsWith('#')) this.setOff();
      for (const root of roots) if (!this.tree(root)) return root;
    }
    if (layout.replaced.has(number)) return -1;
    const owner = outline.ofTask[number]!;
    if (owner < 0) this.keep(number);
    else if (tasks[owner]!.line === number && tasks[owner]!.parent < 0 && !layout.groups.has(number)) {
      if (!this.tree(owner)) return owner;
    }
    return -1;
  }

  end(): string {
    while (this.out.at(-1) === '') this.out.pop();
    return `${this.out.join('\n')}\n`;
  }

  private tree(root: number): boolean {
    if (!writeTree(this.all, root, this.out)) return false;
    this.last = 'task';
    this.inSection = this.all.outline.sections.has(root);
    return true;
  }

  private heading(text: string): void {
    this.setOff();
    this.out.push(text, '');
    this.last = 'kept';
  }

  private setOff(): void {
    if (this.last !== 'start' && this.out.at(-1) !== '') this.out.push('');
  }

  private keep(number: number): void {
    const { all, out, last } = this;
    const { source, outline, notes, layout } = all;
    const kept = keptLine(all, number);
    // At the top of a file it would open front matter.
    if (kept === null || (out.length === 0 && kept.startsWith('---'))) return;
    const isDemoted = layout.demoted.has(number);
    // There is nothing to keep of a heading without a name; what is behind it is set off from what is before it all the same.
    if (isDemoted && demoted(kept) === '') return;
    const isRule = !outline.outside.has(number) && /^\s*[-*_]/.test(kept);
    if (this.inSection && isRule && !outline.comments.has(number)) return;
    if (!outline.comments.has(number)) this.inSection = false;
    // Where a comment was left out, the lines around it must not become neighbours: `---` under a text makes it a heading.
    const isSeparate =
      isSetOff(all, number, last) ||
      isDemoted ||
      (last === 'task' && layout.groups.size > 0) ||
      (last === 'kept' && this.before !== number - 1 && !outline.underlined.has(this.before));
    if (isSeparate) this.setOff();
    const text = escapeMarks(kept, { doubt: layout.doubtful(number), isItem: outline.items.has(number) });
    out.push(isDemoted ? demoted(text) : text);
    this.before = number;
    if (!notes.inside.has(number)) this.last = 'kept';
    // One empty line stays where there was one or more.
    if (isDemoted || (source[number]?.trim() === '' && !notes.inside.has(number + 1))) out.push('');
  }
}

/** `## Overview` → `**Overview**`. */
function demoted(heading: string): string {
  const name = heading.replace(/^\s*#+\s*|\s+#+\s*$/g, '').trim();
  return name.includes('*') || name === '' ? name : `**${name}**`;
}

/**
 * Indented lines between tasks would fall into a task that moves to the left of them, and a task inside a plain item would
 * come out of it, under a heading that may make a criterion of it.
 */
function mayMove(source: readonly string[], tasks: readonly RawTask[], outline: RecordingOutline): boolean {
  const { ofTask, comments } = outline;
  for (let i = 0; i < source.length; i++) {
    const line = source[i]!;
    if (ofTask[i + 1]! >= 0 || comments.has(i + 1) || line.trim() === '') continue;
    if (indentOf(line) >= 2) return false;
  }
  return outline.items.size === 0 || tasks.every(({ parent, line }) => parent >= 0 || indentOf(source[line - 1]!) < 2);
}
