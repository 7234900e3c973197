// An open decision by the name that a person typed: its own, or that of the task it is about.
import type { OpenDecision } from '../../core/decision.ts';
import type { DecisionId } from '../../core/ids.ts';
import type { PlanState } from '../../core/state.ts';
import { Refusal } from '../refusal.ts';

export type Decision = OpenDecision;

export function openDecision(plan: PlanState, name: string): Decision {
  const known = plan.decisions.get(name as DecisionId);
  if (known) return known;
  const about = [...plan.decisions.values()].filter(({ task }) => task === name);
  if (about.length === 1) return about[0]!;
  const open = [...plan.decisions.keys()];
  throw new Refusal(2, `no decision ${JSON.stringify(name)} is open`, {
    instead:
      open.length === 0 ? 'none is; see what was decided with: signalbox decide --history' : `open: ${open.join(', ')}`,
  });
}
