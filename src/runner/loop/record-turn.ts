// What a turn records: what was heard, what is found by looking, and what the rules make of it. Nothing async happens in here.
import { stopRun } from '../../core/commands/steer.ts';
import type { Me } from '../../core/rules/decide.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { Transaction } from '../../store/store.ts';
import type { InHand } from '../attempts/in-hand.ts';
import type { Unjudged } from '../attempts/unjudged.ts';
import { letRulesAct, watchedPlans } from '../let-rules-act.ts';
import type { Machine } from '../machine.ts';
import { reapLocks } from '../reap-locks.ts';
import { hasRunner } from './compare.ts';
import { tookOver } from './hand-over.ts';
import type { Heard, Stop } from './inbox.ts';
import { doom, record } from './record.ts';

export interface TurnParts {
  readonly me: Me;
  readonly machine: Machine;
  readonly inHand: InHand;
  readonly unjudged: Unjudged;
}

export function recordTurn(tx: Transaction, heard: Heard, { me, machine, inHand, unjudged }: TurnParts): void {
  const { agents, clock, isGone } = machine;
  const isSuspect = (token: number) => inHand.adopted.isSuspect(token);
  const attends = (token: number) => inHand.attends(token);
  inHand.adopted.begin(tx.state);
  unjudged.begin(tx.state.plans.get(me.plan)!);
  for (const observation of heard.observed) {
    if (observation.kind === 'ended') unjudged.add(tx.state, observation.token);
    record(tx, observation, {
      isSuspect,
      reviewOf: (live) => agents.reviewOf(live),
      mergeOf: (live) => agents.mergeOf(live),
    });
  }
  for (const { token, limitMs } of inHand.idle.silent(clock.now())) {
    const live = tx.state.live.get(token);
    const last = live && agents.lastLine(live);
    doom(tx, token, { kind: 'idle', limitMs, ...(last === undefined ? {} : { last }) });
  }
  for (const { token, doom: because } of inHand.streams.due(clock.now())) if (attends(token)) doom(tx, token, because);
  for (const { token, doom: because } of heard.doomed) if (attends(token)) doom(tx, token, because);
  for (const stop of heard.stops) recordStop(tx, me, stop);
  for (const reason of heard.pauses) {
    const { paused } = tx.state.plans.get(me.plan)!;
    if (!paused) tx.record({ type: 'plan-paused', v: 1, plan: me.plan, by: 'signalbox', reason });
  }
  for (const event of heard.salvaged) if (tx.state.salvage.has(event.token)) tx.record(event);
  reapLocks(tx, isGone);
  const isMine = ({ run }: PlanState) => run?.run === me.run && !run.ended;
  letRulesAct(
    tx,
    me,
    watchedPlans(tx.state, (plan) => isMine(plan) || hasRunner(plan, machine)),
  );
  inHand.adopted.noteDoomed(tx.state);
  for (const event of tookOver(tx.state, me, attends)) tx.record(event);
}

function recordStop(tx: Transaction, me: Me, stop: Stop): void {
  const answer = stopRun(tx.state.plans.get(me.plan)!, stop);
  if (answer.ok) for (const event of answer.events) tx.record(event);
}
