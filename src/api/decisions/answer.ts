// An answer, carried out: one transaction, in which the first wins. The rules are settled in the same breath, so that what follows
// from it is recorded with it.
import { answerDecision } from '../../core/answer-decision.ts';
import type { Choice, OpenDecision } from '../../core/decision.ts';
import type { Event } from '../../core/event.ts';
import type { PlanPath } from '../../core/ids.ts';
import type { Settings } from '../../core/settings.ts';
import type { PlanState } from '../../core/state.ts';
import { nearest } from '../../plan/nearest.ts';
import { settle } from '../../runner/settle.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';
import type { IsRunning } from '../reports.ts';
import type { DecisionAnswer, DecisionAnswerReport } from './decision-reports.ts';
import { findDecision, knownIn, refuseMissing } from './find-decision.ts';

export interface Answering {
  readonly store: Store;
  readonly path: PlanPath;
  readonly settings: Settings;
  readonly isRunning: IsRunning;
  readonly by: string;
  /** The attempt from which this is called, if it is called from one. */
  readonly attempt: string | undefined;
}

/** @param find what is meant; null: it is not open, and the reason is looked for in the log. */
export async function answer(
  to: Answering,
  id: string,
  said: DecisionAnswer,
  find: (plan: PlanState) => OpenDecision | null = (plan) => findDecision(plan, id),
): Promise<DecisionAnswerReport> {
  const { store, path } = to;
  const done = await store.transact((tx) => {
    settle(tx, null);
    const plan = tx.state.plans.get(path)!;
    const decision = find(plan);
    if (!decision) return { missing: knownIn(plan) };
    return carryOut(tx, plan, decision, to, said);
  });
  if ('missing' in done) return refuseMissing(store, path, id, done.missing);
  const { from, count, ...report } = done;
  const events = await store.events({ after: from, plan: path, limit: count });
  return { plan: path, ...report, events };
}

function carryOut(tx: Transaction, plan: PlanState, decision: OpenDecision, to: Answering, said: DecisionAnswer) {
  const choice = knownChoice(decision, said.choice);
  if (choice === 'other-agent') refuseUnknownAgent(to.settings, said.agent);
  if (decision.kind === 'review') refuseOwnReview(decision, to.attempt, choice, said.reason);
  const { choice: _, ...words } = said;
  const answered = answerDecision(plan, decision, { ...words, choice, by: to.by });
  if (!answered.ok) throw new Refusal(2, answered.because, { instead: answered.instead });
  const from = tx.state.seq;
  for (const event of answered.events) tx.record(event);
  settle(tx, null);
  return {
    from,
    count: answered.events.length,
    decision: decision.id,
    choice,
    task: decision.task ?? null,
    affected: affectedBy(answered.events),
    running: to.isRunning(plan),
  };
}

const affectedBy = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'decision-answered' ? event.affected : []));

function knownChoice({ id, options }: OpenDecision, word: string): Choice {
  const choice = options.find((option) => option === word);
  if (choice) return choice;
  const near = nearest(word, options);
  throw new Refusal(2, `${id} cannot be answered with ${JSON.stringify(word)}`, {
    instead: `${near === undefined ? '' : `did you mean ${near}? `}choose one of: ${options.join(', ')}`,
  });
}

function refuseUnknownAgent({ agents }: Settings, name: string | undefined): void {
  if (name === undefined || Object.hasOwn(agents, name)) return;
  const known = Object.keys(agents);
  const near = nearest(name, known);
  const instead =
    known.length === 0
      ? 'signalbox.yaml names no agents'
      : near === undefined
        ? `signalbox.yaml names: ${known.join(', ')}`
        : `did you mean ${near}?`;
  throw new Refusal(2, `no agent is called ${JSON.stringify(name)}`, { instead });
}

/** Nobody says of his own work that it is good. */
function refuseOwnReview(decision: OpenDecision, caller: string | undefined, choice: Choice, reason?: string): void {
  if (choice === 'abort') return;
  if (caller !== undefined && caller === decision.attempt) {
    throw new Refusal(2, `${caller} cannot review itself`, { instead: 'somebody else has to look at it' });
  }
  if (choice === 'reject' && !reason) {
    throw new Refusal(2, 'the reason is missing', {
      instead: 'say what is wrong with --reason TEXT: the next attempt is told',
    });
  }
}
