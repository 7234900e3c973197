// What a run finds from before, in a few lines: which tasks failed, who skipped or suspended others and why, which decisions
// are open, and what the run does now.
import type { FoundReport, SetAside } from '../../api/decisions/decision-door.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import type { Names } from '../../core/model/decision.ts';
import type { Paint } from '../terminal/paint.ts';
import { decisionLines } from '../text/decision-page.ts';
import { describeFailure } from '../text/describe/describe-failure.ts';
import { describeAgo } from '../text/describe/describe-time.ts';
import { signs, statusSign } from '../text/signs.ts';

const most = 5;

export interface FoundManner {
  readonly now: number;
  readonly paint: Paint;
  /** What was said of failures for this run. */
  readonly onFailure?: string | undefined;
}

/** The report's texts must be plain. */
export function foundLines(report: FoundReport, { now, paint, onFailure }: FoundManner): string[] {
  const { outcome, endedAt, failed, skipped, suspended, decisions } = report;
  const before =
    outcome === null
      ? 'The last run did not end. It left:'
      : `The last run ended ${describeAgo(endedAt, now)}: ${outcome}.`;
  const asked = new Map(decisions.map((decision) => [decision.task as string | undefined, decision.id]));
  const failedTasks = new Set<string | undefined>(failed.slice(0, most).map(({ task }) => task));
  const others = decisions.filter(({ task }) => !failedTasks.has(task));
  const then = whatNow(report, onFailure);
  return [
    before,
    ...some(failed, ({ task, failure, blocks, optional }) => {
      const behind = blocks.count === 0 ? '' : `; this blocks ${listWords(blocks.tasks, 5)}`;
      return `  ${statusSign('failed', paint, optional)} ${task} failed${optional ? ' (optional)' : ''}: ${describeFailure(failure)}${behind}${open(asked.get(task))}`;
    }),
    ...some(together(skipped), (same) => `  ${paint.dim(signs.skipped)} ${describeSkips(same)}`),
    ...some(suspended, (one) => `  ${paint.yellow(signs.suspended)} ${one.task} was suspended${byWhom(one)}`),
    ...decisionLines(others, { paint }),
    ...(then === null ? [] : [`  ${then}`]),
  ];
}

const open = (decision: string | undefined) => (decision === undefined ? '' : ` (${decision} needs a decision)`);

function some<T>(all: readonly T[], line: (one: T) => string): string[] {
  const shown = all.slice(0, most).map(line);
  return all.length > most ? [...shown, `    and ${all.length - most} more`] : shown;
}

/** Tasks that were skipped together share a line. */
function together(all: readonly SetAside[]): SetAside[][] {
  const found = new Map<string, SetAside[]>();
  for (const one of all) {
    const key = JSON.stringify([one.by, one.reason, one.failure, one.treatAsDone]);
    const same = found.get(key);
    if (same) same.push(one);
    else found.set(key, [one]);
  }
  return [...found.values()];
}

function describeSkips(same: readonly SetAside[]): string {
  const { failure, treatAsDone } = same[0]!;
  const names = listWords(
    same.map(({ task }) => task),
    5,
  );
  const was = same.length === 1 ? 'was' : 'were';
  const before = failure === null ? `${was} skipped` : `failed (${describeFailure(failure)}), then ${was} skipped`;
  return `${names} ${before}${byWhom(same[0]!)}${treatAsDone && !isSaid(same[0]!) ? ', treated as done' : ''}`;
}

/** The reason of an answer is the answer itself. */
const isSaid = ({ reason }: SetAside) => reason === 'treat-as-done';

const byWhom = ({ by, reason }: SetAside) => (by === null ? '' : ` by ${by}${reason === null ? '' : `: ${reason}`}`);

/** Null: the run says it better. */
function whatNow(
  { paused, goesOn, closing, failed, decisions, suspended, summary }: FoundReport,
  policy: string | undefined,
) {
  if (paused) return 'Nothing can start: the plan is paused.';
  if (goesOn === null) return null;
  const named = ({ tasks }: Names) => listWords(tasks, 5);
  if (goesOn.count > 0) return `This run goes on with ${countWords(goesOn.count, 'task')}: ${named(goesOn)}.`;
  if (policy !== undefined && policy !== 'ask' && failed.length + decisions.length > 0)
    return `--on-failure ${policy} answers first.`;
  if (closing.count > 0)
    return `This run goes on with ${countWords(closing.count, 'closing task')}: ${named(closing)}.`;
  if (decisions.length > 0) return 'Nothing can start until this is decided.';
  if (suspended.length > 0) return 'Nothing can start until it is resumed.';
  return summary.completed + summary.skipped === summary.totalTasks ? 'Nothing is left to do.' : 'Nothing can start.';
}
