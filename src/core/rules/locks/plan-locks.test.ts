import { describe, expect, it } from 'vitest';
import { brief } from '../../../../test/lock-stories.ts';
import { begin, log, planOf, type Scenario } from '../../../../test/scenario.ts';
import { mostPasses } from '../../../locks/place.ts';
import { runId, taskId } from '../../model/ids.ts';
import type { TaskKeys } from '../../model/plan.ts';
import type { Limits } from '../../model/run-event.ts';
import { wantsOf } from './plan-locks.ts';

const taskWith = (keys: TaskKeys) => ({ id: taskId('a'), title: '', line: 1, phase: 0, keys });
const files = (...keys: string[]): TaskKeys => ({ run: 'true', files: keys });
const reads = (...keys: string[]): TaskKeys => ({ run: 'true', reads: keys });

/** Whom decide starts now. */
const started = (scenario: Scenario): string =>
  scenario
    .decide()
    .flatMap((event) => (event.type === 'attempt-scheduled' ? [event.task] : []))
    .join(' ');

const planned = (keys: Record<string, TaskKeys>, limits: Partial<Limits> = {}) =>
  begin(planOf(Object.keys(keys).join(', '), { keys }), limits);

describe('what a task declares', () => {
  it.each<[string, TaskKeys, string[]]>([
    ['nothing', { run: 'true' }, []],
    ['files are exclusive', { files: ['src/'] }, ['exclusive src/**']],
    ['so are locks', { locks: ['db:test'] }, ['exclusive db:test']],
    ['reads are shared', { reads: ['a.ts'] }, ['shared a.ts']],
    [
      'each once, in its stronger mode',
      { reads: ['a', 'b'], files: ['./a', 'a'], locks: ['a'] },
      ['exclusive a', 'shared b'],
    ],
    ['what cannot be read is refused elsewhere', { files: ['/etc', 'a'] }, ['exclusive a']],
  ])('%s', (_, keys, expected) => {
    const task = taskWith(keys);
    expect(wantsOf(task).map(({ key, mode }) => `${mode} ${key}`)).toEqual(expected);
    expect(wantsOf(task)).toBe(wantsOf(task));
  });
});

describe('at admission', () => {
  it('all of it is taken together with the attempt', () => {
    const scenario = planned({ a: { run: 'true', files: ['x'], reads: ['y'], locks: ['db:test'] } });
    expect(scenario.decide().map(brief)).toEqual([
      'attempt-scheduled a#1',
      'lock-acquired a#1 y',
      'lock-acquired a#1 x',
      'lock-acquired a#1 db:test',
    ]);
    expect(scenario.locks()).toBe('a#1 db:test, a#1 x, a#1 ~y');
    expect(scenario.events.at(-1)).toMatchObject({ owner: '#1', run: 'run-1', task: 'a', attempt: 'a#1', token: 1 });
  });

  it.each<[string, Record<string, TaskKeys>, string]>([
    ['the same file never at once', { a: files('x'), b: files('x') }, 'a'],
    ['overlapping globs never at once', { a: files('src/**'), b: files('src/*.ts'), c: files('docs/**') }, 'a c'],
    ['readers together', { a: reads('x'), b: reads('x'), c: files('x') }, 'a b'],
    ['a reader not beside a writer', { a: files('x'), b: reads('x') }, 'a'],
    ['a name is no file', { a: files('x'), b: { run: 'true', locks: ['db:x'] } }, 'a b'],
    ['who has no locks never waits', { a: files('x'), b: files('x'), c: { run: 'true' } }, 'a c'],
    ['by priority', { a: files('x'), b: { ...files('x'), priority: 1 } }, 'b'],
  ])('%s', (_, keys, expected) => {
    expect(started(planned(keys))).toBe(expected);
  });

  it('the next one comes as soon as the one before has ended, by age', () => {
    const scenario = planned({ a: files('x'), b: files('x'), c: files('x') });
    expect(started(scenario)).toBe('a');
    expect(started(scenario.start('a').end('a', 1))).toBe('b');
    expect(started(scenario.after(60_000).start('b').end('b', 0))).toBe('a');
    expect(started(scenario.start('a').end('a', 0))).toBe('c');
  });

  it.each<[string, (scenario: Scenario) => Scenario]>([
    ['an agent that Signalbox did not start', (s) => s.lock('ann', 'x')],
    ['an attempt that asked while it ran', (s) => s.schedule('z').start('z').lock('z', 'x')],
    ['an attempt that waits for it', (s) => s.lock('ann', '~x').schedule('z').start('z').lock('z', 'x')],
  ])('is held back by %s', (_, step) => {
    const scenario = step(planned({ a: reads('x'), z: { run: 'true', priority: 1 }, b: files('y') }));
    expect(started(scenario)).toMatch(/^(z )?b$/);
  });

  it('is held back by an attempt of another plan', () => {
    const one = planned({ a: files('x') });
    one.decide();
    const two = log(planOf('b', { path: 'two.md', keys: { b: files('x') } }), one.state).load();
    const me = { ...two.me, run: runId('run-2') };
    two.startRun({}, me.run).decide(me);
    expect(two.status('b')).toBe('pending');
    one.start('a').end('a', 0).decide();
    two.decide(me);
    expect(two.status('b')).toBe('in_progress');
  });
});

