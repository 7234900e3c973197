// The status of a plan as a page: where it stands, then every task, phase by phase, with its sign and a remark. In a large plan
// tasks are counted where listing them would hide the others.
import type { FoldedPhase, StatusReport, TaskReport } from '../../api/reports/status.ts';
import { standingOf } from '../../core/explain/standing.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import { describeDuration, describeElapsed } from '../../core/model/duration-words.ts';
import { impossible } from '../../core/model/impossible.ts';
import type { Status } from '../../core/state/state.ts';
import type { Request } from '../request.ts';
import { cutToWidth, displayWidth, padToWidth } from '../terminal/display-width.ts';
import { countLine, progressBar } from '../terminal/progress-bar.ts';
import { decisionLines } from './decision-page.ts';
import { describeFailure } from './describe/describe-failure.ts';
import { describeHeldBack } from './describe/describe-held-back.ts';
import { describeMoment } from './describe/describe-time.ts';
import { lookOf, signs, statusSign } from './signs.ts';
import { standingColor } from './standing-color.ts';

/** In a larger plan completed and pending tasks are only counted. */
export const manyTasks = 200;
const widestId = 24;

export type PageManner = Pick<Request, 'io' | 'paint' | 'flags'>;

/** The report's texts must be plain. */
export function statusPage(report: StatusReport, request: PageManner): string[] {
  const { tasks, folded } = report;
  const at = { idWidth: widthOfIds(tasks), depth: depths(tasks) };
  const lines = header(report, request);
  const list = (some: readonly TaskReport[]) => {
    for (const task of some) {
      lines.push(taskLine(task, { indent: 2 + 2 * at.depth.get(task.id)!, idWidth: at.idWidth }, request));
    }
  };
  const heading = (phase: string, counted = '') => {
    lines.push('');
    if (phase !== '') lines.push(request.paint.bold(cutToWidth(phase, request.io.columns())));
    if (counted !== '') lines.push(request.paint.dim(`  ${counted}`));
  };
  if (folded) {
    for (const part of folded) {
      heading(part.phase, foldedWords(part));
      list(tasks.filter((task) => task.phase === part.phase));
    }
    lines.push('', request.paint.dim('  --all lists every task'), ...questions(report, request));
    return lines;
  }
  let phase: string | undefined;
  for (const task of tasks) {
    // The last step of the plan belongs to no phase.
    const own = task.closes === 'plan' ? '' : task.phase;
    if (own !== phase) heading(own);
    phase = own;
    list([task]);
  }
  return [...lines, ...questions(report, request)];
}

function questions({ decisions }: StatusReport, { paint }: PageManner): string[] {
  if (decisions.length === 0) return [];
  const ways = decisions.slice(0, 3).map(({ id }) => paint.dim(`    signalbox decide ${id}`));
  return ['', paint.bold('Needs a decision'), ...decisionLines(decisions, { paint }), ...ways];
}

const inOrder = ['completed', 'in_progress', 'failed', 'blocked', 'suspended', 'skipped', 'pending'] as const;

function foldedWords({ counts, optionalFailures: optional = 0 }: FoldedPhase): string {
  const words = (status: Status, count: number, isOptional = false) => {
    const what = `${status === 'in_progress' ? 'started' : status}${isOptional ? ' optional' : ''} task`;
    return count === 0 ? [] : [`${lookOf(status, isOptional).sign} ${countWords(count, what)}`];
  };
  return inOrder
    .flatMap((status) =>
      status === 'failed'
        ? [...words(status, counts.failed - optional), ...words(status, optional, true)]
        : words(status, counts[status]),
    )
    .join('  ');
}

const widthOfIds = (tasks: readonly TaskReport[]) =>
  tasks.reduce((width, { id, closes }) => (closes ? width : Math.max(width, Math.min(widestId, displayWidth(id)))), 0);

function header(report: StatusReport, { io, paint, flags }: PageManner): string[] {
  const columns = io.columns();
  const path = report.title === '' ? '' : `  ${paint.dim(cutToWidth(report.plan, columns))}`;
  const word = standingColor(report, paint)(standingOf(report));
  const bar = progressBar(report.summary, Math.max(8, Math.min(30, Math.floor(columns / 3))), paint);
  return [
    `${paint.bold(cutToWidth(report.title || report.plan, columns))}${path}`,
    `${bar}  ${word}`,
    countLine(report.summary, report.tasks.filter(({ waitsFor }) => waitsFor !== undefined).length),
    ...(report.heldBack ?? []).slice(0, mostHeld).map((held) => {
      const words = describeHeldBack(held, io.now(), flags.absolute === true);
      return paint.yellow(cutToWidth(`${signs.suspended} ${words}`, columns));
    }),
  ];
}

const mostHeld = 5;

function depths(tasks: readonly TaskReport[]): Map<string, number> {
  const depth = new Map<string, number>();
  for (const { id, parent } of tasks) depth.set(id, parent === undefined ? 0 : (depth.get(parent) ?? -1) + 1);
  return depth;
}

function taskLine(task: TaskReport, at: { indent: number; idWidth: number }, { io, paint, flags }: PageManner): string {
  const indent = ' '.repeat(Math.min(at.indent, 12));
  // Steps that Signalbox adds have long ids; their titles say more.
  const id = task.closes ? '' : `${padToWidth(cutToWidth(task.id, at.idWidth), at.idWidth)}  `;
  const what = remark(task, flags.absolute ? atMoments : asPeopleSay(io.now()), flags.verbose === true);
  const room = io.columns() - indent.length - 2 - displayWidth(id);
  // The remark is the news, so the title is cut first; but it keeps a third of the room.
  const remarkRoom = Math.max(0, room - Math.min(displayWidth(task.title), Math.floor(room / 3)) - 2);
  const shownRemark = cutToWidth(what, remarkRoom);
  const title = cutToWidth(task.title, room - (shownRemark === '' ? 0 : displayWidth(shownRemark) + 2));
  const shown = task.group ? paint.bold(title) : title;
  const end = shownRemark === '' ? '' : `  ${paint.dim(shownRemark)}`;
  return `${indent}${statusSign(task.status, paint, task.optional)} ${id}${shown}${end}`;
}

