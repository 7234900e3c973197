// One word of an answer has another sense for another question.
import { expect, it } from 'vitest';
import { type Choice, type DecisionKind, optionsFor } from '../../core/model/decision.ts';
import type { DecisionId } from '../../core/model/ids.ts';
import { optionReports } from './choice-words.ts';

const none = { count: 0, tasks: [] };
const wordsOf = (kind: DecisionKind, choice: Choice, folder: string | null = null) =>
  optionReports(
    { id: 'd1' as DecisionId, kind, openedAt: 0, blocks: none, goesOn: none, options: optionsFor(kind) },
    folder,
  ).find((option) => option.choice === choice)?.does;

it.each([
  ['batch', 'accept', 'keep what was completed, and skip the rest'],
  ['merge', 'accept', 'merge although this check is red on the branch itself'],
  ['merge', 'go-on', 'merge again, now that the branch is repaired'],
  ['question', 'go-on', 'run it again without an answer'],
] as const)('%s: %s', (kind, choice, words) => {
  expect(wordsOf(kind, choice)).toBe(words);
});

it('names the folder to repair in where there is one', () => {
  expect(wordsOf('question', 'fix', '/trees/a')).toBe('hold it back while you repair it in /trees/a; then resume it');
  expect(wordsOf('question', 'fix')).toBe('hold it back while you repair it by hand; then resume it');
});
