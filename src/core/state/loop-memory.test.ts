// Loops are stopped: rejections that repeat or go in a circle, agents that get nowhere, files that go back and forth.
import { describe, expect, it } from 'vitest';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { defaultLivelock } from '../model/defaults.ts';
import type { Evidence } from '../model/failure.ts';
import { taskId } from '../model/ids.ts';
import type { LivelockRules } from '../model/run-event.ts';
import { circleThrough, forgetBlame, rememberBlame, undoneFile } from './loop-memory.ts';
import { noLoops } from './plan-state.ts';

const agent = { agent: 'x', review: 'agent', retries: 9 } as const;
const all = { a: agent, b: agent, c: agent, d: agent };
const rules = (change: Partial<LivelockRules>) => ({ livelock: { ...defaultLivelock, ...change } });

describe('circular rejections', () => {
  const blamed = (scenario: VerifyScenario, ...pairs: [string, string][]) => {
    let n = 0;
    for (const [task, other] of pairs) scenario.rejected(task, 'low', 'abcdefghij'[n++]!.repeat(n), other);
    return scenario;
  };

  it('a for b and b for a, twice', () => {
    const scenario = blamed(verifying('a, b, c', all), ['a', 'b'], ['b', 'a'], ['a', 'b']);
    expect(scenario.asked()).toEqual([]);
    blamed(scenario, ['b', 'a']);
    expect(scenario.asked()).toEqual(['d1 livelock b']);
    expect(scenario.decision().evidence).toEqual({ kind: 'circular-rejection', circle: ['b', 'a'], times: 2 });
  });

  it('circles of three and more', () => {
    const round: [string, string][] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'a'],
    ];
    const scenario = blamed(verifying('a, b, c, d', all), ...round, ...round);
    expect(scenario.decision().evidence).toEqual({
      kind: 'circular-rejection',
      circle: ['d', 'a', 'b', 'c'],
      times: 2,
    });
  });

  it('the shortest circle is shown', () => {
    const loops = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['b', 'a'],
      ['c', 'b'],
    ].reduce((known, [task, other]) => rememberBlame(known, taskId(task!), [other!]), noLoops());
    expect(circleThrough(loops, taskId('a'), 1)).toEqual(['a', 'b']);
    const diamond = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'd'],
      ['c', 'd'],
      ['d', 'e'],
    ].reduce((known, [task, other]) => rememberBlame(known, taskId(task!), [other!]), noLoops());
    expect(circleThrough(diamond, taskId('a'), 1)).toBeNull();
  });

  it.each<[string, [string, string][]]>([
    [
      'one that blames itself',
      [
        ['a', 'a'],
        ['a', 'a'],
        ['a', 'a'],
      ],
    ],
    [
      'one that blames nobody of the plan',
      [
        ['a', 'nobody'],
        ['b', 'a'],
        ['a', 'nobody'],
        ['b', 'a'],
      ],
    ],
    [
      'two that blame a third',
      [
        ['a', 'c'],
        ['b', 'c'],
        ['a', 'c'],
        ['b', 'c'],
      ],
    ],
    [
      'once',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
  ])('%s is no circle', (_, pairs) => {
    expect(blamed(verifying('a, b, c', all), ...pairs).asked()).toEqual([]);
  });

  it('can be switched off', () => {
    const scenario = verifying('a, b, c', all, rules({ circularRejections: 0 }));
    expect(blamed(scenario, ['a', 'b'], ['b', 'a'], ['a', 'b'], ['b', 'a']).asked()).toEqual([]);
  });

  it.each<[string, (s: VerifyScenario) => unknown]>([
    ['an approval', (s) => s.ends('a').says('a', 'approved')],
    ['a skip', (s) => s.skips('a').ends('a', { kind: 'lost' })],
    ['a suspension and a person’s retry', (s) => s.skips('a').ends('a', { kind: 'lost' }).retry('a').goOn()],
  ])('%s of one ends it', (_, happens) => {
    const scenario = blamed(verifying('a, b, c', all), ['a', 'b'], ['b', 'a'], ['a', 'b']);
    happens(scenario);
    expect(blamed(scenario, ['b', 'a']).asked()).toEqual([]);
  });

  it('whoever answered has looked at it: the circle is begun anew', () => {
    const scenario = blamed(verifying('a, b, c', all), ['a', 'b'], ['b', 'a'], ['a', 'b'], ['b', 'a']).answer('go-on');
    expect(blamed(scenario, ['b', 'a']).asked()).toEqual([]);
  });

  it('what is remembered is bounded', () => {
    let loops = noLoops();
    for (let n = 0; n < 1_500; n++) loops = rememberBlame(loops, taskId(`t${n}`), ['x']);
    expect(Object.keys(loops.blames)).toHaveLength(1_000);
    expect(forgetBlame(loops, taskId('t0'))).toBe(loops);
  });
});

