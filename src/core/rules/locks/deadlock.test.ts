import { describe, expect, it } from 'vitest';
import { almost, brief, deadlocked, overAndPutBack, running, since } from '../../../../test/lock-stories.ts';
import { begin, dawn, log, planOf, type Scenario } from '../../../../test/scenario.ts';
import { resumeTask } from '../../commands/question.ts';
import { skipTask, suspendTask } from '../../commands/steer.ts';
import { runId } from '../../model/ids.ts';

const settled = (scenario: Scenario) => scenario.decide().map(brief);
const victimEnds = ['lock-released b#1 y', 'lock-acquired a#1 y'];
const judgement = ['need-added b on a#1 x', 'retry-scheduled b#1 deadlock', 'deadlock-resolved b#1'];

describe('the resolution', () => {
  it('is these events, in this order', () => {
    const scenario = almost();
    const { seq } = scenario.state;
    scenario.lock('b', 'x').decide();
    scenario.end('b', { kind: 'killed', code: null }).decide();
    scenario.saveWork(2, 'saved-1').decide();
    scenario.putBack(2).decide();
    expect(since(scenario.events, seq)).toEqual([
      'deadlock-detected b#1',
      'attempt-doomed b#1 deadlock',
      'attempt-ended b#1',
      'work-saved b#1',
      'files-put-back b#1',
      ...victimEnds,
      ...judgement,
    ]);
    expect(scenario.locks()).toBe('a#1 x, a#1 y');
  });

  it('nothing moves before the files are put back', () => {
    const scenario = deadlocked();
    for (const step of [
      () => scenario,
      () => scenario.end('b', { kind: 'killed', code: null }),
      () => scenario.saveWork(2),
    ]) {
      expect(settled(step())).toEqual([]);
      expect(scenario.locks()).toBe('a#1 x, b#1 y, a#1 waits y');
    }
  });

  it.each([0, 1])('that it ended by itself with %i before it could be killed means nothing', (code) => {
    const scenario = deadlocked().end('b', code).saveWork(2).putBack(2);
    expect(settled(scenario)).toEqual([...victimEnds, ...judgement]);
    expect(scenario.task('b')).toMatchObject({ status: 'pending', failures: 0, deadlocks: 1, lost: 0 });
  });

  it('costs no retry and blocks nobody', () => {
    const scenario = overAndPutBack(deadlocked(planOf('a, b', { keys: { b: { run: 'x', retries: 0 } } })), 'b');
    scenario.load(planOf('a, b, c → b'), 'r2').decide();
    expect(scenario.statuses()).toEqual({ in_progress: 'a', pending: 'b c' });
  });

  it('is told to the next attempt, with where the work lies', () => {
    const scenario = overAndPutBack(deadlocked(), 'b');
    scenario.decide();
    expect(scenario.task('b').stopped).toEqual({ because: expect.stringContaining('waits for x'), saved: 'saved-1' });
  });

  it('keeps the original age, and counts', () => {
    const scenario = overAndPutBack(deadlocked(), 'b');
    scenario.decide();
    scenario.after(9).end('a', 0).decide();
    expect(scenario.live('b')).toMatchObject({ attempt: 'b#2' });
    expect(scenario.task('b')).toMatchObject({ firstStartedAt: dawn + 1, deadlocks: 1, after: null });
  });

  it('of one that only waited: it had nothing to put back', () => {
    const scenario = running().lock('ann', 'y').lock('a', 'x').lock('b', 'y').lock('b', 'x').lock('a', 'y');
    expect(scenario.live('b').doom).toMatchObject({ kind: 'deadlock' });
    scenario.end('b', { kind: 'killed', code: null });
    expect(settled(scenario)).toEqual(['lock-wait-ended b#1', 'lock-wait-ended b#1', ...judgement]);
  });

  it('of two at once', () => {
    const scenario = running('a, b, c, d').lock('a', 'x').lock('b', 'y').lock('c', 'v').lock('d', 'w');
    scenario.lock('a', 'y').lock('c', 'w').lock('b', 'x').lock('d', 'v');
    expect(['b', 'd'].map((id) => scenario.live(id).doom?.kind)).toEqual(['deadlock', 'deadlock']);
    overAndPutBack(overAndPutBack(scenario, 'd'), 'b').decide();
    expect(scenario.locks()).toBe('a#1 x, a#1 y, c#1 v, c#1 w');
    expect(scenario.statuses()).toEqual({ in_progress: 'a c', pending: 'b d' });
  });
});

