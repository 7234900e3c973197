// The table form: `| # | Task | Files | Deps | Batch |`, columns in any order. Equal batches run side by side, and a batch waits
// for the one before it. Columns named after a key set it; any other one is prose for the agent.

import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import { findKey, type Key } from '../../keys/keys.ts';
import { needKey } from '../../keys/need-words.ts';
import { looseStatus } from '../../keys/starting-status.ts';
import { unwrapCode } from '../../keys/value.ts';
import { mostTasks } from '../../limits.ts';
import { splitReferences } from '../dependencies.ts';
import type { RawPhase, RawSequence } from '../raw-plan.ts';
import { type Box, readBox } from './box.ts';
import { type Cell, cellsOf, type Table, type Tables } from './tables.ts';
import { TaskDraft } from './task-draft.ts';
import { readTaskLine } from './task-line.ts';

export interface TablePlan {
  /** The row that is one too many; no tasks are made of the others then. */
  readonly tooMany?: Place;
  readonly tasks: readonly TaskDraft[];
  readonly phases: readonly RawPhase[];
  readonly batched: boolean;
  /** `[SEQUENTIAL]` in a heading above, or in the row itself. */
  readonly sequences: readonly RawSequence[];
}

/** Null when no table has a column for tasks. */
export function readTables(tables: readonly Table[], report: Report): TablePlan | null {
  const readable = tables.flatMap((table) => {
    const columns = readColumns(table.header);
    return columns ? [{ table, columns }] : [];
  });
  if (readable.length === 0) return null;
  const tooMany = findTooMany(readable);
  if (tooMany) return { tooMany, tasks: [], phases: [], batched: false, sequences: [] };
  const tasks: TaskDraft[] = [];
  const batches: (Cell | null)[] = [];
  const marks: unknown[] = [];
  readable.forEach(({ table, columns }, phase) => {
    const hasBatch = columns.some(({ kind }) => kind === 'batch');
    for (const line of table.rows) {
      const cells = cellsOf(line);
      const isTooLong = cells.slice(columns.length).some(({ text }) => text !== '');
      if (isTooLong) tooManyCells(cells, columns.length, report);
      // Nobody knows in which column the rest of a row stands that has too many.
      const sure = isTooLong ? cells.slice(0, columns.findIndex(({ kind }) => kind === 'title') + 1) : cells;
      const task = readRow(sure, columns, phase, report);
      if (task === null) continue;
      tasks.push(task);
      marks.push(table.path.find(({ sequential }) => sequential));
      const batch = cells[columns.findIndex(({ kind }) => kind === 'batch')];
      batches.push(hasBatch ? (batch ?? { text: '', line: line.number, column: 1 }) : null);
    }
  });
  const batched = batches.some((batch) => batch !== null);
  const phases = batched
    ? orderBatches(tasks, batches, report)
    : readable.map(({ table }) => ({ name: table.heading }));
  return { tasks, phases, batched, sequences: sequencesOf(tasks, marks) };
}

/** The first row that a plan has no room for. Each counts, whatever it holds: there are no more of them than were kept. */
function findTooMany(readable: readonly { readonly table: Table }[]): Place | null {
  let before = 0;
  for (const { table } of readable) {
    const row = table.rows[mostTasks - before];
    if (row) return { line: row.number, column: cellsOf(row)[0]?.column ?? 1 };
    before += table.rows.length;
  }
  return null;
}

/** As boxes in the same places have them: under a heading with the mark, or marked themselves in one phase. */
function sequencesOf(tasks: readonly TaskDraft[], marks: readonly unknown[]): RawSequence[] {
  const lists = new Map<unknown, number[]>();
  tasks.forEach(({ sequential, phase }, i) => {
    const key = marks[i] ?? (sequential ? phase : undefined);
    if (key === undefined) return;
    const list = lists.get(key);
    if (list) list.push(i);
    else lists.set(key, [i]);
  });
  return [...lists.values()].map((list) => ({ tasks: list }));
}

/** A bar in a command moves everything behind it to the next column. */
function tooManyCells(cells: readonly Cell[], columns: number, report: Report): void {
  const { line, column, text } = cells[columns]!;
  report.error({
    code: 'bad-row',
    message: `this row has ${cells.length} cells, and the header of the table ${columns}`,
    line,
    column,
    length: Math.max(1, text.length),
    help: 'a bar inside a cell is written `\\|`, or stands in backticks',
  });
}

function noTitle({ line, column, text }: Cell, report: Report): void {
  const help = 'give it a title in the column of the tasks, or take the row out';
  report.error({ code: 'bad-row', message: 'this row has no task in it', line, column, length: text.length, help });
}

/** Rows that look like those of a table with tasks, and are prose. */
export function tellLooseRows({ found, loose }: Tables, report: Report): void {
  for (const row of loose) {
    const cells = cellsOf(row);
    const columns = readColumns(cells);
    const above = found.findLast((table) => readColumns(table.header) && table.header[0]!.line < row.number);
    const isHeader = columns !== null && looksLikeTasks({ heading: '', path: [], header: cells, rows: [] });
    if (!isHeader && above?.header.length !== cells.length) continue;
    report.error({
      code: 'bad-row',
      message: isHeader ? 'this is no table: it has no line of dashes' : 'this row is in no table',
      line: row.number,
      column: row.from + 1,
      length: row.raw.trim().length,
      help: isHeader
        ? `write \`|${'---|'.repeat(cells.length)}\` below it`
        : 'a table ends at an empty line or a line without a bar: take out what stands between it and the rows above',
    });
  }
}

