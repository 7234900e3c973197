// The end of a run in a few honest lines: what it amounts to, what failed and where its output is, what is blocked by what,
// and what to type next.
import type { RunReport } from '../api/signalbox.ts';
import type { Cause } from '../core/event.ts';
import { impossible } from '../core/impossible.ts';
import { countWords, listWords, numberWords } from './count-words.ts';
import { describeCause } from './describe-cause.ts';
import { describeDecision } from './describe-decision.ts';
import { describeDuration } from './describe-duration.ts';
import { describeFailure } from './describe-failure.ts';
import { waysPast } from './describe-reason.ts';
import { hint, planHint } from './hint.ts';
import type { Paint } from './paint.ts';
import { about } from './shell-word.ts';
import { signs } from './signs.ts';

export interface RunSummaryOptions {
  readonly paint: Paint;
  /** As the person named it; undefined when it was the current one. */
  readonly plan: string | undefined;
  /** How many attempts this run started. */
  readonly attempts: number;
  /** A person paused the plan. */
  readonly paused: boolean;
  /** The person is asked about what is open right afterwards. */
  readonly asks?: boolean;
}

export function runSummary(report: RunReport, options: RunSummaryOptions): string {
  const { paint } = options;
  if (options.asks) return `${['', verdict(report, options), ...failures(withoutAsked(report), paint)].join('\n')}\n`;
  const lines = ['', verdict(report, options), ...failures(report, paint), ...tree(report, paint)];
  const next = [...questions(report, paint), ...nextSteps(report, options).map((step) => paint.dim(`  ${step}`))];
  if (next.length > 0) lines.push('', ...next);
  return `${lines.join('\n')}\n`;
}

/** What the questions tell right afterwards. */
function withoutAsked(report: RunReport): RunReport {
  const asked = new Set<string | undefined>(report.decisions.map(({ task }) => task));
  return { ...report, failed: report.failed.filter(({ task }) => !asked.has(task)) };
}

function verdict(report: RunReport, { paint, attempts, paused }: RunSummaryOptions): string {
  const { outcome, summary, blocked } = report;
  const took = describeDuration(report.durationMs);
  const all = countWords(summary.totalTasks, 'task');
  const left = `${summary.totalTasks - summary.completed - summary.skipped - summary.failed} of ${all} left`;
  const asides = [...optionalFailures(report), ...skips(report)].map((aside) => `; ${aside}`).join('');
  switch (outcome) {
    case 'complete': {
      const good = summary.completed === summary.totalTasks ? all : `${summary.completed} of ${all}`;
      const how = attempts === 0 ? `${good}, and nothing was left to do` : `${good} in ${took}`;
      return `${paint.green(`${signs.completed} complete`)}: ${how}${asides}`;
    }
    case 'failed': {
      const required = report.failed.length - optionalCount(report);
      return `${paint.red(`${signs.failed} failed`)}: ${required} of ${all} failed and ${summary.completed} completed, in ${took}${asides}`;
    }
    case 'stuck':
      return `${paint.red(`${signs.failed} stuck`)} after ${took}: ${countWords(blocked.length, 'task')} cannot ${stuckWords(report)}${asides}`;
    case 'paused':
      return `${paint.yellow(`${signs.suspended} paused`)} after ${took}${paused ? '' : ', because the attempts of this run are used up'}: ${left}${asides}`;
    case 'waiting':
      return `${paint.yellow(`${signs.suspended} waiting`)} for a person after ${took}: ${left}${asides}`;
    case 'aborted':
      return `${paint.yellow(`${signs.stopping} stopped`)} after ${took}: ${left}, and nothing done is lost${asides}`;
    default:
      return impossible(outcome);
  }
}

/** "start because a failed", when a short list of causes says it all. */
function stuckWords({ blocked }: RunReport): string {
  const causes = new Map(blocked.flatMap((task) => task.causes).map((cause) => [cause.task, cause]));
  return causes.size === 0 ? 'start' : `start because ${listWords([...causes.values()].map(describeCause), 3)}`;
}

const optionalCount = ({ failed }: RunReport) => failed.filter((one) => one.optional).length;

function optionalFailures(report: RunReport): string[] {
  const count = optionalCount(report);
  return count === 0 ? [] : [`${countWords(count, 'optional task')} failed`];
}

