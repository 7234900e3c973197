import { describe, expect, it } from 'vitest';
import { begin, log, planOf } from '../../../test/scenario.ts';
import { matchRevision } from '../../core/commands/match-revision.ts';
import { differenceWords } from '../../core/explain/difference-words.ts';
import type { Plan } from '../../core/model/plan.ts';
import { createState } from '../../core/state/evolve.ts';
import { syncCheck } from './sync-check.ts';

/** `Task NAME` under another id. */
const renamed = (plan: Plan, from: string, to: string): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => (task.id === from ? { ...task, id: to as typeof task.id } : task)),
});

const reworded = (plan: Plan, id: string): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => (task.id === id ? { ...task, title: 'Other' } : task)),
});

describe('a plan file', () => {
  it('that was never loaded is all new', () => {
    expect(syncCheck(createState(), planOf('a, b'), 'r')).toMatchObject({
      loaded: false,
      inSync: false,
      added: ['a', 'b'],
      run: 'takes',
    });
  });

  it('is in sync with itself, and with one in which only remarks changed', () => {
    const { plan, state } = log(planOf('a, b')).load();
    expect(syncCheck(state, planOf('a, b'), plan.revision)).toMatchObject({ inSync: true, run: 'nothing' });
    expect(syncCheck(state, planOf('a, b'), 'other')).toMatchObject({ inSync: true, run: 'nothing' });
  });

  it('with other words is not what was loaded, and a run tells what it takes', () => {
    const { plan, state } = begin('a, b').schedule('a').end('a', 0).complete('a');
    const file = reworded(reworded(planOf('a, b', { title: 'Other' }), 'a'), 'b');
    expect(syncCheck(state, file, 'other')).toMatchObject({
      inSync: false,
      changed: ['a', 'b'],
      planChanges: ['title'],
      conflicts: [],
      run: 'takes',
    });
    expect(differenceWords(matchRevision(plan, file))).toBe('changed: a, b; changed in the whole plan: title');
  });

  it('with another heading is not what was loaded', () => {
    const { plan, state } = log(planOf('a | b')).load();
    const file = { ...planOf('a | b'), phases: [{ name: 'Phase 1' }, { name: 'Other' }] };
    expect(syncCheck(state, file, 'other')).toMatchObject({ inSync: false, planChanges: ['phases'], run: 'takes' });
    expect(differenceWords(matchRevision(plan, file))).toBe('changed in the whole plan: phases');
  });

  it('has new, gone and changed tasks, which a run takes and tells', () => {
    const { plan, state } = begin('a, b, c').complete('a');
    const file = planOf('a, c → a, d');
    expect(syncCheck(state, file, 'other')).toMatchObject({
      inSync: false,
      added: ['d'],
      removed: ['b'],
      changed: ['c'],
      kept: [],
      conflicts: [],
      run: 'takes',
    });
    expect(differenceWords(matchRevision(plan, file))).toBe('new: d; removed: b; changed: c');
    expect(differenceWords(matchRevision(plan, planOf('a, b, c')))).toBe('');
  });

  it('that lost an ended task keeps it, and tells a new name for it', () => {
    const { plan, state } = begin('a, b').schedule('a').end('a', 0).complete('a');
    const file = renamed(planOf('a, b'), 'a', 'z');
    expect(syncCheck(state, file, 'other')).toMatchObject({
      added: ['z'],
      kept: ['a'],
      renamed: [{ from: 'a', to: 'z' }],
      run: 'takes',
    });
    expect(differenceWords(matchRevision(plan, planOf('b')))).toBe('removed from the file, kept in the log: a');
  });

  it('against what was done is refused', () => {
    const { state } = begin('a, b').schedule('a').end('a', 0).complete('a');
    expect(syncCheck(state, planOf('b, a → b'), 'other')).toMatchObject({
      conflicts: [{ task: 'a', what: 'changed' }],
      run: 'refuses',
    });
  });

  it('is taken while commands run, and waits for a person while an agent could have written it', () => {
    const { state } = begin('a, b').schedule('a');
    expect(syncCheck(state, planOf('a, b, c'), 'other')).toMatchObject({ running: true, run: 'takes' });
    const agent = { keys: { a: { run: undefined, agent: 'tool' } } } as never;
    const { state: other } = begin(planOf('a, b', agent)).schedule('a');
    expect(syncCheck(other, planOf('a, b, c', agent), 'other')).toMatchObject({ running: true, run: 'waits' });
  });

  it('pairs each renamed task once', () => {
    const { state } = log(planOf('a, b')).load();
    const twice = { ...planOf('x, y'), tasks: planOf('x, y').tasks.map((task) => ({ ...task, title: 'Task a' })) };
    expect(syncCheck(state, twice, 'other').renamed).toEqual([{ from: 'a', to: 'x' }]);
  });

  it('names only a few of many', () => {
    const { plan } = log(planOf('a')).load();
    expect(differenceWords(matchRevision(plan, planOf('a, b, c, d, e, f, g, h')))).toContain(
      'new: b, c, d, e, f and 2 more',
    );
  });
});