/** Whether the table is surely meant as tasks, so that passing it over deserves a word. */
export function looksLikeTasks(table: Table): boolean {
  const kinds = new Set(readColumns(table.header)?.map(({ kind }) => kind));
  return kinds.has('title') && (kinds.has('needs') || kinds.has('batch'));
}

type Column =
  | { readonly kind: 'id' | 'title' | 'needs' | 'preference' | 'batch' | 'status' }
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'prose'; readonly name: string };

const names: ReadonlyMap<string, Exclude<Column['kind'], 'key' | 'prose'>> = new Map([
  ...['#', 'id', 'no', 'no.', 'nr', 'nr.', 'task #', 'task id'].map((name) => [name, 'id'] as const),
  ...['task', 'title', 'task name'].map((name) => [name, 'title'] as const),
  ['batch', 'batch'],
  ['status', 'status'],
]);

function readColumns(header: readonly Cell[]): Column[] | null {
  const plain = header.map(({ text }) => text.replace(/[*_`]/g, '').trim().toLowerCase());
  const columns = plain.map((name, i): Column => {
    const kind = names.get(name);
    if (kind) return { kind };
    const need = needKey(header[i]!.text.replace(/[*`]/g, ''));
    if (need) return { kind: need === 'needs' ? 'needs' : 'preference' };
    const key = findKey(name.replaceAll(' ', '-'));
    if (key?.where.includes('task') && !key.yamlOnly) return { kind: 'key', key };
    return { kind: 'prose', name: header[i]!.text };
  });
  const title = columns.findIndex(({ kind }) => kind === 'title');
  if (title < 0) return null;
  // `| Task | Description |` without a column for ids: the first one holds them.
  const description = plain.indexOf('description');
  if (description >= 0 && !columns.some(({ kind }) => kind === 'id')) {
    columns[title] = { kind: 'id' };
    columns[description] = { kind: 'title' };
  }
  return columns;
}

const nothing = /^(?:[-–—]|none|n\/a)?$/i;

/** Null for a row without a task in it. */
function readRow(cells: readonly Cell[], columns: readonly Column[], phase: number, report: Report): TaskDraft | null {
  const of = (kind: Column['kind']): Cell | undefined => cells[columns.findIndex((column) => column.kind === kind)];
  const idCell = of('id');
  const titleCell = of('title');
  const hasTitle = titleCell !== undefined && titleCell.text !== '';
  const first = hasTitle ? undefined : cells.find(({ text }, i) => text !== '' && columns[i] !== undefined);
  if (first) noTitle(first, report);
  // With an id it is still a task, so that nobody who needs it is told that there is none.
  const title = hasTitle ? titleCell : idCell;
  if (!title || title.text === '') return null;
  const id = idCell ? unwrapCode(idCell.text.replace(/^\*\*(.+)\*\*$/, '$1')).replace(/^#|[.:]$/g, '') : '';
  const found = title.text.startsWith('[') ? readBox(title.text, 0) : null;
  const box: Box = found !== null && found !== 'unknown' ? found : { mark: 'open', optional: false, end: 0 };
  const read = readTaskLine(title.text.slice(box.end), title.line, title.column + box.end, report);
  // With a column of its own for ids, a number in front of the title is text.
  const named = id === '' ? read : { ...read, id, title: read.id === null ? read.title : title.text.slice(box.end) };
  const { line, column } = id === '' ? title : idCell!;
  const task = new TaskDraft(named, { line, column, phase, parent: -1, box, indent: 0 });
  columns.forEach((column, i) => {
    const cell = cells[i];
    if (cell && !nothing.test(cell.text)) addCell(task, column, cell, report);
  });
  return task;
}

function addCell(task: TaskDraft, column: Column, cell: Cell, report: Report): void {
  const { text, line } = cell;
  switch (column.kind) {
    case 'needs':
    case 'preference': {
      const kind = column.kind === 'needs' ? 'need' : 'preference';
      return task.addReferences(splitReferences(text.replaceAll('#', ' '), cell, kind));
    }
    case 'status':
      if (task.box === 'open') task.box = looseStatus(text);
      return;
    case 'key': {
      const { key } = column;
      return task.addAttribute({ key, line, column: cell.column, valueColumn: cell.column, text, more: null }, report);
    }
    case 'prose':
      return task.addProse(`${column.name}: ${text}`);
  }
}

/** Numbers in their order; if one of them is none, all in the order in which they come first. Tasks get their phase here. */
function orderBatches(tasks: readonly TaskDraft[], batches: readonly (Cell | null)[], report: Report): RawPhase[] {
  const keyOf = (cell: Cell | null) => (cell?.text ?? '').replace(/^batch\s+/i, '').toLowerCase();
  const found = [...new Set(batches.map(keyOf))];
  const isNumbered = found.every((key) => /^\d{1,9}$/.test(key) || key === '');
  if (isNumbered) found.sort((a, b) => Number(a) - Number(b));
  const places = new Map(found.map((key, i) => [key, i]));
  tasks.forEach((task, i) => {
    const batch = batches[i]!;
    task.phase = places.get(keyOf(batch))!;
    if (batch !== null && !nothing.test(batch.text)) return;
    report.error({
      code: 'missing-batch',
      message: `task ${quoted(task.id ?? task.title)} has no batch, but others have one`,
      line: task.line,
      column: task.column,
      help: 'give it the number of the batch that it runs in',
    });
  });
  return found.map((key) => ({ name: `Batch ${key}` }));
}
