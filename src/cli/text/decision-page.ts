// One decision as a page: what happened, what it blocks, why, the last output, and every answer.
import type { BlockedBranch, DecisionShowReport, OptionReport } from '../../api/reports/decisions.ts';
import { countWords, numberWords } from '../../core/model/count-words.ts';
import type { OpenDecision } from '../../core/model/decision.ts';
import { describeElapsed } from '../../core/model/duration-words.ts';
import type { Request } from '../request.ts';
import { cutToWidth, displayWidth, padToWidth } from '../terminal/display-width.ts';
import { describeDecision, describeEvidence } from './describe/describe-decision.ts';
import { describeFailedTask } from './describe/describe-failure.ts';
import { signs, statusSign } from './signs.ts';

const mostBranches = 30;

type Manner = Pick<Request, 'io' | 'paint'>;

/** The report's texts must be plain. */
export function decisionPage(report: DecisionShowReport, manner: Manner): string[] {
  const { decision, options } = report;
  return [
    ...decisionStory(report, manner),
    '',
    ...options.flatMap((option) => optionLines(option, widest(options), manner)),
    ...(decision.deadline === undefined
      ? []
      : ['', manner.paint.dim(`  the run ${waitsFor(decision.deadline, manner)} for an answer`)]),
  ];
}

/** Without the answers. */
export function decisionStory(report: DecisionShowReport, manner: Manner): string[] {
  const { decision, title } = report;
  const { paint, io } = manner;
  const name = title === '' ? '' : `  ${title}`;
  const open = paint.dim(`  open for ${describeElapsed(io.now() - decision.openedAt)}`);
  return [
    `${paint.bold(decision.id)}${name}${open}`,
    describeDecision(decision),
    ...why(report, manner),
    ...treeLines(report, manner),
  ];
}

const waitsFor = (deadline: number, { io }: Manner) =>
  deadline > io.now() ? `waits another ${describeElapsed(deadline - io.now())}` : 'no longer waits';

function why(
  { decision, failure, optional, attempts, accept, log, tail, rest }: DecisionShowReport,
  { paint }: Manner,
): string[] {
  const lines = describeEvidence(decision.evidence).map((line) => `  ${line}`);
  if (failure && decision.task !== undefined && decision.kind !== 'review') {
    const tries = attempts > 1 ? ` (${countWords(attempts, 'attempt')})` : '';
    lines.push(`  ${statusSign('failed', paint, optional)} ${describeFailedTask(decision.task!, failure)}${tries}`);
  }
  if (decision.kind === 'review') for (const line of accept) lines.push(`  - ${line}`);
  for (const one of rest.slice(0, mostBranches)) {
    lines.push(
      `  ${statusSign('failed', paint, one.optional)} ${one.failure ? describeFailedTask(one.task, one.failure) : `${one.task} did not complete`}`,
    );
    if (one.log !== null) lines.push(paint.dim(`    ${one.log}`));
  }
  for (const line of tail) lines.push(paint.dim(`    │ ${line}`));
  if (log !== null) lines.push(paint.dim(`    ${log}`));
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Only if some blocked tasks wait for others; else the sentence above says it all. */
function treeLines({ decision, tree }: DecisionShowReport, { paint, io }: Manner): string[] {
  if (!tree.some(({ depth }) => depth > 0)) return [];
  const shown = tree.slice(0, mostBranches);
  const lines = shown.map(({ task, title }, i) =>
    cutToWidth(`  ${stems(shown, i)} ${task}${title === '' ? '' : paint.dim(`  ${title}`)}`, io.columns()),
  );
  const left = decision.blocks.count - shown.length;
  if (left > 0) lines.push(paint.dim(`     and ${numberWords(left)} more`));
  return ['', `  ${decision.task ?? 'the plan'}`, ...lines];
}

function stems(tree: readonly BlockedBranch[], at: number): string {
  const { depth } = tree[at]!;
  const isLast = (level: number) => {
    for (let i = at + 1; i < tree.length; i++) {
      if (tree[i]!.depth === level) return false;
      if (tree[i]!.depth < level) return true;
    }
    return true;
  };
  let stem = '';
  for (let level = 0; level < depth; level++) stem += isLast(level) ? '   ' : '│  ';
  return `${stem}${isLast(depth) ? '└─' : '├─'}`;
}

const command = (option: OptionReport) => `signalbox ${option.command}`;
const widest = (options: readonly OptionReport[]) =>
  Math.max(...options.map((option) => displayWidth(command(option))));

/** On a narrow terminal the description stands below the command. */
function optionLines(option: OptionReport, width: number, { paint, io }: Manner): string[] {
  const words = paint.dim(option.does);
  if (width + 4 + displayWidth(option.does) <= io.columns()) {
    return [`  ${padToWidth(command(option), width)}  ${words}`];
  }
  return [`  ${command(option)}`, `      ${words}`];
}

/** "d1  Task api failed. This blocks web." with what to type. */
export function decisionLines(decisions: readonly OpenDecision[], { paint }: Pick<Manner, 'paint'>): string[] {
  const lines = decisions
    .slice(0, mostListed)
    .map(
      (decision) => `  ${paint.yellow(signs.warning)} ${paint.bold(decision.id)}  ${describeDecision(quiet(decision))}`,
    );
  if (decisions.length > mostListed) lines.push(`    and ${numberWords(decisions.length - mostListed)} more`);
  return lines;
}

const mostListed = 10;
/** Which tasks "go on" was true only when the decision was opened. */
const quiet = (decision: OpenDecision): OpenDecision => ({ ...decision, goesOn: { count: 0, tasks: [] } });