describe('the added need', () => {
  const resolved = (plan = 'a, b') => {
    const scenario = overAndPutBack(deadlocked(plan), 'b');
    scenario.decide();
    return scenario;
  };

  it.each<[string, (scenario: Scenario) => Scenario]>([
    ['completes', (s) => s.end('a', 0)],
    ['fails', (s) => s.end('a', { kind: 'unstartable', message: '', permanent: true })],
    ['will be tried again', (s) => s.end('a', 1)],
    ['was skipped', (s) => overAndPutBack(s.skip('a').doom('a', { kind: 'withdrawn' }), 'a')],
    ['is lost', (s) => s.end('a', { kind: 'lost' }).saveWork(1).putBack(1)],
    ['lets go of what was contended', (s) => s.release('a', 'x')],
    ['has it taken by a person', (s) => s.release('a', 'x', 'forced')],
  ])('ends when the blocker %s', (_, step) => {
    const scenario = resolved();
    expect(scenario.task('b').after).toEqual({ owner: '#1', name: 'a#1', task: 'a', resource: 'x' });
    expect(settled(scenario)).toEqual([]);
    expect(settled(step(scenario))).toContain('attempt-scheduled b#2');
  });

  it('not when it lets go of something else', () => {
    expect(settled(resolved().release('a', 'y'))).toEqual([]);
  });

  it('is not there when the blocker has ended before the victim was dead', () => {
    const scenario = deadlocked().end('a', 0);
    expect(settled(scenario)).toEqual(['task-completed a#1', 'lock-wait-ended a#1', 'lock-released a#1 x']);
    expect(settled(overAndPutBack(scenario, 'b'))).toEqual([
      'lock-released b#1 y',
      'retry-scheduled b#1 deadlock',
      'deadlock-resolved b#1',
      'attempt-scheduled b#2',
    ]);
  });

  it('nor when it has let go of what was contended by then, whatever else it has', () => {
    const scenario = overAndPutBack(running().lock('a', 'x q').lock('b', 'y').lock('a', 'y').lock('b', 'x'), 'b');
    expect(settled(scenario.release('a', 'x'))).not.toContain('need-added b on a#1 x');
    expect([scenario.task('b').after, scenario.live('b').attempt]).toEqual([null, 'b#2']);
  });

  it('on somebody whom Signalbox did not start names no task', () => {
    const scenario = running('a').lock('ann', 'x').lock('a', 'y').lock('ann', 'y').lock('a', 'x');
    overAndPutBack(scenario, 'a').decide();
    expect(scenario.task('a').after).toEqual({ owner: 'ann', name: 'ann', task: null, resource: 'x' });
    expect(settled(scenario.release('ann', 'x'))).toEqual(['attempt-scheduled a#2']);
  });

  it('on an attempt of another plan names no task either', () => {
    const one = running('a');
    const two = log(planOf('b', { path: 'two.md' }), one.state).load();
    two.startRun({}, runId('run-2')).schedule('b').start('b');
    one.lock('a', 'x');
    two.lock('b', 'y').lock('b', 'x');
    one.lock('a', 'y');
    overAndPutBack(two, 'b').decide({ ...two.me, run: runId('run-2') });
    expect(two.task('b').after).toMatchObject({ owner: '#1', task: null });
    expect(one.locks()).toBe('a#1 x, a#1 y');
    one.end('a', 0).decide();
    expect(two.decide({ ...two.me, run: runId('run-2') }).map(brief)).toEqual(['attempt-scheduled b#2']);
  });

  it('is not added where it would close a cycle of needs and waits', () => {
    const scenario = deadlocked().end('b', 1).suspend('a').doom('a', { kind: 'withdrawn' }).resume('a');
    scenario.load(planOf('a → b, b'), 'r2').saveWork(2).putBack(2);
    expect(settled(scenario)).toEqual([
      'lock-released b#1 y',
      'lock-wait-ended a#1',
      ...judgement.slice(1),
      'attempt-scheduled b#2',
    ]);
  });

  it('looks at everybody who waits: tasks behind others, and attempts', () => {
    const scenario = running('a, b, c, d').lock('ann', 'q').lock('c', 'q').lock('ann', 'r').lock('bob', 'r');
    scenario.lock('a', 'x').lock('b', 'y').lock('d', 'v').lock('a', 'v').lock('d', 'x');
    overAndPutBack(scenario, 'd').decide();
    expect(scenario.task('d').after).toMatchObject({ task: 'a' });
    scenario.lock('c', 'x').lock('a', 'y').lock('b', 'x');
    overAndPutBack(scenario, 'b').decide();
    expect(scenario.task('b').after).toMatchObject({ task: 'a' });
    scenario.release('a', 'x').release('a', 'v');
    expect(scenario.plan.heldBack.size).toBe(2);
    const { heldBack, plan } = scenario.plan;
    scenario.load({ ...plan, title: 'Edited' }, 'r2');
    expect(scenario.plan.heldBack).toEqual(heldBack);
    expect(settled(scenario)).toEqual(['lock-acquired c#1 x', 'attempt-scheduled b#2', 'attempt-scheduled d#2']);
  });
});

