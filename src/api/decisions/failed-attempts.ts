// Tasks that have failed, or failed before and wait for another try, by whether they have attempts left.
import { attemptsLeft } from '../../core/rules/attempts-left.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { AttemptsReport, FailedTask } from '../reports/decisions.ts';

export function attemptsReport(plan: PlanState): AttemptsReport {
  const retryable: FailedTask[] = [];
  const exhausted: FailedTask[] = [];
  for (const i of [...plan.haveFailed].sort((a, b) => a - b)) {
    const own = plan.tasks[i]!;
    const { status, failures, rejections, failure, review, notBefore } = own;
    if (status !== 'failed' && !(status === 'pending' && failures + rejections > 0)) continue;
    const task = plan.plan.tasks[i]!;
    const left = attemptsLeft(task, own);
    const used = failures + rejections;
    const report: FailedTask = {
      id: task.id,
      title: task.title,
      status,
      ...(task.optional ? { optional: true } : {}),
      used,
      allowed: used + Math.max(0, left),
      failure,
      issues: review?.verdict === 'rejected' ? review.issues : [],
      retryAt: notBefore > 0 ? new Date(notBefore).toISOString() : null,
    };
    (status === 'pending' || left > 0 ? retryable : exhausted).push(report);
  }
  return { plan: plan.path, retryable, exhausted };
}
