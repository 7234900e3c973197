// Every decision that was ever asked for, from the log: what was asked, what was answered, by whom and when.
import type { PlanPath } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { DecisionHistoryReport, PastDecision } from '../reports/decisions.ts';
import { decisionEvents } from './find-decision.ts';

const iso = (at: number) => new Date(at).toISOString();

export async function decisionHistory(store: Store | null, plan: PlanPath): Promise<DecisionHistoryReport> {
  const all = new Map<string, PastDecision>();
  if (!store) return { plan, decisions: [] };
  for await (const event of decisionEvents(store, plan)) {
    const known = all.get(event.decision);
    if (event.type === 'decision-opened') {
      const { decision: id, kind, task, attempt, at, blocks, goesOn, options, evidence } = event;
      const about = { task: task ?? null, attempt: attempt ?? null, openedAt: iso(at) };
      const rest = { blocks, goesOn, options, evidence: evidence ?? null };
      all.set(id, { id, kind, ...about, ...rest, state: 'open', answer: null, closedAt: null });
    } else if (event.type === 'decision-answered' && known) {
      const { choice, by, at, reason, note, agent, affected, policy } = event;
      const said = { reason: reason ?? null, note: note ?? null, agent: agent ?? null };
      const answer = { choice, by, at: iso(at), ...said, affected, policy: policy ?? null };
      all.set(known.id, { ...known, state: 'answered', answer, closedAt: iso(at) });
    } else if (event.type === 'decision-closed' && known) {
      all.set(known.id, { ...known, state: 'closed', closedAt: iso(event.at) });
    }
  }
  return { plan, decisions: [...all.values()] };
}
