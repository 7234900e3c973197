import { describe, expect, it } from 'vitest';
import { aDecision } from '../../../../test/rigs/decision-samples.ts';
import type { DecisionEvidence, OpenDecision } from '../../../core/model/decision.ts';
import { type AttemptId, type TaskId, taskId } from '../../../core/model/ids.ts';
import { describeDecision, describeEvidence } from './describe-decision.ts';

const names = (...ids: string[]) => ({ count: ids.length, tasks: ids.map(taskId) });
const plan = (more: Partial<OpenDecision>): OpenDecision => {
  const { task: _, ...rest } = aDecision(more);
  return rest;
};
const batch: DecisionEvidence = { kind: 'batch', phase: 'Build', completed: names('a', 'b'), rest: names('c') };
const preferred: DecisionEvidence = { kind: 'preferred', tasks: [taskId('lint'), taskId('docs')] };

describe('a decision in sentences', () => {
  it.each<[string, OpenDecision]>([
    [
      'Task a failed. This blocks 2, 3 and 4. Task 5 goes on.',
      aDecision({ blocks: names('2', '3', '4'), goesOn: names('5') }),
    ],
    ['Task a failed. Nothing else waits for it. Tasks 5 and 6 go on.', aDecision({ goesOn: names('5', '6') })],
    ['Task a was rejected with high severity. This blocks b.', aDecision({ kind: 'rejection', blocks: names('b') })],
    ["a#2 waits for a person's review.", aDecision({ kind: 'review', attempt: 'a#2' as AttemptId })],
    ["Task a waits for a person's review.", aDecision({ kind: 'review' })],
    [
      'Task a prefers lint and docs, which ended badly.',
      aDecision({ kind: 'soft-failure', evidence: preferred, blocks: names('a') }),
    ],
    ['Task a is in a loop. Nothing else waits for it.', aDecision({ kind: 'livelock' })],
    ['The plan keeps running but makes no progress. Nothing else waits for it.', plan({ kind: 'livelock' })],
    [
      'Phase "Build" has ended. Completed: a and b. Not completed: c. This blocks d.',
      plan({ kind: 'batch', evidence: batch, blocks: names('d') }),
    ],
    [
      '"Phase 2: Build" has ended. Completed: a and b. Not completed: c. This blocks d.',
      plan({ kind: 'batch', evidence: { ...batch, phase: 'Phase 2: Build' }, blocks: names('d') }),
    ],
    [
      'The phase has ended. Completed: none. Not completed: c. This blocks d.',
      plan({ kind: 'batch', evidence: { ...batch, phase: '', completed: names() }, blocks: names('d') }),
    ],
    ['2 tasks cannot start: a and b.', plan({ kind: 'stuck', blocks: names('a', 'b') })],
  ])('%s', (words, decision) => {
    expect(describeDecision(decision)).toBe(words);
  });

  it('names the first of many, and counts the rest', () => {
    const tasks = Array.from({ length: 100 }, (_, i) => taskId(`t${i}`));
    expect(describeDecision(aDecision({ blocks: { count: 2_000, tasks } }))).toBe(
      'Task a failed. This blocks t0, t1, t2, t3, t4, t5, t6, t7 and 1,992 more.',
    );
  });
});

describe('evidence', () => {
  const issues = [{ message: 'no tests', file: 'a.ts', task: 'b' }, { message: 'too slow' }];
  const said = ['- no tests (a.ts), because of b', '- too slow'];
  it.each<[DecisionEvidence | undefined, string[]]>([
    [undefined, []],
    [{ kind: 'rejected', severity: 'high', issues }, ['Its review found:', ...said]],
    [{ kind: 'same-rejection', times: 3, issues }, ['It was rejected 3 times in a row for the same reason:', ...said]],
    [
      { kind: 'circular-rejection', circle: ['a', 'b'] as TaskId[], times: 2 },
      ['Rejected because of each other, 2 times: a → b → a'],
    ],
    [
      { kind: 'no-progress', attempts: ['a#1', 'b#1'] as AttemptId[] },
      ['These attempts changed nothing and completed nothing: a#1 and b#1'],
    ],
    [{ kind: 'same-calls', call: 'read a.ts', times: 20 }, ['It made the same tool call 20 times: read a.ts']],
    [
      { kind: 'undoing', file: 'a.ts', tasks: ['a', 'b'] as TaskId[], times: 2 },
      ["a and b undid each other's work on a.ts 2 times"],
    ],
    [preferred, []],
    [batch, []],
  ])('%j', (evidence, lines) => {
    expect(describeEvidence(evidence)).toEqual(lines);
  });
});
