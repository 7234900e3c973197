// The next thing that has to be done about an attempt that ended well, before it can be judged: a check, a review, or a question to
// a person. A check goes on in the place that its attempt had; reviews have one place of their own, in the order of arrival.
import type { Me } from './decide.ts';
import type { Event } from './event.ts';
import { ask } from './open-decisions.ts';
import { verdictOn } from './retry.ts';
import { BAD } from './signal.ts';
import type { PlanState, State } from './state.ts';
import { dependentLeaves } from './steer.ts';

/** Null: it is not the turn of this one, or not for us to do. */
export function scheduleJob(state: State, plan: PlanState, i: number, now: number, me: Me | null): Event[] | null {
  const task = plan.plan.tasks[i]!;
  const ended = plan.tasks[i]!.ended!;
  const next = verdictOn(task, ended);
  if (next.kind === 'review' && next.by === 'human') {
    const blocked = dependentLeaves(plan, i, BAD);
    return ask(state, plan, { kind: 'review', about: i, blocked, choice: null, now });
  }
  if (me?.plan !== plan.path || plan.run?.run !== me.run || isBeingStopped(plan)) return null;
  const token = state.token + 1;
  const about = {
    v: 1,
    plan: plan.path,
    run: me.run,
    task: task.id,
    attempt: ended.attempt,
    token,
    host: me.host,
  } as const;
  if (next.kind === 'check') return [{ type: 'check-scheduled', ...about, check: next.check }];
  return next.kind === 'review' && plan.reviewing === 0 ? [{ type: 'review-scheduled', ...about }] : null;
}

const isBeingStopped = ({ run }: PlanState): boolean => run!.stopping !== null && run!.stopping.mode !== 'drain';
