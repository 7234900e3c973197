// One word of an answer has another sense for another question.
import { expect, it } from 'vitest';
import { type Choice, type DecisionKind, optionsFor } from '../../core/model/decision.ts';
import type { DecisionId } from '../../core/model/ids.ts';
import { optionReports } from './choice-words.ts';

const none = { count: 0, tasks: [] };
const wordsOf = (kind: DecisionKind, choice: Choice) =>
  optionReports({
    id: 'd1' as DecisionId,
    kind,
    openedAt: 0,
    blocks: none,
    goesOn: none,
    options: optionsFor(kind),
  }).find((option) => option.choice === choice)?.does;

it.each([
  ['batch', 'accept', 'keep what was completed, and skip the rest'],
  ['merge', 'accept', 'merge although this check is red on the branch itself'],
  ['merge', 'go-on', 'merge again, now that the branch is repaired'],
  ['question', 'go-on', 'run it again without an answer'],
] as const)('%s: %s', (kind, choice, words) => {
  expect(wordsOf(kind, choice)).toBe(words);
});
