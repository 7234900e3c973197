// `signalbox retryable` and `signalbox exhausted`: tasks that have failed, by whether they have attempts left.
import type { FailedTask } from '../../api/reports/decisions.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { describeIssue } from '../text/describe/describe-decision.ts';
import { describeFailure } from '../text/describe/describe-failure.ts';
import { hint } from '../text/hint.ts';
import { about } from '../text/shell-word.ts';
import { type Cell, showTable } from '../text/show-table.ts';
import { paintStatus, statusSign } from '../text/signs.ts';

export const retryable = (request: Request): Promise<number> =>
  show(request, 'retryable', 'No failed task has attempts left.');

export const exhausted = (request: Request): Promise<number> =>
  show(request, 'exhausted', 'No task has used up its attempts.');

async function show(
  { box, io, paint, plan, flags }: Request,
  which: 'retryable' | 'exhausted',
  none: string,
): Promise<number> {
  const report = await box.attempts(plan);
  if (flags.json) {
    io.out(jsonLine({ plan: report.plan, tasks: report[which] }));
    return 0;
  }
  const tasks = plainData(report)[which];
  if (tasks.length === 0) {
    io.out(`${none}\n`);
    return 0;
  }
  const rows = tasks.map((task): Cell[] => [
    {
      text: statusSign(task.status, { ...paint, dim: String, red: String, yellow: String }, task.optional),
      color: (sign) => paintStatus(task.status, sign, paint, task.optional),
    },
    { text: task.id, color: paint.bold },
    { text: `${task.used} of ${task.allowed} attempts used` },
    { text: lastFailure(task), color: paint.dim },
  ]);
  io.out(showTable(rows, io.columns(), 3));
  const failed = tasks.filter(({ status }) => status === 'failed').map(({ id }) => id);
  if (failed.length > 0) io.out(paint.dim(`\n  ${hint(about('retry', failed.slice(0, 5)), plan)}\n`));
  return 0;
}

function lastFailure({ failure, issues, retryAt }: FailedTask): string {
  const first = issues[0];
  const why = failure ? describeFailure(failure) : first ? `was rejected: ${describeIssue(first).slice(2)}` : '';
  return retryAt === null ? why : `${why}; waits for its next attempt`;
}
