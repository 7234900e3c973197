import { describe, expect, it } from 'vitest';
import { begin, log, planOf } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanState } from '../state/state.ts';
import { type Restructure, type Restructured, restructure, withoutClosingTasks } from './restructure.ts';

const drop = (task: string, need: string): Restructure => ({
  kind: 'drop-need',
  task: taskId(task),
  need: taskId(need),
});
const merge = (into: string, from: string): Restructure => ({ kind: 'merge', into: taskId(into), from: taskId(from) });
const move = (task: string, phase: string): Restructure => ({ kind: 'move', task: taskId(task), phase });

function made(known: PlanState, change: Restructure) {
  const result = restructure(known, [change]);
  if (!result.ok) throw new Error(result.because);
  return result;
}
const because = (result: Restructured) => (result.ok ? 'it was done' : result.because);
/** As `id@phase(group)→needs~>prefers`. */
const shape = ({ tasks }: Plan) =>
  tasks.map(({ id, phase, parent, needs, prefers }) => {
    const group = parent === undefined ? '' : `(${tasks[parent]!.id})`;
    return `${id}@${phase}${group}${needs ? `→${needs.join(' ')}` : ''}${prefers ? `~>${prefers.join(' ')}` : ''}`;
  });

describe('a need that is dropped', () => {
  it('is gone, and the others stay', () => {
    const { plan } = begin('a, b, c → a b');
    expect(shape(made(plan, drop('c', 'a')).plan)).toEqual(['a@0', 'b@0', 'c@0→b']);
    expect(shape(made(begin('a, c → a').plan, drop('c', 'a')).plan)).toEqual(['a@0', 'c@0']);
  });

  it.each([
    ['c', 'd', 'c does not need d itself: it needs a'],
    ['a', 'd', 'a does not need d itself: it has no needs of its own'],
    ['x', 'a', 'the plan has no task x'],
  ])('%s of %s is refused', (task, need, why) => {
    expect(because(restructure(begin('a, d, c → a').plan, [drop(task, need)]))).toBe(why);
  });
});

describe('two tasks that become one', () => {
  it('have the needs of both, and whoever needed either needs the one', () => {
    const { plan } = begin('x, y, a → x, b → y a ~> x, c → b, d → a b, e ~> b');
    expect(shape(made(plan, merge('a', 'b')).plan)).toEqual(['x@0', 'y@0', 'a@0→x y~>x', 'c@0→a', 'd@0→a', 'e@0~>a']);
  });

  it('have the keys of both; commands follow each other, and the first counts where only one can', () => {
    const keys = {
      a: { run: 'make a', files: ['a.ts'], model: 'opus', env: { X: '1' } },
      b: { run: 'make b', files: ['a.ts', 'b.ts'], model: 'haiku', check: ['test b'], env: { X: '2', Y: '3' } },
    };
    const [task] = made(begin(planOf('a, b', { keys })).plan, merge('a', 'b')).plan.tasks;
    expect(task).toMatchObject({
      id: 'a',
      title: 'Task a; Task b',
      prompt: 'Together with this: Task b',
      keys: {
        run: 'make a\nmake b',
        files: ['a.ts', 'b.ts'],
        model: 'opus',
        check: ['test b'],
        env: { X: '1', Y: '3' },
      },
    });
    const agents = { a: { agent: 'one' }, b: { agent: 'two' } };
    expect(made(begin(planOf('a, b', { keys: agents })).plan, merge('a', 'b')).plan.tasks[0]!.keys).toEqual({
      agent: 'one',
    });
  });

  it('are optional only if both were', () => {
    expect(made(begin('a*, b').plan, merge('a', 'b')).plan.tasks[0]!.optional).toBeUndefined();
    expect(made(begin('a*, b*').plan, merge('a', 'b')).plan.tasks[0]!.optional).toBe(true);
  });

  it('inside groups keep the place of the first, and the groups behind keep their parts', () => {
    const { plan } = begin('g { a, b }, h { c }');
    expect(shape(made(plan, merge('a', 'c')).plan)).toEqual(['g@0', 'a@0(g)', 'b@0(g)', 'h@0']);
    expect(shape(made(plan, merge('c', 'a')).plan)).toEqual(['g@0', 'b@0(g)', 'h@0', 'c@0(h)']);
  });

  it('of a sequence are one step of it', () => {
    const sequences = [[taskId('a'), taskId('b'), taskId('c')]];
    expect(made(begin(planOf('a, b, c', { sequences })).plan, merge('a', 'b')).plan.sequences).toEqual([['a', 'c']]);
  });

  it('tell which ended one is dropped, and which failed one runs again', () => {
    const scenario = begin('a, b, c → a').fail('a').fail('b');
    expect(made(scenario.plan, merge('a', 'b'))).toMatchObject({
      dropped: [{ task: 'b', status: 'failed' }],
      retried: ['a'],
    });
    expect(made(begin('a, -b').plan, merge('a', 'b'))).toMatchObject({ dropped: [{ task: 'b' }], retried: [] });
  });

  it.each([
    ['a', 'x', 'the plan has no task x'],
    ['x', 'a', 'the plan has no task x'],
    ['a', 'a', 'a and a are the same task'],
    ['a', 'g', 'g is a group'],
    ['g', 'a', 'g is a group'],
    ['a', 'done', 'done is completed'],
  ])('%s and %s are refused', (into, from, why) => {
    expect(because(restructure(begin('a, g { b }, +done').plan, [merge(into, from)]))).toBe(why);
  });

  it('are refused while one of them runs', () => {
    expect(because(restructure(begin('a, b').schedule('b').plan, [merge('a', 'b')]))).toBe('b is in progress');
  });

  it('are refused when others would wait for themselves', () => {
    expect(because(restructure(begin('a, b → a, c → b').plan, [merge('a', 'c')]))).toContain('wait for each other');
  });
});