function remark(task: TaskReport, times: Times, verbose: boolean): string {
  const parts = task.group ? [] : said(task, times);
  if (task.closes) parts.unshift(task.id);
  if (task.optional && !task.group) parts.push('optional');
  if (verbose) {
    if (task.needs.length > 0) parts.push(`needs ${task.needs.join(', ')}`);
    if (task.prefers.length > 0) parts.push(`prefers ${task.prefers.join(', ')}`);
  }
  return parts.join(' · ');
}

function said(task: TaskReport, times: Times): string[] {
  const { status: is, attempts } = task;
  const started = task.startedAt === null ? null : Date.parse(task.startedAt);
  const uncountedMs = task.uncountedMs ?? 0;
  const ended = task.endedAt === null ? null : Date.parse(task.endedAt);
  const tries = attempts > 1 ? [countWords(attempts, 'attempt')] : [];
  const took = started !== null && ended !== null && ended >= started ? [times.took(started, ended, uncountedMs)] : [];
  const person = task.by === null ? [] : [`by ${task.by}${task.reason === null ? '' : `: ${task.reason}`}`];
  switch (is) {
    case 'completed':
      return [...took, ...tries];
    case 'failed':
      return [...(task.failure === null ? [] : [describeFailure(task.failure)]), ...tries];
    case 'in_progress': {
      const stage = task.stage === null || task.stage === 'running' ? [] : [stages[task.stage]];
      const since = started === null ? [] : [times.since(started, uncountedMs)];
      const tried = attempts > 1 ? [`attempt ${attempts}`] : [];
      return [...waiting(task), ...stage, ...since, ...tried, ...acting(task)];
    }
    case 'blocked':
      return [`blocked by ${listWords(task.blockedBy)}`];
    case 'suspended':
    case 'skipped':
      return [`${is === 'skipped' && task.failure !== null ? `failed, then ${is}` : is} ${person.join('')}`.trim()];
    case 'pending': {
      if (task.retryAt === null) return [];
      const failure = task.failure === null ? [] : [describeFailure(task.failure)];
      return [...failure, times.again(Date.parse(task.retryAt))];
    }
    default:
      return impossible(is);
  }
}

/** A person who sees a clock run thinks that something is done. */
function waiting({ waitsFor = [] }: TaskReport): string[] {
  const words = waitsFor.map(({ resource, holder }) => `${resource} (${holder} has it)`);
  return words.length === 0 ? [] : [`waits for ${listWords(words)}`];
}

/** Who waits for a lock does nothing meanwhile. */
const acting = ({ action, waitsFor }: TaskReport): string[] =>
  action === undefined || waitsFor !== undefined ? [] : [action];

const stages = { checking: 'being checked', reviewing: 'in review', merging: 'being merged' } as const;

interface Times {
  took(from: number, to: number, uncountedMs: number): string;
  since(at: number, uncountedMs: number): string;
  again(at: number): string;
}

const asPeopleSay = (now: number): Times => ({
  took: (from, to, uncountedMs) => describeDuration(to - from - uncountedMs),
  since: (at, uncountedMs) => `for ${describeElapsed(now - at - uncountedMs)}`,
  again: (at) => (at > now ? `again in ${describeDuration(at - now)}` : 'again now'),
});

const atMoments: Times = {
  took: (from, to) => `${describeMoment(from)} to ${describeMoment(to)}`,
  since: (at) => `since ${describeMoment(at)}`,
  again: (at) => `again at ${describeMoment(at)}`,
};

/** As much of the page as fits the terminal: running and failed tasks first. */
export function shortPage(report: StatusReport, request: PageManner): string[] {
  const columns = request.io.columns() - 1;
  const narrow = { ...request, io: { ...request.io, columns: () => columns } };
  const most = Math.max(4, request.io.rows() - 1);
  const leaves = report.tasks.filter(({ group }) => !group);
  // Laying out 100,000 tasks takes longer than one redraw may; only a page that can fit is tried.
  if (leaves.filter(({ status }) => status !== 'completed').length <= most) {
    const page = statusPage(report, narrow);
    if (page.length <= most) return page;
  }
  const urgent = leaves.sort((a, b) => urgency[a.status] - urgency[b.status]);
  // Decisions for the person come first.
  const asked = decisionLines(report.decisions.slice(0, mostAsked), request).map((line) => cutToWidth(line, columns));
  const lines = [...header(report, narrow), ...asked, ''];
  const shown = urgent.slice(0, Math.max(0, most - lines.length - 1));
  const idWidth = widthOfIds(shown);
  lines.push(...shown.map((task) => taskLine(task, { indent: 2, idWidth }, narrow)));
  const left = report.summary.totalTasks - shown.filter(({ closes }) => closes === undefined).length;
  if (left > 0) lines.push(request.paint.dim(cutToWidth(`  and ${countWords(left, 'more task')}`, columns)));
  return lines;
}

const mostAsked = 3;

const urgency: Readonly<Record<TaskReport['status'], number>> = {
  in_progress: 0,
  failed: 1,
  suspended: 2,
  blocked: 3,
  pending: 4,
  skipped: 5,
  completed: 6,
};
