// A plan that is a table, as boxes. Each table becomes a list where it stands; with batches, a heading for each of them.

import { cellsOf, type Table } from '../../read/markdown/tables.ts';
import type { RawPlan } from '../../read/raw-plan.ts';
import type { Group, Layout } from './format-markdown.ts';
import type { RecordingOutline } from './recording-outline.ts';

export function layOutTables(raw: RawPlan, outline: RecordingOutline): Layout {
  const byLine = new Map(raw.tasks.map((task, i) => [task.line, i]));
  const tables = outline.tables.found
    .map((table) => ({ table, tasks: table.rows.flatMap(({ number }) => byLine.get(number) ?? []) }))
    .filter(({ tasks }) => tasks.length > 0);
  const groups = new Map<number, Group[]>();
  const replaced = new Set<number>();
  for (const { table } of tables) for (const line of linesOf(table, byLine)) replaced.add(line);
  const title = outline.seen.find(({ level, name }) => level === 1 && name === outline.headings.title);
  const isLate = title !== undefined && tables.some(({ table }) => table.header[0]!.line < title.line);
  if (isLate) {
    replaced.add(title.line);
    if (outline.underlined.has(title.line)) replaced.add(title.line + 1);
  }
  const places = tables.map(({ table }) => table.header[0]!.line);
  if (raw.batched) {
    // Where a batch has rows in several tables, or comes before one of the table above, all go to the first of them.
    const isInOrder = tables.every(({ tasks }, i) => i === 0 || lowest(tasks) > highest(tables[i - 1]!.tasks));
    const parts = isInOrder ? tables.map(({ tasks }) => tasks) : [tables.flatMap(({ tasks }) => tasks)];
    parts.forEach((tasks, i) => {
      groups.set(places[i]!, batchesOf(tasks, places[i]!));
    });
  } else {
    const headings = new Set<number>();
    tables.forEach(({ table, tasks }, i) => {
      const around = headingAt(places[i]!);
      // Under no heading but the title, which opens no phase of its own.
      const isBare = around === undefined || around === title;
      const isSecond = isBare ? i > 0 : headings.has(around.line);
      if (around) headings.add(around.line);
      const heading = `${'#'.repeat(Math.max(2, around?.level ?? 2))} ${table.heading}`.trim();
      groups.set(places[i]!, [{ heading: isSecond ? heading : null, tasks }]);
    });
  }
  const remarks = new Map(tables.flatMap(({ table }) => restsOf(table, byLine)));
  return {
    groups,
    replaced,
    demoted: new Set(),
    doubtful: () => 'items',
    remarks,
    title: isLate ? title.name : null,
    goesBack: -1,
  };

  function lowest(tasks: readonly number[]): number {
    return tasks.reduce((least, task) => Math.min(least, raw.tasks[task]!.phase), Number.MAX_SAFE_INTEGER);
  }

  function highest(tasks: readonly number[]): number {
    return tasks.reduce((most, task) => Math.max(most, raw.tasks[task]!.phase), -1);
  }

  function headingAt(line: number) {
    return outline.seen.findLast((heading) => heading.line < line);
  }

  function batchesOf(tasks: readonly number[], line: number): Group[] {
    const level = Math.min(6, Math.max(2, (headingAt(line)?.level ?? 1) + 1));
    const phases = [...new Set(tasks.map((task) => raw.tasks[task]!.phase))].sort((a, b) => a - b);
    return phases.map((phase) => ({
      heading: `${'#'.repeat(level)} ${raw.phases[phase]!.name}`,
      tasks: tasks.filter((task) => raw.tasks[task]!.phase === phase),
    }));
  }
}

/** Its header, the line below that, and every row that is a task. Rows that are none stay as they are. */
function* linesOf(table: Table, tasks: ReadonlyMap<number, number>): Generator<number> {
  const header = table.header[0]!.line;
  yield header;
  yield header + 1;
  for (const { number } of table.rows) if (tasks.has(number)) yield number;
}

/** Cells behind the last column. */
function restsOf(table: Table, tasks: ReadonlyMap<number, number>): [number, string[]][] {
  return table.rows.flatMap((row): [number, string[]][] => {
    const task = tasks.get(row.number);
    const rest = cellsOf(row)
      .slice(table.header.length)
      .map(({ text }) => text)
      .filter((text) => text !== '');
    return task === undefined || rest.length === 0 ? [] : [[task, rest]];
  });
}
