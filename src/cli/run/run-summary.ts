// The end of a run in a few lines: the outcome, failures with their logs, blocked tasks with their causes, and what to type next.
import type { RunReport } from '../../api/reports/run.ts';
import { differenceWords } from '../../core/explain/difference-words.ts';
import { countWords, listWords, numberWords } from '../../core/model/count-words.ts';
import { describeDuration } from '../../core/model/duration-words.ts';
import type { Cause } from '../../core/model/event.ts';
import { impossible } from '../../core/model/impossible.ts';
import type { Paint } from '../terminal/paint.ts';
import { describeCause } from '../text/describe/describe-cause.ts';
import { describeCost } from '../text/describe/describe-cost.ts';
import { describeDecision } from '../text/describe/describe-decision.ts';
import { describeFailedTask } from '../text/describe/describe-failure.ts';
import { describeBudget, exactUsd } from '../text/describe/describe-held-back.ts';
import { waysPast } from '../text/describe/describe-reason.ts';
import { hint, planHint } from '../text/hint.ts';
import { about } from '../text/shell-word.ts';
import { signs, statusSign } from '../text/signs.ts';

export interface RunSummaryOptions {
  readonly paint: Paint;
  /** As the person named it; undefined when it was the current one. */
  readonly plan: string | undefined;
  /** How many attempts this run started. */
  readonly attempts: number;
  /** A person paused the plan. */
  readonly paused: boolean;
  /** The open decisions are asked right afterwards. */
  readonly asks?: boolean;
}

export function runSummary(report: RunReport, options: RunSummaryOptions): string {
  const { paint } = options;
  const said = report.said.map((line) => `  ${line}`);
  const head = ['', verdict(report, options), ...said, ...edits(report, options), ...results(report, options)];
  if (options.asks) return `${[...head, ...failures(withoutAsked(report), paint)].join('\n')}\n`;
  const lines = [...head, ...failures(report, paint), ...tree(report, paint)];
  const next = [...questions(report, paint), ...nextSteps(report, options).map((step) => paint.dim(`  ${step}`))];
  if (next.length > 0) lines.push('', ...next);
  return `${lines.join('\n')}\n`;
}

/** What the file says and the run has not done: the outcome is that of the plan as it was loaded. */
function edits({ plan: path, edit, oldText }: RunReport, { paint, plan }: RunSummaryOptions): string[] {
  const lines: string[] = [];
  if (edit) {
    const { because, ...difference } = edit;
    const words = differenceWords(difference);
    const what = words === '' ? '' : ` (${words})`;
    lines.push(
      `  ${paint.yellow(signs.warning)} ${path} was edited, and this run did not take it: ${because}${what}`,
      paint.dim(`    ${planHint('reload', plan)}`),
    );
  }
  if (oldText.length > 0) {
    const again = oldText.map((task) => hint(about('retry', task, '--force'), plan));
    lines.push(
      `  ${paint.yellow(signs.warning)} edited while running, and done as started: ${listWords(oldText)}`,
      paint.dim(`    ${again[0]}`),
    );
  }
  return lines;
}

/** Where the results of a run with worktrees are, and how to take them. */
function results({ results: found }: RunReport, { paint, plan }: RunSummaryOptions): string[] {
  if (found === null || found.branch === null) return [];
  const { branch, commits, files, result, onto, because, instead } = found;
  const what = `${countWords(commits, 'commit')}, ${countWords(files.length, 'file')}${files.length === 0 ? '' : ` (${listWords(files)})`}`;
  if (result === 'landed') return [`  ${paint.green(signs.completed)} landed on ${onto}: ${what}`];
  if (result === 'nothing') return [`  ${branch} has nothing that is not on ${onto ?? 'your branch'} already`];
  if (result === 'would-land') return [`  on ${branch}: ${what}`, paint.dim(`    ${planHint('land', plan)}`)];
  return [
    ...(commits === 0 ? [] : [`  on ${branch}: ${what}`]),
    `  ${paint.yellow(signs.warning)} not landed: ${because}`,
    ...(instead === null ? [] : [paint.dim(`    ${instead}`)]),
  ];
}

