// Any history of a plan: whatever can be recorded about any of its tasks, in any order that makes sense at that moment.
import fc from 'fast-check';
import type { Scenario } from './scenario.ts';

const blocker = { owner: 'ann', name: 'ann', resource: 'x' };
const victim = { kind: 'deadlock', words: 'ann has x', blocker } as const;

const steps: ((scenario: Scenario, id: string) => unknown)[] = [
  (s, id) => !s.task(id).live && s.schedule(id),
  (s, id) => s.task(id).live && s.start(id),
  (s, id) => s.task(id).live && s.doom(id, { kind: 'stop' }),
  (s, id) => s.task(id).live && s.end(id, 1),
  (s, id) => s.task(id).ended && s.again(id, 5_000, 'failed', { kind: 'exit', code: 1 }),
  (s, id) => s.endBackoff(id),
  (s, id) => s.complete(id),
  (s, id) => s.fail(id),
  (s, id) => s.skip(id),
  (s, id) => s.treatAsDone(id),
  (s, id) => s.suspend(id),
  (s, id) => s.resume(id),
  (s, id) => s.retry(id),
  (s, id) => s.lock(id, 'x'),
  (s, id) => s.lock(id, '~x y'),
  (s, id) => s.lock(id, 'y'),
  (s, id) => s.lock(id, 'src/**'),
  (s, id) => s.lock(id, '~src/a.ts x'),
  (s) => s.lock('ann', 'x y'),
  (s, id) => s.release(id, 'x y'),
  (s, id) => s.giveUp(id),
  (s) => s.release('ann', 'x'),
  (s, id) => s.task(id).live && s.doom(id, { kind: 'withdrawn' }),
  (s, id) => s.task(id).live && s.doom(id, victim),
  (s, id) => s.task(id).live && s.end(id, { kind: 'lost' }),
  (s, id) => s.state.salvage.has(s.task(id).token) && s.saveWork(s.task(id).token, 'saved-1'),
  (s, id) => s.state.salvage.has(s.task(id).token) && s.putBack(s.task(id).token),
  (s) => s.decide(null),
  (s) => s.decide(),
  (s) => s.pause(),
  (s) => s.resumePlan(),
  (s) => s.startRun({ plan: 2 }),
  (s) => s.stop('drain'),
  (s) => s.startOver(),
];

export type Step = readonly [which: number, task: number];

export const anyHistory = fc.array(fc.tuple(fc.nat({ max: steps.length - 1 }), fc.nat({ max: 20 })), { maxLength: 40 });

export function perform(scenario: Scenario, [which, n]: Step, at: number): void {
  const leaves = scenario.plan.plan.tasks.filter(({ group }) => !group);
  scenario.after(at);
  steps[which]!(scenario, leaves[n % leaves.length]!.id);
}
