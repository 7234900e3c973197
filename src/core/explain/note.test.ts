import { expect, it } from 'vitest';
import { begin, planOf, type Scenario } from '../../../test/scenario.ts';
import { noteOn } from './note.ts';

const note = (s: Scenario) => noteOn(s.task('a'));
const words = 'b#1 waits for x';

/** Its attempt has been stopped to end a deadlock, and its files are about to be saved. */
const victim = () => {
  const s = begin(planOf('a', { keys: { a: { files: ['x'], run: 'true' } } })).goOn();
  const doom = { kind: 'deadlock', words, blocker: { owner: 'bob', name: 'bob', resource: 'x' } } as const;
  return s.start('a').doom('a', doom).end('a', { kind: 'killed', code: null });
};

it('is what whoever did it has said', () => {
  const s = begin('a');
  expect(note(s)).toBeNull();
  s.task('a').notes = 'three tables';
  expect(note(s)).toBe('three tables');
});

it('tells why it was stopped, while it waits, when it runs again, and for ever', () => {
  const s = victim();
  expect(note(s)).toBe(`was stopped because ${words}`);
  s.saveWork(s.task('a').token, 'a-1');
  const told = `was stopped because ${words}; its version is saved as a-1`;
  expect(note(s)).toBe(told);
  s.again('a', 0, 'stopped').schedule('a');
  expect([note(s), s.task('a').stopped?.over]).toEqual([told, undefined]);
  s.start('a').end('a', 1);
  // The attempt after that one was not stopped before.
  s.again('a').schedule('a');
  expect([note(s), s.task('a').stopped?.over]).toEqual([told, true]);
  s.end('a', 0).complete('a');
  expect(note(s)).toBe(told);
});

it('begins with what somebody says about it', () => {
  const s = victim();
  s.task('a').notes = 'three tables';
  expect(note(s)).toBe(`three tables (was stopped because ${words})`);
});
