// Done needs evidence: what is checked and reviewed, when, and what comes of it.
import { describe, expect, it } from 'vitest';
import { log, planOf } from '../../../test/scenario.ts';
import { verifying } from '../../../test/verify-scenario.ts';
import type { AttemptEnd, Doom } from '../model/failure.ts';
import { attemptId, taskId } from '../model/ids.ts';

const checked = { a: { run: 'true', check: ['one', 'two'], retries: 0 } };
const reviewed = { a: { agent: 'x', review: 'agent' } } as const;
const asked = { a: { agent: 'x', review: 'human' } } as const;

describe('checks', () => {
  it('run one after the other when the attempt has ended well, and completed is what passed all', () => {
    const scenario = verifying('a', checked).ends('a');
    expect([scenario.going(), scenario.status('a')]).toEqual([['a#1 check 0'], 'in_progress']);
    expect(scenario.ends('a').going()).toEqual(['a#1 check 1']);
    expect(scenario.ends('a').status('a')).toBe('completed');
  });

  it('are not run for an attempt that failed', () => {
    expect(verifying('a', checked).ends('a', 1).status('a')).toBe('failed');
  });

  it('that are not green are a failure with their command and code', () => {
    const scenario = verifying('a', checked).ends('a').ends('a').ends('a', 3);
    expect(scenario.task('a').failure).toEqual({ kind: 'check', command: 'two', code: 3, token: 3 });
  });

  it('that were not green before the plan began say so', () => {
    const scenario = verifying('a', checked);
    scenario.record({ type: 'baseline-recorded', v: 1, plan: scenario.plan.path, failed: ['one'], passed: 1 });
    expect(scenario.ends('a').ends('a', 1).task('a').failure).toMatchObject({ command: 'one', before: true });
  });

  it('of a failed one are run from the first again with the next attempt', () => {
    const scenario = verifying('a', { a: { run: 'true', check: ['one', 'two'] } })
      .ends('a')
      .ends('a')
      .ends('a', 1);
    expect(scenario.status('a')).toBe('pending');
    expect(scenario.wait(2_000).ends('a').going()).toEqual(['a#2 check 0']);
  });

  const lost: AttemptEnd = { kind: 'lost' };
  it.each<[string, Doom | null, AttemptEnd | number, string | null]>([
    ['ends well though it was told to stop', { kind: 'stop' }, 0, null],
    ['took too long', { kind: 'timeout', limitMs: 1 }, 0, 'check'],
    ['fell silent', { kind: 'idle', limitMs: 1 }, { kind: 'killed', code: 1 }, 'check'],
    ['cannot be started at all', null, { kind: 'unstartable', message: 'no shell', permanent: true }, 'unstartable'],
  ])('one that %s proves something', (_, doom, end, failure) => {
    const scenario = verifying('a', { a: { run: 'true', check: ['one'], retries: 0 } }).ends('a');
    if (doom) scenario.dooms('a', doom);
    expect(scenario.ends('a', end).task('a').failure?.kind ?? null).toBe(failure);
  });

  it.each<[string, Doom | null, AttemptEnd | number]>([
    ['is lost', null, lost],
    ['is ended by the stop of a run', { kind: 'stop' }, 1],
    ['is killed by the stop of a run', { kind: 'stop' }, { kind: 'killed', code: null }],
    ['was called back before it started', null, { kind: 'never-started' }],
    ['could not be started this time', null, { kind: 'unstartable', message: 'busy', permanent: false }],
  ])('one that %s proves nothing, and is run again', (_, doom, end) => {
    const scenario = verifying('a', checked).ends('a');
    if (doom) scenario.dooms('a', doom);
    expect([scenario.ends('a', end).going(), scenario.status('a')]).toEqual([['a#1 check 0'], 'in_progress']);
  });

  it('that prove nothing three times are a failure; one that passes starts the counting anew', () => {
    const scenario = verifying('a', checked).ends('a').ends('a', lost).ends('a', lost).ends('a');
    expect(scenario.ends('a', lost).ends('a', lost).status('a')).toBe('in_progress');
    expect(scenario.ends('a', lost).task('a').failure).toEqual({
      kind: 'review',
      message: 'what should prove it did not end',
    });
  });

  it('called back before they started are no fault of anybody, however often', () => {
    const scenario = verifying('a', checked).ends('a');
    for (let n = 0; n < 5; n++) scenario.ends('a', { kind: 'never-started' });
    expect(scenario.going()).toEqual(['a#1 check 0']);
  });

  it('hold the place and the resources that the attempt had, but not its model', () => {
    const keys = { run: 'true', check: ['one'], uses: ['db'], model: 'opus' };
    const limits = { plan: 3, pools: { db: 1, opus: 1 } };
    const scenario = verifying(
      'a, b, c',
      { a: keys, b: { run: 'true', uses: ['db'] }, c: { run: 'true', model: 'opus' } },
      { limits },
    );
    expect(scenario.going()).toEqual(['a#1']);
    expect(scenario.ends('a').going()).toEqual(['a#1 check 0', 'c#1']);
    expect(scenario.ends('a').going()).toEqual(['c#1', 'b#1']);
  });

  it('wait for a resource that another plan has taken since', () => {
    const scenario = verifying(
      'a',
      { a: { run: 'true', check: ['one'], uses: ['db'] } },
      { limits: { pools: { db: 1 } } },
    );
    scenario.end('a', 0);
    scenario.state.usage.set('db', 1);
    expect(scenario.goOn().going()).toEqual([]);
    scenario.state.usage.set('db', 0);
    expect(scenario.goOn().going()).toEqual(['a#1 check 0']);
  });

  it('count against the limit of the plan', () => {
    const scenario = verifying('a, b', checked, { limits: { plan: 1 } }).ends('a');
    expect(scenario.going()).toEqual(['a#1 check 0']);
  });

  it('keep the locks of the attempt until it is judged', () => {
    const scenario = verifying('a', { a: { run: 'true', check: ['one'], files: ['x'] } }).ends('a');
    expect(scenario.locks()).toBe('a#1 x');
    expect(scenario.ends('a').locks()).toBe('');
  });

  it('are left for the next run when this one is stopped, and done when it only drains', () => {
    const stopped = verifying('a', checked).stop('stop').ends('a');
    expect([stopped.going(), stopped.outcome(), stopped.status('a')]).toEqual([[], 'aborted', 'in_progress']);
    expect(stopped.runAgain().going()).toEqual(['a#1 check 0']);
    const drained = verifying('a, b → a', checked).stop('drain').ends('a');
    expect(drained.going()).toEqual(['a#1 check 0']);
    expect(drained.ends('a').ends('a').outcome()).toBe('aborted');
  });

  it('of a run whose runner was killed are told by whoever comes next, and go on there', () => {
    const scenario = verifying('a', checked).ends('a').runAgain();
    expect(scenario.going()).toEqual(['a#1 check 0']);
    expect(scenario.ends('a', { kind: 'lost' }).going()).toEqual(['a#1 check 0']);
  });

  it('are run while the plan is paused: they belong to what has started', () => {
    expect(verifying('a', checked).pause().ends('a').going()).toEqual(['a#1 check 0']);
  });
});

