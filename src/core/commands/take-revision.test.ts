import { describe, expect, it } from 'vitest';
import { begin, firstRun, log, planOf } from '../../../test/scenario.ts';
import { editedPlan, isUncompared, notCompared, takeRevision } from './take-revision.ts';

const about = { v: 1, plan: 'plan.md', run: firstRun, revision: 'r2' };

describe('a plan that is being run', () => {
  it('tells what an edit changes, and loads it', () => {
    const taken = takeRevision(begin('a, b').plan, planOf('b, c'), 'r2');
    expect(taken.ok && taken.events).toMatchObject([
      { type: 'plan-edited', ...about, result: 'taken', added: ['c'], removed: ['a'] },
      { type: 'plan-loaded', revision: 'r2' },
    ]);
    expect(taken.ok && taken.events[0]).not.toHaveProperty('changed');
  });

  it('tells nothing when nothing changes that anybody has to hear of', () => {
    const taken = takeRevision(begin('a, b').plan, planOf('b, a'), 'r2');
    expect(taken.ok && taken.events).toMatchObject([{ type: 'plan-loaded' }]);
  });

  it('keeps what contradicts work that is done for a person, by name and line', () => {
    const { plan } = begin('a, b').schedule('a').end('a', 0).complete('a');
    expect(takeRevision(plan, planOf('b, a → b'), 'r2')).toMatchObject({
      ok: false,
      because: 'plan.md:2: a was changed, and is completed',
    });
    const taken = takeRevision(plan, planOf('b, a → b'), 'r2', { by: 'ann' });
    expect(taken.ok && taken.events[0]).toEqual({
      type: 'plan-edited',
      ...about,
      result: 'taken',
      by: 'ann',
      changed: ['a'],
    });
  });

  it('tells of an edit that is not taken why', () => {
    const { plan } = begin('a');
    const because = 'plan.md:1: no task';
    expect(editedPlan(plan, { revision: 'r2', result: 'refused', because, added: [] })).toEqual({
      type: 'plan-edited',
      ...about,
      result: 'refused',
      because,
    });
  });

  it('lets nobody take away what is running', () => {
    const { plan } = begin('a, b').schedule('a');
    const because = 'plan.md:1: a was removed, and is running';
    expect(takeRevision(plan, planOf('b'), 'r2')).toMatchObject({ ok: false, because });
    expect(takeRevision(plan, planOf('b'), 'r2', { by: 'ann' })).toMatchObject({ ok: false, because });
  });

  it('names only a few of many', () => {
    const { plan } = begin('a, b, c, d, e, f, g').startRun({ plan: 9 });
    const busy = begin('a, b, c, d, e, f, g').suspend('a', 'b', 'c', 'd', 'e', 'f');
    expect(plan.live).toBe(0);
    expect(takeRevision(busy.plan, planOf('g'), 'r2')).toMatchObject({
      because: expect.stringMatching(/e was removed, and is suspended; and 1 more$/),
    });
  });
});

describe('a plan that came with trusted state', () => {
  /** `a` is completed, `b` is at work with an older text, `gone` has failed. */
  const trusted = () => {
    const told = begin('a, b, gone, c').startRun({ plan: 9 });
    told.schedule('a').end('a', 0).complete('a').schedule('gone').end('gone', 1).fail('gone').schedule('b');
    const { tasks, ...rest } = planOf('a, b, gone, c');
    const edited = {
      ...rest,
      tasks: tasks.map((task) => (task.id === 'b' ? { ...task, title: 'Other words' } : task)),
    };
    return told.load(edited).record(notCompared(told.plan));
  };

  it('is of no text, and has the same tasks', () => {
    const { plan } = trusted();
    expect(isUncompared(plan)).toBe(true);
    expect(plan.plan.tasks.map(({ id }) => id)).toEqual(['a', 'b', 'gone', 'c']);
    expect(plan.tasks[1]!.startedWith).not.toBeNull();
  });

  it('becomes what the file says, with nothing of its own: neither for what is at work nor for what has ended', () => {
    const told = trusted();
    const file = planOf('a, b → c, c → a');
    const taken = takeRevision(told.plan, file, 'r2');
    expect(taken).toMatchObject({
      ok: true,
      match: { changed: ['c', 'b'], nextAttempt: [], removed: ['gone'], kept: [] },
      events: [{ type: 'plan-edited' }, { type: 'plan-loaded', revision: 'r2', definition: file, anew: true }],
    });
    told.record(...(taken.ok ? taken.events : []));
    expect([...told.plan.index.keys()]).toEqual(['a', 'b', 'c']);
    expect(told.plan.tasks[1]!.startedWith).toBeNull();
    expect(isUncompared(told.plan)).toBe(false);
  });
});

it('a plan that nobody runs is only loaded', () => {
  const taken = takeRevision(log(planOf('a')).load().plan, planOf('a, b'), 'r2');
  expect(taken.ok && taken.events.map(({ type }) => type)).toEqual(['plan-loaded']);
});