/** The questions that follow tell about these failures. */
function withoutAsked(report: RunReport): RunReport {
  const asked = new Set<string | undefined>(report.decisions.map(({ task }) => task));
  return { ...report, failed: report.failed.filter(({ task }) => !asked.has(task)) };
}

function verdict(report: RunReport, { paint, attempts, paused }: RunSummaryOptions): string {
  const { outcome, summary, blocked } = report;
  const cost = report.cost === null ? '' : `, cost ${describeCost(report.cost)}`;
  const took = `${describeDuration(report.durationMs)}${cost}`;
  const all = countWords(summary.totalTasks, 'task');
  const left = `${numberWords(summary.totalTasks - summary.completed - summary.skipped - summary.failed)} of ${all} left`;
  const asides = [...optionalFailures(report), ...skips(report)].map((aside) => `; ${aside}`).join('');
  switch (outcome) {
    case 'complete': {
      const good = summary.completed === summary.totalTasks ? all : `${numberWords(summary.completed)} of ${all}`;
      // What costs has done something: a review begins no attempt.
      const how = attempts === 0 && report.cost === null ? `${good}, and nothing was left to do` : `${good} in ${took}`;
      return `${paint.green(`${signs.completed} complete`)}: ${how}${asides}`;
    }
    case 'failed': {
      return `${paint.red(`${signs.failed} failed`)}: ${failedWords(report)}, in ${took}${asides}`;
    }
    case 'stuck':
      return `${paint.red(`${signs.failed} stuck`)} after ${took}: ${blockedCount(blocked)} cannot ${stuckWords(report)}${asides}`;
    case 'paused':
      return `${paint.yellow(`${signs.suspended} paused`)} after ${took}${paused ? '' : `, because ${limitWords(report)}`}: ${left}${asides}`;
    case 'waiting':
      return `${paint.yellow(`${signs.suspended} waiting`)} for a person after ${took}: ${left}${asides}`;
    case 'aborted':
      return `${paint.yellow(`${signs.stopping} aborted`)} after ${took}: ${left}; completed work is kept${asides}`;
    default:
      return impossible(outcome);
  }
}

function limitWords({ pausedBy, budgets }: RunReport): string {
  if (pausedBy === 'quota') return 'an account has reached its usage limit';
  if (pausedBy !== 'budget') return 'the attempts of this run are used up';
  return budgets.length === 0 ? 'its budget is used up' : listWords(budgets.map(describeBudget), 3);
}

/** Counted as everywhere: closing tasks only if nothing else is blocked. */
function blockedCount(blocked: RunReport['blocked']): string {
  const tasks = blocked.filter(({ closes }) => closes === undefined).length;
  return tasks === 0 && blocked.length > 0 ? countWords(blocked.length, 'closing task') : countWords(tasks, 'task');
}

/** "start because a failed". */
function stuckWords({ blocked }: RunReport): string {
  const causes = new Map(blocked.flatMap((task) => task.causes).map((cause) => [cause.task, cause]));
  return causes.size === 0 ? 'start' : `start because ${listWords([...causes.values()].map(describeCause), 3)}`;
}

/** Of closing tasks only if nothing else has failed. */
function failedWords({ failed, summary }: RunReport): string {
  const all = countWords(summary.totalTasks, 'task');
  const completed = numberWords(summary.completed);
  const required = failed.filter(({ optional }) => !optional);
  const tasks = required.filter(({ closes }) => closes === undefined).length;
  return tasks === 0 && required.length > 0
    ? `${countWords(required.length, 'closing task')} failed and ${completed} of ${all} completed`
    : `${numberWords(tasks)} of ${all} failed and ${completed} completed`;
}

const optionalCount = ({ failed }: RunReport) => failed.filter((one) => one.optional).length;

