// An event about something that is not there, or about an attempt that is not the current one, is kept in the log and changes
// nothing: the late word of a host that was given up can do no harm.
import { describe, expect, it } from 'vitest';
import { about, begin, firstRun, here, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Event } from '../model/event.ts';
import { planPath, runId } from '../model/ids.ts';
import { summaryOf } from '../rules/outcome.ts';
import { snapshotLocks } from './lock-state.ts';

const noSummary = summaryOf(log(planOf('')).load().plan);

describe('changes nothing', () => {
  const plan = planOf('a, b');
  const running = () => begin(plan).schedule('a').end('a', 1).again('a').schedule('a').start('a');
  const other = planPath('other.md');
  const end = { kind: 'exited', code: 0 } as const;
  const failure = { kind: 'exit', code: 1 } as const;
  const cases: [string, Event][] = [
    ['a token of an attempt that has ended', { type: 'attempt-ended', ...about('a', 1), end }],
    ['the same, started', { type: 'attempt-started', ...about('a', 1), supervisor: here }],
    ['the same, doomed', { type: 'attempt-doomed', ...about('a', 1), doom: { kind: 'stop' } }],
    ['a token never given out', { type: 'attempt-ended', ...about('a', 3, 99), end }],
    ['a token of another task', { type: 'attempt-ended', ...about('b', 1, 2), end }],
    ['a token of another plan', { type: 'attempt-ended', ...about('a', 2), plan: other, end }],
    ['a judgement on an earlier attempt: completed', { type: 'task-completed', ...about('a', 1) }],
    ['the same: failed', { type: 'task-failed', ...about('a', 1), failure }],
    ['the same: again', { type: 'retry-scheduled', ...about('a', 1), because: 'failed', notBefore: 0 }],
    ['a judgement before the end', { type: 'task-completed', ...about('a', 2) }],
    ['an unknown task: completed', { type: 'task-completed', ...about('z') }],
    ['an unknown task: skipped', { type: 'task-skipped', ...about('z'), by: 'ann' }],
    ['an unknown task: backoff', { type: 'backoff-ended', ...about('z') }],
    ['an unknown task: scheduled', { type: 'attempt-scheduled', ...about('z', 1, 1), host: here.host }],
    ['an unknown plan', { type: 'task-completed', ...about('a'), plan: other }],
    ['an unknown plan: run', { type: 'plan-paused', v: 1, plan: other, by: 'ann' }],
    [
      'another run: stopping',
      { type: 'run-stopping', ...about('a'), run: runId('x'), mode: 'kill', by: 'ann', exitCode: 143 },
    ],
    [
      'another run: ended',
      { type: 'run-ended', ...about('a'), run: runId('x'), outcome: 'complete', exitCode: 0, summary: noSummary },
    ],
  ];

  const by = (task: string, n: number, token: number) => ({ ...about(task, n, token), owner: `#${token}` });
  const mode = 'exclusive';
  const wants = [{ key: 'x', mode }] as const;
  const lockCases: [string, Event][] = [
    ['a lock for an attempt that has ended', { type: 'lock-acquired', ...by('a', 1, 1), resource: 'x', mode }],
    [
      'the same, waiting',
      { type: 'lock-waiting', ...by('a', 1, 1), resource: 'x', wants, blockedBy: [], process: here },
    ],
    ['a lock for a token never given out', { type: 'lock-acquired', ...by('a', 9, 99), resource: 'x', mode }],
    ['a release of what was not held', { type: 'lock-released', ...by('a', 2, 2), resource: 'x', because: 'released' }],
    ['a wait that nobody waits', { type: 'lock-wait-ended', ...by('a', 2, 2), ticket: 3, because: 'timeout' }],
    ['word of somebody unknown', { type: 'lock-renewed', v: 1, plan: other, owner: 'ann', until: 5 }],
    ['work of an attempt that was not stopped', { type: 'work-saved', ...about('a', 2), saved: 'x', files: 1 }],
    [
      'what an attempt that has ended wrote',
      { type: 'write-found', ...about('a', 1, 1), files: [{ path: 'x', finding: 'late' }] },
    ],
    ['files of one', { type: 'files-put-back', ...about('a', 2) }],
    ['a need of an unknown task', { type: 'need-added', ...about('z'), on: 'b#1', owner: '#2', resource: 'x' }],
    ['a refusal', { type: 'lock-refused', ...by('a', 2, 2), resource: 'x', cycle: [], words: '' }],
    [
      'the end of a deadlock',
      { type: 'deadlock-resolved', ...about('a', 2), victim: about('a').attempt, victimTask: about('a').task },
    ],
  ];

  it.each([...cases, ...lockCases])('%s', (_, event) => {
    const scenario = running();
    const { seq } = scenario.state;
    const before = everything(scenario);
    scenario.record(event);
    expect(everything(scenario)).toEqual(before);
    expect(scenario.state.seq).toBe(seq + 1);
  });

  it('runs of a plan that never had one', () => {
    const scenario = log(plan).load().stop('stop');
    scenario.record({
      type: 'run-ended',
      v: 1,
      plan: planPath('plan.md'),
      run: firstRun,
      outcome: 'complete',
      exitCode: 0,
      summary: noSummary,
    });
    expect(scenario.plan.run).toBeNull();
  });

  it('a judgement that comes after a person took the task back', () => {
    const scenario = begin(plan).schedule('a').end('a', 0).suspend('a');
    scenario.record({ type: 'task-completed', ...about('a') });
    expect(scenario.task('a').status).toBe('suspended');
  });

  it('the end of an unknown task leaves the work of a person on another alone', () => {
    const scenario = begin(plan).record({ type: 'task-started', ...about('a', 1, 1), by: 'ann' });
    scenario.record({ type: 'task-completed', ...about('z') });
    expect([...scenario.state.hands]).toEqual([1]);
  });

  it('an attempt of an earlier run counts for no other', () => {
    const scenario = begin(plan).startRun({}, runId('run-2'));
    scenario.record({ type: 'attempt-scheduled', ...about('a'), host: here.host });
    expect([scenario.plan.run!.attempts, scenario.plan.live]).toEqual([0, 1]);
  });

  it('tokens only ever grow, also by those of unknown tasks', () => {
    const { state } = begin(plan).record({ type: 'attempt-scheduled', ...about('z', 1, 40), host: here.host });
    expect([state.token, state.live.size]).toEqual([40, 0]);
    const again = begin(plan).schedule('a', 'b');
    again.record({ type: 'attempt-scheduled', ...about('z', 1, 1), host: here.host });
    expect(again.state.token).toBe(2);
  });
});

it('being stuck is told, not stored', () => {
  const scenario = begin('a');
  const before = everything(scenario);
  scenario.record({ type: 'plan-stuck', v: 1, plan: scenario.plan.path, run: firstRun, blocked: 1, causes: [] });
  expect(everything(scenario)).toEqual(before);
});

/** All that is known, but for the place in the log. */
function everything(scenario: Scenario) {
  const { state } = scenario;
  const { changedAt: _, ready, backoff, ...plan } = scenario.plan;
  return structuredClone({
    plans: state.plans.size,
    token: state.token,
    live: state.live,
    usage: state.usage,
    locks: snapshotLocks(state.locks),
    salvage: state.salvage,
    plan,
    ready: ready.inOrder(),
    backoff: backoff.all(),
  });
}
