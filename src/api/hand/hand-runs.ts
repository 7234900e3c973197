// Runs by hand: a name for a stretch of work, with what was completed and failed since it began.
import type { RunId } from '../../core/ids.ts';
import { runId } from '../../core/ids.ts';
import { handPrefix, isByHand } from '../../core/plan-status.ts';
import type { PlanState, RunRecord } from '../../core/state.ts';
import { Refusal } from '../refusal.ts';
import type { HandDesk, HandParts } from './hand-desk.ts';
import type { HandRunReport } from './hand-reports.ts';
import { signsOfLife } from './signs-of-life.ts';

export function startHandRun({ path, user }: HandParts, desk: HandDesk): Promise<HandRunReport> {
  return desk.transact((tx, plan) => {
    const run = freeId(plan, tx.now);
    tx.record({ type: 'hand-run-started', v: 1, plan: path, run, by: user });
    for (const event of signsOfLife(tx.state, plan, user, tx.now)) tx.record(event);
    return report(plan, find(plan, run)!);
  });
}

export function completeHandRun({ path, user }: HandParts, desk: HandDesk, named?: string): Promise<HandRunReport> {
  return desk.transact((tx, plan) => {
    const { run, completed, failed } = openRun(plan, named);
    tx.record({ type: 'hand-run-ended', v: 1, plan: path, run, by: user, completed, failed });
    for (const event of signsOfLife(tx.state, plan, user, tx.now)) tx.record(event);
    return report(plan, find(plan, run)!);
  });
}

const find = (plan: PlanState, run: string): RunRecord | undefined => plan.history.find((known) => known.run === run);

/** By the time, as people like to read it; two within a millisecond are told apart by a number. */
function freeId(plan: PlanState, now: number): RunId {
  for (let n = 1; ; n++) {
    const run = runId(`${handPrefix}${now}${n === 1 ? '' : `-${n}`}`);
    if (!find(plan, run)) return run;
  }
}

function openRun(plan: PlanState, named: string | undefined): RunRecord {
  const open = plan.history.filter(({ run, endedAt }) => isByHand(run) && endedAt === 0);
  const begin = 'begin one with: signalbox start-run';
  if (named === undefined) {
    if (open.length === 1) return open[0]!;
    if (open.length === 0) throw new Refusal(2, `no run by hand of ${plan.path} goes on`, { instead: begin });
    throw new Refusal(2, `${open.length} runs by hand go on: ${open.map(({ run }) => run).join(', ')}`, {
      instead: 'name the one that is meant',
    });
  }
  const known = find(plan, named);
  if (!known) throw new Refusal(2, `${plan.path} has no run ${JSON.stringify(named)}`, { instead: begin });
  if (!isByHand(named)) {
    throw new Refusal(2, `${named} is not a run by hand`, {
      instead: 'a runner ends its own; stop it with: signalbox stop',
    });
  }
  if (known.endedAt > 0) throw new Refusal(2, `${named} has ended already`, { instead: begin });
  return known;
}

const report = (plan: PlanState, { run, startedAt, endedAt, completed, failed }: RunRecord): HandRunReport => ({
  plan: plan.path,
  run,
  startedAt: new Date(startedAt).toISOString(),
  completedAt: endedAt === 0 ? null : new Date(endedAt).toISOString(),
  completed,
  failed,
});