describe('somebody interferes while it is verified', () => {
  it.each([
    ['checked', checked],
    ['reviewed', reviewed],
  ] as const)('%s: a skip ends it, and what it says no longer matters', (_, keys) => {
    const scenario = verifying('a', keys).ends('a').skips('a');
    expect([scenario.status('a'), scenario.live('a').doom?.kind]).toEqual(['skipped', 'withdrawn']);
    expect([scenario.ends('a').status('a'), scenario.outcome()]).toEqual(['skipped', 'complete']);
  });

  it('suspended and resumed before the check is dead: nothing starts beside it', () => {
    const scenario = verifying('a', checked).ends('a').suspends('a').resume('a').goOn();
    expect(scenario.going()).toEqual(['a#1 check 0']);
    expect(scenario.ends('a').going()).toEqual(['a#2']);
  });

  it('a suspended one holds neither lock nor place once its check is dead', () => {
    const keys = { run: 'true', check: ['one'], files: ['x'] };
    const scenario = verifying('a, b', { a: keys, b: { run: 'true', files: ['x'] } }, { limits: { plan: 1 } })
      .ends('a')
      .suspends('a');
    expect(scenario.locks()).toBe('a#1 x');
    expect(scenario.ends('a', { kind: 'killed', code: null }).going()).toEqual(['b#1']);
    expect(scenario.locks()).toBe('b#1 x');
  });

  it('an edit that adds a check to what a person reviews has it run, also when the approval comes first', () => {
    const scenario = verifying('a', asked).ends('a');
    const [task] = scenario.plan.plan.tasks;
    const edited = { ...scenario.plan.plan, tasks: [{ ...task!, keys: { ...task!.keys, check: ['new'] } }] };
    expect(scenario.load(edited, 'r2').runAgain().going()).toEqual(['a#1 check 0']);
    expect(scenario.answer('approve').going()).toEqual(['a#1 check 0']);
    expect(scenario.ends('a').status('a')).toBe('completed');
  });

  it.each([
    ['none', 'completed', []],
    ['agent', 'in_progress', ['a#1 review']],
  ] as const)('an edit that makes the person’s review %s closes the question', (review, status, going) => {
    const scenario = verifying('a', asked).ends('a');
    const [task] = scenario.plan.plan.tasks;
    const edited = { ...scenario.plan.plan, tasks: [{ ...task!, keys: { agent: 'x', review } }] };
    scenario.load(edited, 'r2').runAgain();
    expect([scenario.asked(), scenario.status('a'), scenario.going()]).toEqual([[], status, going]);
  });

  it('a task that is taken out of the plan while it is checked keeps its place until the check is dead', () => {
    const scenario = verifying('a, b', checked, { limits: { plan: 1 } }).ends('a');
    const [, b] = scenario.plan.plan.tasks;
    const { token, attempt, run, plan } = scenario.live('a');
    scenario.load({ ...scenario.plan.plan, tasks: [b!] }, 'r2').goOn();
    expect([scenario.plan.live, scenario.going()]).toEqual([1, ['a#1 check 0']]);
    const about = { v: 1, plan, run, task: taskId('a'), attempt, token } as const;
    const end = { kind: 'exited', code: 0 } as const;
    scenario.record({ type: 'check-ended', ...about, check: 0, command: '', end, result: 'passed' }).goOn();
    expect([scenario.plan.live, scenario.going()]).toEqual([1, ['b#1']]);
  });
});