describe('no progress', () => {
  const idle: Evidence = { changed: false, output: true };
  const tasks = {
    a: { agent: 'x', retries: 9 },
    b: { agent: 'x', retries: 9 },
    c: { agent: 'x', check: ['one'], retries: 9 },
  };

  it('three attempts of agents, whosever, that failed and changed nothing hold the plan up', () => {
    const scenario = verifying('a, b, c, d', tasks).ends('a', 1, idle).ends('b', 1, idle);
    expect(scenario.asked()).toEqual([]);
    scenario.wait(2_000).ends('a', 1, idle);
    expect(scenario.asked()).toEqual(['d1 livelock']);
    expect(scenario.decision().evidence).toEqual({ kind: 'no-progress', attempts: ['a#1', 'b#1', 'a#2'] });
    expect(scenario.decision().options).toEqual(['go-on', 'restructure', 'abort']);
    expect(scenario.wait(60_000).going()).not.toContain('a#3');
  });

  it('the run waits for the answer, and goes on with it', () => {
    const scenario = verifying('a, b', tasks, rules({ noProgress: 1 }))
      .ends('a', 1, idle)
      .ends('b', 0);
    expect([scenario.outcome(), scenario.runAgain().outcome()]).toEqual(['waiting', 'waiting']);
    scenario.answer('go-on');
    expect([scenario.plan.loops.idle, scenario.asked()]).toEqual([[], []]);
    expect(scenario.runAgain({}, 'run-3').wait(5_000).going()).toEqual(['a#2']);
  });

  it.each<[string, (s: VerifyScenario) => unknown]>([
    ['something changes', (s) => s.ends('d', 0, { changed: true })],
    ['nobody knows', (s) => s.ends('d', 1, {})],
    ['a task is completed', (s) => s.ends('d', 0)],
    ['a person takes one in hand', (s) => s.skips('d').ends('d', { kind: 'lost' }).retry('d').goOn()],
  ])('%s: the counting starts anew', (_, happens) => {
    const scenario = verifying('a, b, d', tasks).ends('a', 1, idle).ends('b', 1, idle);
    happens(scenario);
    expect(scenario.wait(2_000).ends('a', 1, idle).asked()).toEqual([]);
  });

  it.each<[string, (s: VerifyScenario) => unknown]>([
    ['is still being checked', (s) => s.ends('c', 0, idle)],
    ['was stopped with its run', (s) => s.ends('d', { kind: 'lost' }, idle)],
    ['is a shell command', (s) => s.ends('d', 1)],
  ])('an attempt that %s does not count', (_, happens) => {
    const scenario = verifying('a, b, c, d', tasks).ends('a', 1, idle).ends('b', 1, idle);
    happens(scenario);
    expect(scenario.asked()).toEqual([]);
  });

  it('can be switched off, and is not looked for in a run that stops', () => {
    const off = verifying('a, b', tasks, rules({ noProgress: 0 }))
      .ends('a', 1, idle)
      .ends('b', 1, idle)
      .wait(9_000);
    expect(off.ends('a', 1, idle).asked()).toEqual([]);
    const stopping = verifying('a, b', tasks, rules({ noProgress: 1 }))
      .stop('drain')
      .ends('a', 1, idle);
    expect(stopping.asked()).toEqual([]);
  });

  it('an agent that has done nothing at all has failed', () => {
    const failure = (evidence: Evidence, run?: string) => {
      const keys = { a: { ...(run ? { run } : { agent: 'x' }), retries: 0 } };
      return verifying('a', keys).ends('a', 0, evidence).task('a').failure?.kind ?? null;
    };
    expect(failure({ changed: false, toolCalls: 0 })).toBe('nothing-done');
    expect(failure({ changed: false, output: false })).toBe('nothing-done');
    expect(failure({ changed: false, toolCalls: 2, output: true })).toBe('nothing-done');
    expect(failure({ changed: true, toolCalls: 0 })).toBeNull();
    expect(failure({ changed: false, toolCalls: 0 }, 'true')).toBeNull();
  });
});

