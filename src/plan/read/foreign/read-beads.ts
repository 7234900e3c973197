// What `bd export` writes: one issue per line, or a list of them. An issue carries what it depends on: `blocks` is a need,
// `parent-child` names the group; other ties have no meaning for a run.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';
import type { ForeignPlan, ForeignTask, Losses } from './foreign-task.ts';
import { isMap, type JsonMap, listOf, otherFields, own, parseJson, textOf, textsOf } from './json-value.ts';

export function readBeads(text: string, losses: Losses, report: Report): ForeignPlan | null {
  const rows = rowsOf(text, report);
  if (rows === null) return null;
  const issues = rows.filter(isMap).filter((row) => textOf(row, 'id') !== '' && textOf(row, 'title') !== '');
  if (issues.length === 0) {
    report.error({
      code: 'wrong-tool',
      message: 'there are no issues of beads in this file',
      line: 1,
      column: 1,
      help: 'write it with `bd export`: one JSON object per line, each with an `id` and a `title`',
    });
    return null;
  }
  if (issues.length < rows.length) losses.add(`records that are no issues: ${rows.length - issues.length}`);
  const alive = issues.filter((issue) => textOf(issue, 'status') !== 'tombstone');
  if (alive.length < issues.length) losses.add(`issues that were deleted: ${issues.length - alive.length}`);
  return { title: 'Issues of beads', tasks: alive.map((issue) => taskOf(issue, losses)) };
}

/** A list, a map with the list in it, or one object per line. */
function rowsOf(text: string, report: Report): readonly unknown[] | null {
  const first = /\S.*/.exec(text)?.[0].trim() ?? '';
  const isLines = first.startsWith('{') && first.endsWith('}');
  if (!isLines) {
    const root = parseJson(text, 1, report);
    if (root === undefined) return null;
    if (Array.isArray(root)) return root;
    return isMap(root) && Array.isArray(own(root, 'issues')) ? listOf(root, 'issues') : [root];
  }
  const rows: unknown[] = [];
  let start = 0;
  for (let number = 1; start < text.length; number++) {
    if (rows.length > mostRecords) {
      tooManyRecords(number, report);
      break;
    }
    // Each takes the time of an exception, and a hundred are enough to see what is wrong.
    if (report.isFull('error', 'bad-json')) {
      notReadOn(number, report);
      break;
    }
    const newline = text.indexOf('\n', start);
    const line = text.slice(start, newline < 0 ? text.length : newline);
    if (line.trim() !== '') rows.push(parseJson(line, number, report));
    start += line.length + 1;
  }
  const [only] = rows;
  if (report.failed) return null;
  return rows.length === 1 && isMap(only) && Array.isArray(own(only, 'issues')) ? listOf(only, 'issues') : rows;
}

/** With those that are no issues, or were deleted. */
const mostRecords = 2 * mostTasks;

function tooManyRecords(line: number, report: Report): void {
  const message = `above are more than ${mostRecords} records; a plan has ${mostTasks} tasks at most`;
  const help = 'let `bd export` write several files, and import one after the other';
  report.error({ code: 'too-many-tasks', message, line, column: 1, help });
}

function notReadOn(line: number, report: Report): void {
  const message = 'a hundred lines above are no JSON, so from here on the file was not read';
  report.error({ code: 'more', message, line, column: 1, help: 'write it again with `bd export`' });
}

const known = new Set(
  `_type id title description design acceptance_criteria notes status priority labels dependencies content_hash
   dependency_count dependent_count comment_count`.split(/\s+/),
);

function taskOf(issue: JsonMap, losses: Losses): ForeignTask {
  const id = textOf(issue, 'id');
  const status = textOf(issue, 'status').toLowerCase();
  const state = states.get(status) ?? 'open';
  if (!states.has(status)) losses.add(`the status ${quoted(status)}: it starts as pending`, id);
  for (const name of otherFields(issue, known)) losses.add(`the field ${quoted(name)}`, id);
  const needs: string[] = [];
  let parent: string | null = null;
  for (const tie of listOf(issue, 'dependencies').filter(isMap)) {
    const other = textOf(tie, 'depends_on_id');
    const type = textOf(tie, 'type', 'dep_type') || 'blocks';
    if (type === 'blocks') needs.push(other);
    else if (type === 'parent-child') parent = other;
    else losses.add(`ties of the type ${quoted(type)}`, id);
  }
  const accept = textOf(issue, 'acceptance_criteria');
  const urgency = own(issue, 'priority');
  return {
    id,
    title: textOf(issue, 'title'),
    state,
    parent,
    needs,
    prompt: [textOf(issue, 'description'), textOf(issue, 'design'), textOf(issue, 'notes')],
    accept: accept === '' ? [] : [accept],
    labels: textsOf(issue, 'labels'),
    // 0 is the most urgent there, 2 the usual.
    priority: typeof urgency === 'number' && Number.isInteger(urgency) && Math.abs(urgency) < 100 ? 2 - urgency : 0,
  };
}

const states: ReadonlyMap<string, ForeignTask['state']> = new Map([
  ['', 'open'],
  ['open', 'open'],
  ['closed', 'completed'],
]);