function optionalFailures(report: RunReport): string[] {
  const count = optionalCount(report);
  return count === 0 ? [] : [`${countWords(count, 'optional task')} failed`];
}

function skips({ skipped, skippedClosing: closing }: RunReport): string[] {
  const tasks = skipped.filter((task) => !closing.includes(task));
  return [
    ...(tasks.length === 0 ? [] : [`${numberWords(tasks.length)} skipped: ${listWords(tasks)}`]),
    ...(closing.length === 0 ? [] : [`${countWords(closing.length, 'closing task')} skipped: ${listWords(closing)}`]),
  ];
}

const mostFailures = 10;

function failures({ failed }: RunReport, paint: Paint): string[] {
  const lines: string[] = [];
  const first = [...failed].sort((a, b) => Number(a.optional) - Number(b.optional));
  for (const { task, failure, optional, log, tail } of first.slice(0, mostFailures)) {
    const sign = statusSign('failed', paint, optional);
    lines.push(`  ${sign} ${describeFailedTask(paint.bold(task), failure)}${optional ? ' (optional)' : ''}`);
    for (const words of tail) lines.push(paint.dim(`    │ ${words}`));
    if (log !== null) lines.push(paint.dim(`    ${log}`));
  }
  if (failed.length > mostFailures) lines.push(`  and ${numberWords(failed.length - mostFailures)} more`);
  return lines;
}

const mostTrees = 10;
const mostBranches = 8;

/** Blocked tasks below their causes; those with the same causes together. */
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
    const root = causes.length === 0 ? 'no known cause' : listWords(causes.map(describeCause));
    lines.push(`  ${paint.yellow(signs.blocked)} ${root}`, ...branches(tasks));
  }
  if (trees.size > mostTrees) lines.push(`  and ${numberWords(trees.size - mostTrees)} more groups of blocked tasks`);
  return lines;
}

function branches(tasks: readonly string[]): string[] {
  const shown = tasks.length > mostBranches + 1 ? tasks.slice(0, mostBranches) : tasks;
  const hidden = tasks.length - shown.length;
  const leaves = hidden > 0 ? [...shown, `and ${numberWords(hidden)} more`] : shown;
  return leaves.map((leaf, i) => `    ${i === leaves.length - 1 ? '└─' : '├─'} ${leaf}`);
}

const mostQuestions = 10;

/** One command per open decision. The run has ended, so no task "goes on". */
function questions({ decisions }: RunReport, paint: Paint): string[] {
  const lines = decisions.slice(0, mostQuestions).map((decision) => {
    const about = describeDecision({ ...decision, goesOn: { count: 0, tasks: [] } });
    return `  ${paint.bold(`signalbox decide ${decision.id}`)}  ${paint.dim(about)}`;
  });
  return decisions.length > mostQuestions
    ? [...lines, paint.dim(`  and ${numberWords(decisions.length - mostQuestions)} more`)]
    : lines;
}

/** Another run may spend as much again; a task has one budget for all runs. */
function larger({ budgets }: RunReport, plan: string | undefined): string[] {
  const again = planHint('run', plan);
  const tasks = budgets.flatMap(({ task }) => task ?? []);
  const ofRun = budgets.find(({ task }) => task === undefined);
  const raise = tasks.length === 0 ? [] : [`raise budget-usd of ${listWords(tasks, 3)} in the plan, then ${again}`];
  if (!ofRun) return raise;
  const isTooSmall = ofRun.mostUsd !== undefined && ofRun.mostUsd > ofRun.budgetUsd;
  const fresh = isTooSmall ? [] : [`${again}  (it may spend ${exactUsd(ofRun.budgetUsd)} again)`];
  return [...raise, ...fresh, `${again} --budget-usd AMOUNT`];
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
      if (report.pausedBy === 'budget') return larger(report, plan);
      return paused ? [hint('resume', plan), again] : [again];
    case 'waiting':
      return [again];
    case 'aborted':
      return [again];
    default:
      return impossible(report.outcome);
  }
}
