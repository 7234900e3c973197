// Runs by hand: a name for a stretch of work, with what was completed and failed since it began.
import { accept } from '../../core/commands/accept-or-refuse.ts';
import { type RunId, runId } from '../../core/model/ids.ts';
import { handPrefix, isByHand } from '../../core/state/questions/plan-status.ts';
import type { PlanState, RunRecord } from '../../core/state/state.ts';
import { act } from '../act/act.ts';
import { Refusal } from '../refusal.ts';
import type { HandRunReport } from '../reports/hand.ts';
import type { HandParts } from './hand-desk.ts';
import { signsOfLife } from './signs-of-life.ts';

export async function startHandRun(parts: HandParts): Promise<HandRunReport> {
  const { path, user: by } = parts;
  let started = '';
  const { seen } = await act(
    parts,
    (plan, state, now) => {
      const run = freeId(plan, now);
      started = run;
      return accept([{ type: 'hand-run-started', v: 1, plan: path, run, by }, ...signsOfLife(state, plan, by, now)]);
    },
    (plan) => report(plan, find(plan, started)!),
  );
  return seen;
}

export async function completeHandRun(parts: HandParts, named?: string): Promise<HandRunReport> {
  const { path, user: by } = parts;
  let ended = '';
  const { seen } = await act(
    parts,
    (plan, state, now) => {
      const { run, completed, failed } = openRun(plan, named);
      ended = run;
      return accept([
        { type: 'hand-run-ended', v: 1, plan: path, run, by, completed, failed },
        ...signsOfLife(state, plan, by, now),
      ]);
    },
    (plan) => report(plan, find(plan, ended)!),
  );
  return seen;
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
  const begin = 'begin one: signalbox start-run';
  if (named === undefined) {
    if (open.length === 1) return open[0]!;
    if (open.length === 0) throw new Refusal(2, `no run by hand of ${plan.path} is open`, { instead: begin });
    throw new Refusal(2, `${open.length} runs by hand are open: ${open.map(({ run }) => run).join(', ')}`, {
      instead: 'name the one to complete',
    });
  }
  const known = find(plan, named);
  if (!known) throw new Refusal(2, `${plan.path} has no run ${JSON.stringify(named)}`, { instead: begin });
  if (!isByHand(named)) {
    throw new Refusal(2, `${named} is not a run by hand`, {
      instead: 'a runner ends its own run; stop it: signalbox stop',
    });
  }
  if (known.endedAt > 0) throw new Refusal(2, `${named} has already ended`, { instead: begin });
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
