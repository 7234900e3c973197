import { describe, expect, it } from 'vitest';
import { begin, type PlanOptions, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Plan, Task } from '../model/plan.ts';
import { matchRevision, type Revision } from './match-revision.ts';

/** Only what is not empty, as words. */
function told({ planChanges: plan, conflicts: against, ...rest }: Revision): Record<string, string> {
  const { added, removed, kept, changed, nextAttempt, ticked } = rest;
  const conflicts = against.map(({ task, what, isRunning }) => `${task} ${what}${isRunning ? ', running' : ''}`);
  const lists = { added, removed, kept, changed, nextAttempt, ticked, plan, conflicts };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, ids]) => (ids.length > 0 ? [[name, ids.join(', ')]] : [])),
  );
}
const match = (scenario: Scenario, text: string, options?: PlanOptions) =>
  matchRevision(scenario.plan, planOf(text, options));

const reworded = (plan: Plan, id: string, words: Partial<Task>): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => (task.id === id ? { ...task, ...words } : task)),
});

describe('matched by id', () => {
  it.each<[string, Scenario, string, Record<string, string>]>([
    ['the same', begin('a, b → a').complete('a'), 'a, b → a', {}],
    ['another place, other lines', begin('a, b'), 'b, a', {}],
    ['another order, another phase', begin('a, b'), 'b | a', { plan: 'phases, order' }],
    ['new ones join', begin('a').complete('a'), 'a, b, g { c }', { added: 'b, g, c' }],
    ['removed ones that never ran go', begin('a, b, g { c }'), 'a', { removed: 'b, g, c' }],
    ['a removed box is no history', begin('+a, -b, c'), 'c', { removed: 'a, b' }],
    ['completed ones stay', begin('a, b').schedule('a').end('a', 0).complete('a'), 'b', { kept: 'a' }],
    ['failed ones stay', begin('a, b').failOnce('a').fail('a'), 'b', { kept: 'a' }],
    ['skipped ones stay', begin('a, b').skip('a'), 'b', { kept: 'a' }],
    ['one that ran and has not ended', begin('a, b').failOnce('a'), 'b', { conflicts: 'a removed' }],
    ['one that runs', begin('a, b').schedule('a'), 'b', { conflicts: 'a removed, running' }],
    ['one that is suspended', begin('a, b').suspend('a'), 'b', { conflicts: 'a removed' }],
    ['one that was resumed, and never ran, goes', begin('a, b').suspend('a').resume('a'), 'b', { removed: 'a' }],
    ['other needs, never ran', begin('a, b'), 'a, b → a', { changed: 'b' }],
    ['other needs, is to be tried again', begin('a, b').failOnce('b'), 'a, b → a', { changed: 'b' }],
    ['other needs, failed', begin('a, b').failOnce('b').fail('b'), 'a, b → a', { changed: 'b' }],
    ['other needs, runs', begin('a, b').schedule('b'), 'a, b → a', { nextAttempt: 'b' }],
    ['other needs, is completed', begin('a, b').failOnce('b').complete('b'), 'a, b → a', { conflicts: 'b changed' }],
    ['other needs, was skipped by a person', begin('a, b').skip('b'), 'a, b → a', { conflicts: 'b changed' }],
    ['other preferences', begin('a, b'), 'a, b ~> a', { changed: 'b' }],
    ['optional now', begin('a'), 'a*', { changed: 'a' }],
    ['in a group now', begin('a'), 'g { a }', { added: 'g', changed: 'a' }],
    ['a group now', begin('a'), 'a { b }', { added: 'b', changed: 'a' }],
    ['a group now, and it runs', begin('a').schedule('a'), 'a { b }', { added: 'b', conflicts: 'a changed, running' }],
    ['a group now, and it has run', begin('a').failOnce('a'), 'a { b }', { added: 'b', conflicts: 'a changed' }],
    ['ticked now', begin('a'), '+a', { ticked: 'a' }],
    ['ticked now, and it runs', begin('a').schedule('a'), '+a', {}],
    ['ticked now, and it is completed', begin('a').complete('a'), '+a', {}],
  ])('%s', (_, scenario, text, expected) => {
    expect(told(match(scenario, text))).toEqual(expected);
  });

  it('other keys, another title or another prompt are a change', () => {
    const file = planOf('a, b, c, d', { keys: { a: { run: 'false' } } });
    const words = reworded(reworded(file, 'b', { prompt: 'Do it.' }), 'c', { title: 'Other' });
    expect(told(matchRevision(begin('a, b, c, d').plan, words))).toEqual({ changed: 'a, b, c' });
  });

  it.each<[string, Scenario, Record<string, string>]>([
    ['never ran', begin('a, b'), { changed: 'a' }],
    ['is completed', begin('a, b').schedule('a').end('a', 0).complete('a'), { changed: 'a' }],
    ['failed', begin('a, b').failOnce('a').fail('a'), { changed: 'a' }],
    ['was skipped', begin('a, b').skip('a'), { changed: 'a' }],
    ['runs', begin('a, b').schedule('a'), { nextAttempt: 'a' }],
    ['is to be tried again', begin('a, b').failOnce('a'), { changed: 'a' }],
    ['is suspended', begin('a, b').suspend('a'), { changed: 'a' }],
    ['was suspended, and its process lives', begin('a, b').schedule('a').suspend('a'), { nextAttempt: 'a' }],
  ])('other words for one that %s', (_, scenario, expected) => {
    for (const words of [{ title: 'Other' }, { prompt: 'Do it.' }])
      expect(told(matchRevision(scenario.plan, reworded(planOf('a, b'), 'a', words)))).toEqual(expected);
  });
});

