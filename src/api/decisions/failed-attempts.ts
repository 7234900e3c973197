// Tasks that have failed, or failed before and wait for another try, by whether they have attempts left.
import { attemptsCap } from '../../core/model/defaults.ts';
import { attemptsAllowed } from '../../core/rules/judge-end.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { AttemptsReport, FailedTask } from '../reports/decisions.ts';

export function attemptsReport(plan: PlanState): AttemptsReport {
  const retryable: FailedTask[] = [];
  const exhausted: FailedTask[] = [];
  for (const i of [...plan.haveFailed].sort((a, b) => a - b)) {
    const own = plan.tasks[i]!;
    const { status, failures, rejections, granted, failure, review, notBefore } = own;
    if (status !== 'failed' && !(status === 'pending' && failures + rejections > 0)) continue;
    const task = plan.plan.tasks[i]!;
    // Rejections use no retry, but count for the circuit breaker.
    const breaker = attemptsCap + granted - failures - rejections;
    const left = Math.min(attemptsAllowed(task, own) - failures, breaker);
    const used = failures + rejections;
    const report: FailedTask = {
      id: task.id,
      title: task.title,
      status,
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
