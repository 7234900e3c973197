// The decision that a person means: by its own id, or by the task it is about when only one is open about that.

import { commandLine } from '../../core/model/command-line.ts';
import type { OpenDecision } from '../../core/model/decision.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import { type DecisionId, type PlanPath, taskId } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import type { Store } from '../../store/store.ts';
import { describeDate } from '../clock-words.ts';
import { Refusal } from '../refusal.ts';

export const isDecisionId = (id: string): boolean => /^[dD]\d+$/.test(id);

/** Ids of decisions are unique in a workspace: the plan need not be named. Null: none is open under this id. */
export function planAsking(state: State, id: string): PlanPath | null {
  if (!isDecisionId(id)) return null;
  const known = id.toLowerCase() as DecisionId;
  for (const plan of state.plans.values()) if (plan.decisions.has(known)) return plan.path;
  return null;
}

/** Null: not open, perhaps any more. */
export function findDecision(plan: PlanState, id: string): OpenDecision | null {
  const byId = plan.decisions.get(id.toLowerCase() as DecisionId);
  if (byId) return byId;
  const task = taskId(id);
  const about = [...plan.decisions.values()].filter((decision) => decision.task === task);
  if (about.length > 1) {
    const names = about.map((decision) => decision.id).join(', ');
    throw new Refusal(2, `more than one decision is open about ${id}: ${names}`, { instead: 'name one of them' });
  }
  return about[0] ?? null;
}

/** Tells apart: answered meanwhile, closed, a task about which nothing is open, and what was never asked. */
export async function refuseMissing(store: Store | null, plan: PlanPath, id: string, known: Known): Promise<never> {
  if (isDecisionId(id) && store) {
    const end = await endOf(store, id.toLowerCase());
    if (end?.type === 'decision-answered') {
      const reason = end.reason === undefined ? '' : ` (${end.reason})`;
      throw new Refusal(
        2,
        `${end.decision} was already answered: ${end.choice}, by ${end.by}, at ${describeDate(end.at)}${reason}`,
        {
          instead: 'see what it changed: signalbox decide --history',
        },
      );
    }
    if (end) {
      throw new Refusal(
        2,
        `${end.decision} no longer needs an answer: the situation changed at ${describeDate(end.at)}`,
        {
          instead: 'see what is open: signalbox decide',
        },
      );
    }
  }
  if (known.tasks.has(id)) {
    throw new Refusal(2, `${id} has no open decision`, {
      instead: `see where it is: ${commandLine('why', id)}`,
    });
  }
  const near = nearest(id, [...known.decisions, ...known.tasks]);
  throw new Refusal(2, `${plan} has no decision ${JSON.stringify(id)}`, {
    instead: near === undefined ? 'see what is open: signalbox decide' : `did you mean ${near}?`,
  });
}

export interface Known {
  readonly decisions: readonly string[];
  readonly tasks: ReadonlySet<string>;
}

export const knownIn = (plan: PlanState): Known => ({
  decisions: [...plan.decisions.keys()],
  tasks: new Set(plan.index.keys()),
});

type End = Extract<StoredEvent, { readonly type: 'decision-answered' | 'decision-closed' }>;

async function endOf(store: Store, id: string): Promise<End | null> {
  for await (const event of decisionEvents(store)) {
    if (event.type !== 'decision-opened' && event.type !== 'decision-overdue' && event.decision === id) return event;
  }
  return null;
}

type DecisionEvent = Extract<StoredEvent, { readonly type: `decision-${string}` }>;

/** Oldest first; of one plan, or of all. */
export async function* decisionEvents(store: Store, plan?: PlanPath): AsyncGenerator<DecisionEvent> {
  let after = 0;
  for (;;) {
    const events = await store.events({ after, limit: 1_000, ...(plan === undefined ? {} : { plan }) });
    if (events.length === 0) return;
    for (const event of events) if (event.type.startsWith('decision-')) yield event as DecisionEvent;
    after = events.at(-1)!.seq;
  }
}
