// How a run goes from one process to another: the new one says when it has seen everything that runs, and only then the old one ends.

import type { Event } from '../../core/model/event.ts';
import type { Me } from '../../core/rules/decide.ts';
import type { PlanState, State } from '../../core/state/state.ts';

/** A new process that says nothing for so long may be dead; whoever runs the plan next adopts what lives. */
const patienceMs = 10_000;

/** Said once: every attempt that another process started is looked after here, or is over. */
export function tookOver(state: State, me: Me, attends: (token: number) => boolean): Event[] {
  const { run } = state.plans.get(me.plan)!;
  if (run?.run !== me.run || !run.takesOver || run.tookOver) return [];
  let adopted = 0;
  for (const live of state.live.values()) {
    if (live.plan !== me.plan || live.run === me.run) continue;
    if (!attends(live.token)) return [];
    adopted++;
  }
  return [{ type: 'run-took-over', v: 1, plan: me.plan, run: me.run, adopted }];
}

/** For the old process: whether it may end now. */
export class Parting {
  private since: number | null = null;

  isOver({ run }: PlanState, now: number): boolean {
    this.since ??= now;
    return !run!.takesOver || run!.tookOver || run!.ended !== null || now - this.since >= patienceMs;
  }
}
