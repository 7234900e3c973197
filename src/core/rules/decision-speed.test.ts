// What a transition costs must not depend on how many tasks there are, have failed, or are asked about.
import { expect, it } from 'vitest';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import type { TaskKeys } from '../model/plan.ts';
import { decide } from './decide.ts';

const once: TaskKeys = { run: 'true', retries: 0 };
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

function cpuMs(work: () => void): number {
  const { user, system } = process.cpuUsage();
  work();
  const now = process.cpuUsage();
  return (now.user + now.system - user - system) / 1_000;
}

/** Failures one after the other, each with all that follows from it. */
function failAll(scenario: VerifyScenario, ids: readonly string[]): void {
  for (const id of ids) {
    const { plan, run, task, attempt, token } = scenario.live(id);
    const end = { kind: 'exited', code: 1 } as const;
    scenario.record({ type: 'attempt-ended', v: 1, plan, run, task, attempt, token, end });
    for (
      let more = decide(scenario.state, scenario.time, scenario.me);
      more.length > 0;
      more = decide(scenario.state, scenario.time, scenario.me)
    )
      scenario.record(...more);
  }
}

/** So many fail, each needed by one, among so many others. */
function perFailure(failing: number, others: number): number {
  const failed = names('f', failing);
  const text = [...failed, ...failed.map((id) => `n${id} → ${id}`), ...names('x', others)].join(', ');
  const scenario = verifying(text, Object.fromEntries(failed.map((id) => [id, once])), { limits: { plan: failing } });
  const ms = cpuMs(() => failAll(scenario, failed));
  expect(scenario.plan.decisions.size).toBe(failing);
  return ms / failing;
}

it('a failure that is asked about costs the same among 1,000 and 40,000 tasks, and with 1,000 open questions', () => {
  const small = Math.min(perFailure(200, 600), perFailure(200, 600));
  const large = Math.min(perFailure(200, 40_000), perFailure(200, 40_000));
  const asked = perFailure(1_000, 40_000);
  // Twenty times as many tasks, or five times as many questions, cost no more than a few times as much: caches, not rules.
  expect(large).toBeLessThan(8 * small + 0.2);
  expect(asked).toBeLessThan(8 * small + 0.2);
});

it('a thousand reviews in line cost a transition nothing', () => {
  const ids = names('r', 1_000);
  const scenario = verifying(
    ids.join(', '),
    Object.fromEntries(ids.map((id) => [id, { agent: 'x', review: 'agent' as const }])),
  );
  for (const id of ids) scenario.end(id, 0);
  scenario.goOn();
  expect(
    cpuMs(() => {
      for (let n = 0; n < 2_000; n++) decide(scenario.state, scenario.time, scenario.me);
    }),
  ).toBeLessThan(1_500);
});