const skips = ({ skipped }: RunReport) =>
  skipped.length === 0 ? [] : [`${skipped.length} skipped: ${listWords(skipped)}`];

const mostFailures = 10;

function failures({ failed }: RunReport, paint: Paint): string[] {
  const lines: string[] = [];
  const first = [...failed].sort((a, b) => Number(a.optional) - Number(b.optional));
  for (const { task, failure, optional, log, tail } of first.slice(0, mostFailures)) {
    const sign = optional ? paint.yellow(signs.warning) : paint.red(signs.failed);
    lines.push(`  ${sign} ${paint.bold(task)} ${describeFailure(failure)}${optional ? ' (optional)' : ''}`);
    for (const words of tail) lines.push(paint.dim(`    │ ${words}`));
    if (log !== null) lines.push(paint.dim(`    ${log}`));
  }
  if (failed.length > mostFailures) lines.push(`  and ${failed.length - mostFailures} more`);
  return lines;
}

const mostTrees = 10;
const mostBranches = 8;

/** Blocked tasks under what blocks them; those with the same causes together. */
function tree({ outcome, blocked }: RunReport, paint: Paint): string[] {
  if (outcome !== 'stuck') return [];
  const trees = new Map<string, { causes: readonly Cause[]; tasks: string[] }>();
  for (const { task, causes } of blocked) {
    const key = JSON.stringify(causes.map((cause) => cause.task));
    const one = trees.get(key) ?? { causes, tasks: [] };
    if (!causes.some((cause) => cause.task === task)) one.tasks.push(task);
    trees.set(key, one);
  }
  const lines: string[] = [];
  for (const { causes, tasks } of [...trees.values()].slice(0, mostTrees)) {
    const root = causes.length === 0 ? 'for no cause that is known' : listWords(causes.map(describeCause));
    lines.push(`  ${paint.yellow(signs.blocked)} ${root}`, ...branches(tasks));
  }
  if (trees.size > mostTrees) lines.push(`  and ${trees.size - mostTrees} more groups of blocked tasks`);
  return lines;
}

function branches(tasks: readonly string[]): string[] {
  const shown = tasks.length > mostBranches + 1 ? tasks.slice(0, mostBranches) : tasks;
  const hidden = tasks.length - shown.length;
  const leaves = hidden > 0 ? [...shown, `and ${numberWords(hidden)} more`] : shown;
  return leaves.map((leaf, i) => `    ${i === leaves.length - 1 ? '└─' : '├─'} ${leaf}`);
}

const mostQuestions = 10;

/** What to type, and what it is about; of a run that has ended nothing goes on any more. */
function questions({ decisions }: RunReport, paint: Paint): string[] {
  const lines = decisions.slice(0, mostQuestions).map((decision) => {
    const about = describeDecision({ ...decision, goesOn: { count: 0, tasks: [] } });
    return `  ${paint.bold(`signalbox decide ${decision.id}`)}  ${paint.dim(about)}`;
  });
  return decisions.length > mostQuestions
    ? [...lines, paint.dim(`  and ${decisions.length - mostQuestions} more`)]
    : lines;
}

function nextSteps(report: RunReport, { plan, paused }: RunSummaryOptions): string[] {
  const again = planHint('run', plan);
  const unlogged = report.failed.flatMap(({ task, log }) => (log === null ? task : []));
  switch (report.outcome) {
    case 'complete':
      return [];
    case 'failed': {
      const first = report.failed.find((one) => !one.optional);
      return [
        ...(first
          ? waysPast({ task: first.task, status: 'failed' }, unlogged)
              .slice(0, 2)
              .map((way) => hint(way, plan))
          : []),
        again,
      ];
    }
    case 'stuck': {
      if (report.decisions.length > 0) return [again];
      const last = report.blocked.at(-1);
      const cause = report.blocked.flatMap((task) => task.causes)[0];
      const why = last ? [hint(about('why', last.task), plan)] : [];
      const ways = cause ? waysPast(cause, unlogged).filter((way) => !way.startsWith('skip')) : [];
      return [...why, ...ways.map((way) => hint(way, plan)), again];
    }
    case 'paused':
      return paused ? [hint('resume', plan), again] : [again];
    case 'waiting':
      return [again];
    case 'aborted':
      return [again];
    default:
      return impossible(report.outcome);
  }
}
