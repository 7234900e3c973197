// `signalbox run --dry-run`: the tasks that would run, step by step.
import type { DryRunReport, DryRunTask } from '../../api/reports/run.ts';
import { countWords, listWords, numberWords } from '../../core/model/count-words.ts';
import { describeDuration } from '../../core/model/duration-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import type { Paint } from '../terminal/paint.ts';
import { describeLimits } from '../text/describe/describe-event.ts';
import { hindranceLines } from '../text/hindrance-lines.ts';
import { planHint } from '../text/hint.ts';
import { showTable } from '../text/show-table.ts';
import { isolationOptions, selectOptions } from './run-options.ts';

export async function dryRun({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.dryRun(plan, { ...selectOptions(flags), ...isolationOptions(flags) });
  io.out(flags.json ? jsonLine(report) : showDryRun(plainData(report), paint, io.columns()));
  return 0;
}

/** A plan that fits on a few screens is shown whole; of a larger one only the first steps and their first tasks. */
const fewTasks = 100;
const mostPerStep = 10;
const mostSteps = 10;
const mostConflicts = 5;

export function showDryRun(report: DryRunReport, paint: Paint, columns: number): string {
  const count = report.waves.reduce((sum, wave) => sum + wave.tasks.length, 0);
  if (count === 0) return `${paint.bold(report.plan)}: nothing is left to run\n`;
  const hindrances = hindranceLines(report.plan, report.hindrances, paint);
  const isLarge = count > fewTasks;
  const shown = isLarge ? report.waves.slice(0, mostSteps) : report.waves;
  const parts = [
    ...(hindrances.length > 0 ? [...hindrances, ''] : []),
    ...noteLines([...report.isolation.notes, ...report.notes, ...unapproved(report)], paint),
    `${paint.bold(report.plan)} would run ${countedWords(report)} in ${countWords(report.waves.length, 'step')}; order: ${report.order}`,
    ...summaryLines(report).map((line) => paint.dim(line)),
  ];
  shown.forEach((wave, i) => {
    parts.push('', `Step ${i + 1}`, ...waveLines(wave, isLarge ? mostPerStep : fewTasks, paint, columns));
  });
  const hidden = report.waves.slice(shown.length);
  if (hidden.length > 0) {
    const tasks = hidden.reduce((sum, wave) => sum + wave.tasks.length, 0);
    parts.push(
      '',
      paint.dim(
        `… ${countWords(hidden.length, 'more step')} with ${countWords(tasks, 'task')}; --json lists all of them`,
      ),
    );
  }
  return `${parts.join('\n')}\n`;
}

const unapproved = ({ approval, plan }: DryRunReport): string[] =>
  approval === 'unapproved'
    ? [`an agent wrote this plan, and nobody has approved it: ${planHint('approve', plan)}`]
    : [];

/** Counted as everywhere: closing tasks are extra. */
function countedWords({ waves, summary }: DryRunReport): string {
  const tasks = waves.flatMap((wave) => wave.tasks);
  const closing = tasks.filter(({ closes }) => closes !== undefined).length;
  const own = tasks.length - closing;
  const all = countWords(summary.totalTasks, 'task');
  const words = own === summary.totalTasks ? all : `${numberWords(own)} of ${all}`;
  return closing === 0 ? words : `${words} and ${countWords(closing, 'closing task')}`;
}

const noteLines = (notes: readonly string[], paint: Paint): string[] =>
  notes.length === 0 ? [] : [...notes.map((text) => `${paint.yellow('warning')}: ${text}`), ''];

const isolationLine = ({ kind, because, branch }: DryRunReport['isolation']): string =>
  `isolation: ${kind} (${because})${branch === null ? '' : `; results gather on ${branch}`}`;

function summaryLines({ isolation, limits, estimate, criticalPath, waves }: DryRunReport): string[] {
  const named = Object.entries(limits.pools).map(([pool, limit]) => `${pool} ${limit}`);
  const lines = [
    [describeLimits(limits), ...(named.length > 0 ? [`pools: ${named.join(', ')}`] : [])].join('; '),
    isolationLine(isolation),
  ];
  if (estimate && estimate.wallMs !== null) {
    lines.push(
      `about ${describeDuration(estimate.wallMs)}, based on ${countWords(estimate.measured, 'completed task')}`,
    );
  }
  const { tasks, estimateMs } = criticalPath;
  if (waves.length > 1) {
    const way = tasks.length > 6 ? [...tasks.slice(0, 3), '…', ...tasks.slice(-2)] : tasks;
    const length = estimateMs === null ? '' : `, about ${describeDuration(estimateMs)}`;
    lines.push(`longest path: ${way.join(' → ')} (${countWords(tasks.length, 'step')}${length})`);
  }
  return lines;
}

function waveLines(
  { tasks, conflicts, moreConflicts }: DryRunReport['waves'][number],
  most: number,
  paint: Paint,
  columns: number,
): string[] {
  const some = tasks.slice(0, most);
  const rows = some.map(({ id, title, command }) => [
    { text: `  ${id}`, color: paint.bold },
    { text: title },
    { text: command, color: paint.dim },
  ]);
  const lines = showTable(rows, columns, 2).trimEnd().split('\n');
  const notes = some.map((task) => cutToWidth(taskNote(task), columns));
  const shown = lines.flatMap((line, i) => (notes[i] ? [line, paint.dim(notes[i])] : [line]));
  if (tasks.length > some.length)
    shown.push(paint.dim(`  … and ${countWords(tasks.length - some.length, 'more task')}`));
  for (const { keys, tasks: apart } of conflicts.slice(0, mostConflicts)) {
    shown.push(cutToWidth(`  not at the same time: ${listWords(apart)} (${keys.join(' and ')})`, columns));
  }
  const hidden = conflicts.length - mostConflicts;
  if (hidden > 0)
    shown.push(paint.dim(`  … and ${moreConflicts ? 'more than ' : ''}${countWords(hidden, 'more conflict')}`));
  return shown;
}

/** Pools and locks of a task. */
function taskNote({ pools, locks }: DryRunTask): string {
  const parts = [
    ...(pools.length > 0 ? [`pools: ${listWords(pools)}`] : []),
    ...(locks.exclusive.length > 0 ? [`locks: ${listWords(locks.exclusive)}`] : []),
    ...(locks.shared.length > 0 ? [`reads: ${listWords(locks.shared)}`] : []),
  ];
  return parts.length === 0 ? '' : `    ${parts.join('; ')}`;
}