describe('the line', () => {
  it('a task of one lock is passed by nobody', () => {
    const scenario = planned({ a: files('src/a.ts'), b: files('src/**'), c: files('src/c.ts'), d: files('docs') });
    expect(started(scenario)).toBe('a d');
    expect(started(scenario.start('a').end('a', 0))).toBe('b');
  });

  it('readers that conflict with nobody in line go on', () => {
    const scenario = planned({ a: reads('x'), b: files('x', 'z'), c: reads('y'), d: reads('z') });
    expect(started(scenario)).toBe('a c d');
    expect(scenario.task('b').passed).toBe(1);
  });

  it("two who read the same are in nobody's way", () => {
    const scenario = planned({ a: { ...files('z'), reads: ['x'] }, b: { ...files('y'), reads: ['x'] } }).lock(
      'ann',
      'z',
    );
    expect(started(scenario)).toBe('b');
    expect(scenario.task('a').passed).toBe(0);
  });

  it('a task of many locks is passed eight times, and then nobody goes before it', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`t${i}`, files('y')]));
    const scenario = planned({ a: files('x'), m: files('x', 'y'), ...many }, { plan: 2 });
    expect(started(scenario)).toBe('a t0');
    for (let i = 0; i < mostPasses - 1; i++) {
      expect(scenario.task('m').passed).toBe(i + 1);
      expect(started(scenario.start(`t${i}`).end(`t${i}`, 0))).toBe(`t${i + 1}`);
    }
    expect(scenario.events.findLast(({ type }) => type === 'attempt-scheduled')).toMatchObject({ passes: ['m'] });
    expect(started(scenario.start('t7').end('t7', 0))).toBe('');
    expect(started(scenario.start('a').end('a', 0))).toBe('m');
    expect(scenario.task('m').passed).toBe(0);
  });

  it('a request of a running attempt for many is passed eight times, and then no task starts before it', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`t${i}`, files('y')]));
    const scenario = planned({ r: { run: 'true' }, ...many }, { plan: 2 }).lock('ann', 'x');
    expect(started(scenario)).toBe('r t0');
    scenario.start('r').release('r', 'y').lock('r', 'x y');
    const { table } = scenario.state.locks;
    for (let i = 0; i < mostPasses; i++) {
      expect(started(scenario.start(`t${i}`).end(`t${i}`, 0))).toBe(`t${i + 1}`);
      expect([...table.requests()][0]!.passed).toBe(i + 1);
    }
    expect(started(scenario.start('t8').end('t8', 0))).toBe('');
  });

  it('one whose pool is full, or that the run is not about, holds nobody back', () => {
    const keys = { a: { ...files('x'), model: 'opus' }, b: { ...files('x', 'y'), model: 'opus' }, c: files('y') };
    expect(started(planned(keys, { pools: { opus: 0 } }))).toBe('c');
    const scenario = log(planOf('a, b, c', { keys })).load();
    scenario.startRun({}, undefined, { only: [taskId('c')] });
    expect(started(scenario.lock('ann', 'x'))).toBe('c');
  });
});