describe('the plan itself', () => {
  const phases = (text: string, names: readonly string[], options: PlanOptions = {}): Plan => ({
    ...planOf(text, options),
    phases: names.map((name) => ({ name })),
  });
  const inTurn = (text: string, order: Plan['order'] = 'sequential') => planOf(text, { order });
  const limits = { opus: 1, haiku: 5 };

  const generating = (generated: Record<string, string>) => planOf('a', { worktree: { generated } });
  it.each<[string, Plan, Plan, string | undefined]>([
    ['another title', planOf('a'), planOf('a', { title: 'Other' }), 'title'],
    ['another heading', planOf('a | b'), phases('a | b', ['Phase 1', 'Other']), 'phases'],
    ['another heading without tasks', phases('a', ['One', 'Two']), phases('a', ['One', 'Three']), 'phases'],
    ['a task in another phase', planOf('a, b | c'), planOf('a | b, c'), 'phases'],
    ['a check of a phase', planOf('a'), { ...planOf('a'), phases: [{ name: 'Phase 1', check: ['true'] }] }, 'phases'],
    ['another order', planOf('a, b'), inTurn('a, b'), 'order'],
    ['one before the other, in turn', inTurn('a, b'), inTurn('b, a'), 'order'],
    ['one more, in turn', inTurn('a, b'), inTurn('a, c, b'), undefined],
    ['beside its neighbour', inTurn('a, b', 'spec-kit'), inTurn('a^, b^', 'spec-kit'), 'order'],
    ['a limit', planOf('a'), planOf('a', { maxParallel: 2 }), 'keys'],
    [
      'limits in other places',
      planOf('a', { pools: limits }),
      planOf('a', { pools: { haiku: 5, opus: 1 } }),
      undefined,
    ],
    ['another isolation', planOf('a'), { ...planOf('a'), isolation: 'worktree' }, 'keys'],
    ['another landing', planOf('a'), planOf('a', { land: 'merge' }), 'keys'],
    ['another setup', planOf('a'), planOf('a', { worktree: { setup: 'x' } }), 'keys'],
    ['another command', generating({ a: '1', b: '2' }), generating({ b: '2', a: '3' }), 'keys'],
    ['commands in other places', generating({ a: '1', b: '2' }), generating({ b: '2', a: '1' }), undefined],
    ['another limit', planOf('a', { pools: limits }), planOf('a', { pools: { ...limits, opus: 2 } }), 'keys'],
  ])('%s', (_, known, file, expected) => {
    expect(told(matchRevision(begin(known).plan, file)).plan).toEqual(expected);
  });
});

describe('the check of a phase that is running', () => {
  const checked = (...check: string[]): Plan => ({ ...planOf('a'), phases: [{ name: 'Phase 1', check }] });
  const running = () => begin(checked('true')).schedule('a').end('a', 0).complete('a').schedule('phase-1:check');

  it('may be changed, but not taken away', () => {
    expect(told(matchRevision(running().plan, checked('false')))).toEqual({ plan: 'phases' });
    expect(told(matchRevision(running().plan, planOf('a')))).toEqual({
      plan: 'phases',
      conflicts: 'phase-1:check removed, running',
    });
  });
});

describe('what is to be loaded', () => {
  it('is the file', () => {
    const file = planOf('a, b', { title: 'New' });
    expect(matchRevision(begin('a').plan, file).definition).toEqual(file);
  });

  it('and the ended tasks that are gone from it, standing alone at the end', () => {
    const scenario = begin('x, g { a → x ~> b }, b').skip('a');
    const { definition } = match(scenario, 'x, y');
    expect(definition.tasks.map(({ id }) => id)).toEqual(['x', 'y', 'a']);
    expect(definition.tasks[2]).toEqual({ id: 'a', title: 'Task a', line: 3, phase: 0, keys: { run: 'true' } });
  });

  it('in the phase of the same name, else in the last', () => {
    const scenario = begin('a | b | z').skip('a', 'z');
    const { definition } = match(scenario, 'x | b');
    expect(definition.tasks.map(({ id, phase }) => `${id} ${phase}`)).toEqual(['x 0', 'b 1', 'a 0', 'z 1']);
  });

  it('folds: what happened is kept', () => {
    const scenario = begin('a, b → a, g { c }').complete('a').skip('c');
    scenario.load(match(scenario, 'a, b → a, d').definition, 'r2');
    expect(scenario.statuses()).toEqual({ completed: 'a', pending: 'b d', skipped: 'c' });
  });
});