describe('reviews by agents', () => {
  it('come after the checks, and an approval completes', () => {
    const scenario = verifying('a', { a: { agent: 'x', check: ['one'], review: 'agent' } })
      .ends('a')
      .ends('a');
    expect(scenario.going()).toEqual(['a#1 review']);
    expect(scenario.says('a', 'approved').status('a')).toBe('completed');
  });

  const all = {
    a: { agent: 'x', review: 'agent' },
    b: { agent: 'x', review: 'agent' },
    c: { agent: 'x', review: 'agent' },
  } as const;

  it('are one at a time, in the order in which they came, whatever the order of the plan', () => {
    const scenario = verifying('a, b, c', all).ends('b').ends('c').ends('a');
    expect(scenario.going()).toEqual(['b#1 review']);
    expect(scenario.says('b', 'approved').going()).toEqual(['c#1 review']);
    expect(scenario.says('c', 'approved').going()).toEqual(['a#1 review']);
  });

  it('take nobody’s place', () => {
    const scenario = verifying('a, b', all, { limits: { plan: 1, workspace: 1 } }).ends('a');
    expect(scenario.going()).toEqual(['a#1 review', 'b#1']);
  });

  const unreadable = { verdict: 'unreadable', problem: 'no verdict in it' } as const;
  it.each<[string, (s: ReturnType<typeof verifying>) => unknown, string]>([
    ['cannot be understood', (s) => s.says('a', unreadable), 'its review was no answer: no verdict in it'],
    ['ends with an error', (s) => s.ends('a', 1), 'what should prove it did not end'],
    ['is lost', (s) => s.ends('a', { kind: 'lost' }), 'what should prove it did not end'],
    [
      'takes too long',
      (s) => s.dooms('a', { kind: 'timeout', limitMs: 1 }).ends('a', { kind: 'killed', code: 1 }),
      'its review was no answer: the reviewer took too long',
    ],
    [
      'falls silent',
      (s) => s.dooms('a', { kind: 'idle', limitMs: 1 }).ends('a', { kind: 'killed', code: 1 }),
      'its review was no answer: the reviewer took too long',
    ],
    [
      'cannot be started',
      (s) => s.ends('a', { kind: 'unstartable', message: 'no such program', permanent: true }),
      'its review was no answer: no such program',
    ],
  ])(
    'one that %s is no approval: tried three times, and then failed without doing the work again',
    (_, happens, message) => {
      const scenario = verifying('a', reviewed).ends('a');
      for (let n = 0; n < 3; n++) {
        expect(scenario.going()).toEqual(['a#1 review']);
        happens(scenario);
      }
      expect([scenario.status('a'), scenario.task('a').failure]).toEqual(['failed', { kind: 'review', message }]);
    },
  );

  it('called back before they started are no fault of anybody, however often', () => {
    const scenario = verifying('a', reviewed).ends('a');
    for (let n = 0; n < 5; n++) scenario.ends('a', { kind: 'never-started' });
    expect(scenario.going()).toEqual(['a#1 review']);
  });

  it('an answer of a reviewer that ended with an error is worth nothing', () => {
    const scenario = verifying('a', reviewed).ends('a');
    const { plan, run, task, attempt, token } = scenario.live('a');
    const about = { v: 1, plan, run, task, attempt, token } as const;
    scenario.record({ type: 'review-ended', ...about, by: 'r', result: 'unreadable', problem: 'code 1' }).goOn();
    expect([scenario.status('a'), scenario.going()]).toEqual(['in_progress', ['a#1 review']]);
  });

  it('the first verdict about an attempt counts, also a person’s while an agent reads', () => {
    const scenario = verifying('a', reviewed).ends('a');
    const { plan, task, attempt } = scenario.live('a');
    scenario.record({ type: 'review-ended', v: 1, plan, task, attempt, by: 'ann', result: 'approved' });
    expect(scenario.says('a', 'high').status('a')).toBe('completed');
  });
});

