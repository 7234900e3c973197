// Failed tasks that have left no log, as those do that were done by hand: nobody is to be sent to look at it.
import { existsSync } from 'node:fs';
import { outputFile } from '../agents/attempt-files.ts';
import type { Reason } from '../core/explain.ts';
import { attemptId } from '../core/ids.ts';
import type { PlanState } from '../core/state.ts';

/** Of the task and of what it waits for. @param folder of attempts; null where there is no store. */
export function unlogged(plan: PlanState, task: number, reasons: readonly Reason[], folder: string | null): string[] {
  const causes = reasons.flatMap((reason) => (reason.kind === 'need' ? reason.causes : []));
  const tasks = new Set([plan.plan.tasks[task]!.id, ...causes.map((cause) => cause.task)]);
  return [...tasks].filter((id) => {
    const { status, token, attempts } = plan.tasks[plan.index.get(id)!]!;
    if (status !== 'failed') return false;
    return (
      folder === null || token === 0 || !existsSync(outputFile(folder, { token, attempt: attemptId(id, attempts) }))
    );
  });
}
