// `signalbox status [PLAN]`: the plan as a page: where it stands, then phase by phase every task with its sign and what there
// is to say about it. In a large plan completed tasks are only counted.
import type { StatusReport, TaskReport } from '../../api/signalbox.ts';
import { impossible } from '../../core/impossible.ts';
import { countWords, listWords } from '../count-words.ts';
import { describeDuration, describeElapsed } from '../describe-duration.ts';
import { describeFailure } from '../describe-failure.ts';
import { cutToWidth, displayWidth, padToWidth } from '../display-width.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import { countLine, progressBar } from '../progress-bar.ts';
import type { Request } from '../request.ts';
import { signs, statusSign } from '../signs.ts';
import { standingColor, standingOf } from '../standing.ts';

export async function status(request: Request): Promise<number> {
  const { box, io, plan, flags } = request;
  const report = await box.status(plan);
  io.out(flags.json ? jsonLine(report) : showStatus(plainData(report), request));
  return 0;
}

const manyTasks = 200;
const widestId = 24;

function showStatus(report: StatusReport, request: Request): string {
  const { tasks } = report;
  const folded = tasks.length > manyTasks && !request.flags.all;
  const idWidth = Math.min(
    widestId,
    tasks.reduce((width, { id }) => Math.max(width, displayWidth(id)), 0),
  );
  const depth = depths(tasks);
  const lines = header(report, request);
  let phase: string | undefined;
  let hidden = 0;
  const unfold = () => {
    if (hidden > 0) lines.push(request.paint.dim(`  ${signs.completed} ${countWords(hidden, 'completed task')}`));
    hidden = 0;
  };
  for (const task of tasks) {
    if (task.phase !== phase) {
      unfold();
      phase = task.phase;
      lines.push('');
      if (phase !== '') lines.push(request.paint.bold(cutToWidth(phase, request.io.columns())));
    }
    if (folded && task.status === 'completed') {
      if (!task.group) hidden++;
      continue;
    }
    unfold();
    lines.push(taskLine(task, { indent: 2 + 2 * depth.get(task.id)!, idWidth }, request));
  }
  unfold();
  if (folded) lines.push('', request.paint.dim('  --all lists completed tasks too'));
  return `${lines.join('\n')}\n`;
}

function header(report: StatusReport, { io, paint }: Request): string[] {
  const columns = io.columns();
  const path = report.title === '' ? '' : `  ${paint.dim(cutToWidth(report.plan, columns))}`;
  const word = standingColor(report, paint)(standingOf(report));
  const bar = progressBar(report.summary, Math.max(8, Math.min(30, Math.floor(columns / 3))), paint);
  return [
    `${paint.bold(cutToWidth(report.title || report.plan, columns))}${path}`,
    `${bar}  ${word}`,
    countLine(report.summary),
  ];
}

function depths(tasks: readonly TaskReport[]): Map<string, number> {
  const depth = new Map<string, number>();
  for (const { id, parent } of tasks) depth.set(id, parent === undefined ? 0 : (depth.get(parent) ?? -1) + 1);
  return depth;
}

function taskLine(task: TaskReport, at: { indent: number; idWidth: number }, { io, paint, flags }: Request): string {
  const indent = ' '.repeat(Math.min(at.indent, 12));
  const id = padToWidth(cutToWidth(task.id, at.idWidth), at.idWidth);
  const what = remark(task, io.now(), flags.verbose === true);
  const room = io.columns() - indent.length - 2 - displayWidth(id) - 2;
  // The remark is the news, so it goes before the title when there is not room for both; but a title keeps a third.
  const remarkRoom = Math.max(0, room - Math.min(displayWidth(task.title), Math.floor(room / 3)) - 2);
  const shownRemark = cutToWidth(what, remarkRoom);
  const title = cutToWidth(task.title, room - (shownRemark === '' ? 0 : displayWidth(shownRemark) + 2));
  const shown = task.group ? paint.bold(title) : title;
  const end = shownRemark === '' ? '' : `  ${paint.dim(shownRemark)}`;
  return `${indent}${statusSign(task.status, paint)} ${id}  ${shown}${end}`;
}

function remark(task: TaskReport, now: number, verbose: boolean): string {
  const parts = task.group ? [] : said(task, now);
  if (task.optional && !task.group) parts.push('optional');
  if (verbose) {
    if (task.needs.length > 0) parts.push(`needs ${task.needs.join(', ')}`);
    if (task.prefers.length > 0) parts.push(`prefers ${task.prefers.join(', ')}`);
  }
  return parts.join(' · ');
}

function said(task: TaskReport, now: number): string[] {
  const { status: is, attempts } = task;
  const started = task.startedAt === null ? null : Date.parse(task.startedAt);
  const ended = task.endedAt === null ? null : Date.parse(task.endedAt);
  const tries = attempts > 1 ? [countWords(attempts, 'attempt')] : [];
  const took = started !== null && ended !== null && ended >= started ? [describeDuration(ended - started)] : [];
  const person = task.by === null ? [] : [`by ${task.by}${task.reason === null ? '' : `: ${task.reason}`}`];
  switch (is) {
    case 'completed':
      return [...took, ...tries];
    case 'failed':
      return [...(task.failure === null ? [] : [describeFailure(task.failure)]), ...tries];
    case 'in_progress':
      return [
        ...(started === null ? [] : [`for ${describeElapsed(now - started)}`]),
        ...(attempts > 1 ? [`attempt ${attempts}`] : []),
      ];
    case 'blocked':
      return [`blocked by ${listWords(task.blockedBy)}`];
    case 'suspended':
    case 'skipped':
      return [`${is} ${person.join('')}`.trim()];
    case 'pending': {
      if (task.retryAt === null) return [];
      const left = Date.parse(task.retryAt) - now;
      const failure = task.failure === null ? [] : [describeFailure(task.failure)];
      return [...failure, left > 0 ? `again in ${describeDuration(left)}` : 'again now'];
    }
    default:
      return impossible(is);
  }
}