describe('the same calls again and again', () => {
  const calls = (times: number): Evidence => ({ changed: true, repeated: { call: 'npm test', times } });
  const keys = { a: { agent: 'x', retries: 9 }, b: agent };

  it('of an attempt that failed are asked about', () => {
    const scenario = verifying('a, x', keys).ends('a', 1, calls(20));
    expect([scenario.asked(), scenario.status('a')]).toEqual([['d1 livelock a'], 'suspended']);
    expect(scenario.decision().evidence).toEqual({ kind: 'same-calls', call: 'npm test', times: 20 });
  });

  it('of one that was rejected too', () => {
    const scenario = verifying('b, x', keys).ends('b', 0, calls(25)).says('b', 'low');
    expect(scenario.asked()).toEqual(['d1 livelock b']);
  });

  it.each<[string, VerifyScenario]>([
    ['fewer of them', verifying('a, x', keys).ends('a', 1, calls(19))],
    ['one that was completed', verifying('a, x', keys).ends('a', 0, calls(99))],
    ['switched off', verifying('a, x', keys, rules({ sameCalls: 0 })).ends('a', 1, calls(99))],
  ])('%s: not', (_, scenario) => {
    expect(scenario.asked()).toEqual([]);
  });
});

describe('attempts that undo each other', () => {
  const made = (after: string, file = 'x.ts'): Evidence => ({ changed: true, files: [{ file, before: '', after }] });
  const tasks = { a: { agent: 'x', retries: 9 }, b: { agent: 'x', retries: 9 } };
  const rounds = (scenario: VerifyScenario, ...versions: string[]) => {
    versions.forEach((version, i) => {
      scenario.wait(400_000).ends(i % 2 === 0 ? 'a' : 'b', 1, made(version));
    });
    return scenario;
  };

  it('a file that goes back and forth twice holds the plan up', () => {
    const scenario = rounds(verifying('a, b', tasks), 'one', 'two', 'one');
    expect(scenario.asked()).toEqual([]);
    scenario.wait(400_000).ends('b', 1, made('two'));
    expect(scenario.decision().evidence).toEqual({ kind: 'undoing', file: 'x.ts', tasks: ['a', 'b'], times: 2 });
    expect(scenario.answer('go-on').plan.loops.files).toEqual({});
  });

  it('one that goes on is none', () => {
    expect(rounds(verifying('a, b', tasks), 'one', 'two', 'three', 'two').asked()).toEqual([]);
    expect(rounds(verifying('a, b', tasks), 'one', 'two', 'two', 'one').asked()).toEqual([]);
  });

  it('can be switched off', () => {
    expect(rounds(verifying('a, b', tasks, rules({ undoing: 0 })), 'one', 'two', 'one', 'two').asked()).toEqual([]);
  });

  it('what is remembered of files is bounded', () => {
    const scenario = verifying('a', { a: { agent: 'x', retries: 9 } });
    const files = Array.from({ length: 250 }, (_, i) => ({ file: `f${i}`, before: '', after: '1' }));
    scenario.ends('a', 1, { changed: true, files });
    expect(Object.keys(scenario.plan.loops.files)).toHaveLength(200);
    expect(undoneFile(scenario.plan.loops, 2)).toBeNull();
  });
});