describe('a task that comes later', () => {
  it('stands behind the tasks of that phase, with everything inside it', () => {
    const { plan } = begin('a, g { b, h { c } } | d | e');
    expect(shape(made(plan, move('g', '2')).plan)).toEqual(['a@0', 'd@1', 'g@1', 'b@1(g)', 'h@1(g)', 'c@1(h)', 'e@2']);
    expect(shape(made(plan, move('a', 'phase 3')).plan)).toEqual([
      'g@0',
      'b@0(g)',
      'h@0(g)',
      'c@0(h)',
      'd@1',
      'e@2',
      'a@2',
    ]);
  });

  it('runs again if it had failed', () => {
    expect(made(begin('a | b').fail('a').plan, move('a', 'Phase 2')).retried).toEqual(['a']);
    expect(made(begin('g { a } | b').fail('a').plan, move('g', 'Phase 2')).retried).toEqual([]);
  });

  it('is named by a part of the name of its phase too', () => {
    const named = { ...planOf('a | b'), phases: [{ name: 'Build' }, { name: 'Ship it' }] };
    expect(shape(made(begin(named).plan, move('a', 'it')).plan)).toEqual(['b@1', 'a@1']);
    expect(because(restructure(begin(named).plan, [move('a', 'i')]))).toBe('the plan has no phase "i"');
  });

  it.each([
    ['x', '2', 'the plan has no task x'],
    ['b', '2', 'b is a subtask of g'],
    ['a', '9', 'the plan has no phase "9"'],
    ['a', '', 'the plan has no phase ""'],
    ['c', '1', 'c is already in phase 2'],
    ['done', '2', 'done is completed'],
  ])('%s to %s is refused', (task, phase, why) => {
    expect(because(restructure(begin('a, g { b }, +done | c').plan, [move(task, phase)]))).toBe(why);
  });

  it('names its phases when it cannot find one, also one without a name', () => {
    const nameless = { ...planOf('a | b'), phases: [{ name: '' }, { name: 'Two' }] };
    const result = restructure(begin(nameless).plan, [move('a', 'three')]);
    expect(result).toMatchObject({ instead: 'its phases are 1 (without a name), 2 (Two)' });
  });

  it('is refused while it runs', () => {
    expect(because(restructure(begin('a | b').schedule('a').plan, [move('a', '2')]))).toBe('a is in progress');
  });
});

it('what closes groups and phases is left out: it is added when the new shape is loaded', () => {
  const plan = { ...planOf('g { a }, b', { keys: { g: { check: ['true'] } } }), finish: 'true' };
  const known = log(plan).load().plan;
  expect(known.plan.tasks.map(({ id }) => id)).toEqual(['g', 'a', 'g:check', 'b', 'finish']);
  expect(withoutClosingTasks(known.plan)).toEqual(plan);
  expect(withoutClosingTasks(plan)).toBe(plan);
});

describe('several changes at once', () => {
  it('are made one after the other', () => {
    const result = restructure(begin('a, b → a, c → b, d | e').fail('a').plan, [
      drop('b', 'a'),
      merge('a', 'd'),
      move('a', '2'),
    ]);
    if (!result.ok) throw new Error(result.because);
    expect(result.plan.tasks.map(({ id, phase, needs = [] }) => `${id} ${phase} ${needs}`)).toEqual([
      'b 0 ',
      'c 0 b',
      'e 1 ',
      'a 1 ',
    ]);
    expect([result.retried, result.dropped]).toEqual([['a'], []]);
  });

  it('are all refused with the first that is', () => {
    expect(because(restructure(begin('a, b → a').plan, [drop('b', 'a'), drop('b', 'a')]))).toContain(
      'b does not need a',
    );
  });

  it('do not try again what the next one drops', () => {
    const result = restructure(begin('a, b | c').fail('a').plan, [move('a', '2'), merge('b', 'a')]);
    expect(result).toMatchObject({ ok: true, retried: [], dropped: [{ task: 'a', status: 'failed' }] });
  });
});