describe('reviews by people', () => {
  it('are asked for once, and hold nothing up but what needs it', () => {
    const scenario = verifying('a, b → a, c', asked).ends('a').goOn();
    expect([scenario.asked(), scenario.going()]).toEqual([['d1 review a'], ['c#1']]);
    expect(scenario.decision()).toMatchObject({
      attempt: 'a#1',
      blocks: { count: 1, tasks: ['b'] },
      goesOn: { count: 1, tasks: ['c'] },
    });
    expect(scenario.ends('c').outcome()).toBe('waiting');
  });

  it.each([
    ['approve', {}, 'completed'],
    ['reject', { reason: 'too slow' }, 'pending'],
    ['reject', {}, 'pending'],
    ['reject', { severity: 'high', issues: [{ message: 'no' }] }, 'suspended'],
  ] as const)('%s %j', (choice, more, status) => {
    expect(verifying('a, b', asked).pause().ends('a').answer(choice, more).status('a')).toBe(status);
  });

  it('an answer about an older attempt changes nothing', () => {
    const scenario = verifying('a, b', asked).ends('a');
    const { plan } = scenario;
    const old = { v: 1, plan: plan.path, task: taskId('a'), attempt: plan.tasks[0]!.ended!.attempt } as const;
    scenario.answer('reject', { reason: 'no' }).ends('a');
    scenario.record({ type: 'review-ended', ...old, by: 'ann', result: 'approved' }).goOn();
    expect([scenario.status('a'), scenario.asked()]).toEqual(['in_progress', ['d2 review a']]);
  });

  it('a decision that was answered when its task had changed is refused', () => {
    const scenario = verifying('a', asked).ends('a');
    const decision = scenario.decision();
    scenario.record({ type: 'task-skipped', v: 1, plan: scenario.plan.path, task: taskId('a'), by: 'bob' });
    expect(scenario.tryAnswer('approve', {}, decision)).toMatchObject({ ok: false });
    expect(scenario.goOn().asked()).toEqual([]);
  });

  it('an abort asks nothing more; the next run asks again', () => {
    const scenario = verifying('a, b', asked).ends('a').answer('abort').ends('b', { kind: 'killed', code: null });
    expect([scenario.outcome(), scenario.asked()]).toEqual(['aborted', []]);
    expect(scenario.settle().asked()).toEqual([]);
    expect(scenario.runAgain().asked()).toEqual(['d2 review a']);
  });

  it('the runs that follow ask nothing that is asked already', () => {
    const scenario = verifying('a', asked).ends('a').runAgain();
    expect([scenario.asked(), scenario.outcome()]).toEqual([['d1 review a'], 'waiting']);
  });
});

it('what was done by hand is reviewed without any run, and sent back', () => {
  const scenario = log(planOf('a', { keys: { a: { review: 'human' } } })).load();
  const [task, plan] = [taskId('a'), scenario.plan.path];
  const hand = { v: 1, plan, task, attempt: attemptId(task, 1), token: 1, by: 'ann' } as const;
  scenario.record({ type: 'task-started', ...hand }, { type: 'task-handed-in', ...hand, checks: 0 });
  scenario.decide(null);
  expect([...scenario.plan.decisions.values()]).toMatchObject([{ kind: 'review', task: 'a' }]);
  const about = { v: 1, plan, task, attempt: hand.attempt } as const;
  scenario.record({ type: 'review-ended', ...about, by: 'bob', result: 'rejected', severity: 'low', issues: [] });
  scenario.decide(null);
  expect([scenario.status('a'), scenario.plan.decisions.size]).toEqual(['pending', 0]);
});
