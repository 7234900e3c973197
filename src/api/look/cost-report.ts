// What the coding agents of a plan cost, attempt by attempt and review by review, as their ends in the log say it.
import type { PlanPath } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { CostOfAttempt, CostReport } from '../reports/cost.ts';

const perRead = 1_000;

export async function costReport(store: Pick<Store, 'events'> | null, plan: PlanPath): Promise<CostReport> {
  const attempts: CostOfAttempt[] = [];
  for (let after = 0; store !== null; ) {
    const events = await store.events({ after, plan, limit: perRead });
    for (const event of events) {
      if (event.type !== 'attempt-ended' && event.type !== 'review-ended') continue;
      const agent = event.type === 'attempt-ended' ? event.evidence?.agent : event.agent;
      if (!agent) continue;
      attempts.push({
        task: event.task,
        attempt: event.attempt,
        ...(event.type === 'review-ended' ? { review: true } : {}),
        agent: agent.by,
        endedAt: new Date(event.at).toISOString(),
        usd: agent.costUsd ?? null,
        models: (agent.usage ?? []).map(({ costUsd, ...usage }) => ({ ...usage, usd: costUsd ?? null })),
      });
    }
    after = events.at(-1)?.seq ?? after;
    if (events.length < perRead) break;
  }
  const known = attempts.filter(({ usd }) => usd !== null);
  return {
    plan,
    usd: known.reduce((sum, { usd }) => sum + usd!, 0),
    unpriced: attempts.length - known.length,
    attempts,
  };
}