describe('in the middle of it', () => {
  it('the run is stopped: the blocker ends, the victim waits for the next run', () => {
    const scenario = deadlocked().stop('stop');
    expect(settled(scenario)).toEqual(['attempt-doomed a#1 stop']);
    scenario.end('a', { kind: 'killed', code: null });
    expect(settled(scenario)).toEqual(['retry-scheduled a#1 stopped', 'lock-wait-ended a#1', 'lock-released a#1 x']);
    expect(settled(overAndPutBack(scenario, 'b'))).toEqual([
      'lock-released b#1 y',
      'retry-scheduled b#1 deadlock',
      'deadlock-resolved b#1',
      'run-ended aborted',
    ]);
  });

  it('the plan is paused: both are over first', () => {
    const scenario = overAndPutBack(deadlocked().pause(), 'b');
    expect(settled(scenario)).toEqual([...victimEnds, ...judgement]);
    expect(settled(scenario.end('a', 0)).at(-1)).toBe('run-ended paused');
  });

  it.each(['before its end', 'after it'])('a person skips the victim %s: it stays so', (when) => {
    const scenario = deadlocked();
    if (when === 'after it') scenario.end('b', 1);
    const answer = skipTask(scenario.plan, scenario.index('b'), { by: 'ann' });
    scenario.record(...(answer.ok ? answer.events : []));
    if (when !== 'after it') scenario.end('b', 1);
    expect(settled(scenario)).toEqual([]);
    expect(settled(scenario.saveWork(2).putBack(2))).toEqual([...victimEnds, 'deadlock-resolved b#1']);
    expect(scenario.task('b').deadlocks).toBe(1);
    expect(scenario.statuses()).toEqual({ in_progress: 'a', skipped: 'b' });
  });

  it('a person suspends the victim and lets it go on: it starts when its files are put back, not before', () => {
    const scenario = deadlocked();
    for (const steer of [suspendTask, resumeTask]) {
      const answer = steer(scenario.plan, scenario.index('b'), { by: 'ann' });
      scenario.record(...(answer.ok ? answer.events : []));
    }
    scenario.end('b', 1);
    expect(scenario.ready()).toEqual(['b']);
    expect(settled(scenario)).toEqual([]);
    expect(settled(scenario.saveWork(2))).toEqual([]);
    expect(settled(scenario.putBack(2))).toEqual([...victimEnds, 'deadlock-resolved b#1', 'attempt-scheduled b#2']);
  });

  it('a person takes the lock of the victim: the next one has it at once', () => {
    const scenario = deadlocked().release('b', 'y', 'forced');
    expect(settled(scenario)).toEqual(['lock-acquired a#1 y']);
    scenario.end('b', 1);
    expect(settled(scenario)).toEqual(judgement);
  });

  it('the victim is taken out of the plan: what it had is free all the same', () => {
    const scenario = deadlocked().end('b', 1).load(planOf('a'), 'r2');
    expect(settled(scenario.saveWork(2).putBack(2))).toEqual([...victimEnds, 'deadlock-resolved b#1']);
    expect(scenario.state.victims.size).toBe(0);
  });
});

it('of an attempt that has ended is no more than a word: nothing is left to resolve', () => {
  const scenario = deadlocked();
  const found = scenario.events.find(({ type }) => type === 'deadlock-detected')!;
  overAndPutBack(scenario, 'b').decide();
  scenario.record(found);
  expect(scenario.state.victims.size).toBe(0);
  expect(settled(scenario)).toEqual([]);
});

it('a task that waits behind its blocker keeps the run from ending', () => {
  const scenario = begin('a').schedule('a').start('a').lock('ann', 'x').lock('a', 'y').lock('ann', 'y').lock('a', 'x');
  overAndPutBack(scenario, 'a').decide();
  expect([scenario.plan.run!.ended, scenario.ready()]).toEqual([null, ['a']]);
});
