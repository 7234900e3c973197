import { describe, expect, it } from 'vitest';
import { begin, type PlanOptions, planOf, type Scenario } from '../../test/scenario.ts';
import { matchRevision, type Revision } from './match-revision.ts';

/** Only what is not empty, as words. */
function told({ added, removed, kept, changed, conflicts }: Revision): Record<string, string> {
  const lists = { added, removed, kept, changed, conflicts: conflicts.map(({ task, what }) => `${task} ${what}`) };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, ids]) => (ids.length > 0 ? [[name, ids.join(', ')]] : [])),
  );
}
const match = (scenario: Scenario, text: string, options?: PlanOptions) =>
  matchRevision(scenario.plan, planOf(text, options));

describe('matched by id', () => {
  it.each<[string, Scenario, string, Record<string, string>]>([
    ['the same', begin('a, b → a').complete('a'), 'a, b → a', {}],
    ['another order, another phase, other lines', begin('a, b'), 'b | a', {}],
    ['new ones join', begin('a').complete('a'), 'a, b, g { c }', { added: 'b, g, c' }],
    ['removed ones that never ran go', begin('a, b, g { c }'), 'a', { removed: 'b, g, c' }],
    ['a removed box is no history', begin('+a, -b, c'), 'c', { removed: 'a, b' }],
    ['completed ones stay', begin('a, b').schedule('a').end('a', 0).complete('a'), 'b', { kept: 'a' }],
    ['failed ones stay', begin('a, b').failOnce('a').fail('a'), 'b', { kept: 'a' }],
    ['skipped ones stay', begin('a, b').skip('a'), 'b', { kept: 'a' }],
    ['one that ran and has not ended', begin('a, b').failOnce('a'), 'b', { conflicts: 'a removed' }],
    ['one that runs', begin('a, b').schedule('a'), 'b', { conflicts: 'a removed' }],
    ['one that is suspended', begin('a, b').suspend('a'), 'b', { conflicts: 'a removed' }],
    ['one that was resumed, and never ran, goes', begin('a, b').suspend('a').resume('a'), 'b', { removed: 'a' }],
    ['other needs, never ran', begin('a, b'), 'a, b → a', { changed: 'b' }],
    ['other needs, has run', begin('a, b').failOnce('b'), 'a, b → a', { conflicts: 'b changed' }],
    ['other needs, was skipped by a person', begin('a, b').skip('b'), 'a, b → a', { conflicts: 'b changed' }],
    ['other preferences', begin('a, b'), 'a, b ~> a', { changed: 'b' }],
    ['optional now', begin('a'), 'a*', { changed: 'a' }],
    ['in a group now', begin('a'), 'g { a }', { added: 'g', changed: 'a' }],
    ['a group now', begin('a'), 'a { b }', { added: 'b', changed: 'a' }],
    ['ticked now: no other meaning', begin('a'), '+a', {}],
  ])('%s', (_, scenario, text, expected) => {
    expect(told(match(scenario, text))).toEqual(expected);
  });

  it('other keys or another prompt are a change, another title is none', () => {
    const scenario = begin('a, b, c');
    const file = planOf('a, b, c', { keys: { a: { run: 'false' } } });
    const tasks = file.tasks.map((task) => {
      if (task.id === 'b') return { ...task, prompt: 'Do it.' };
      return task.id === 'c' ? { ...task, title: 'Other' } : task;
    });
    expect(told(matchRevision(scenario.plan, { ...file, tasks }))).toEqual({ changed: 'a, b' });
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
