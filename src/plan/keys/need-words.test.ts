// A word for needs means the same in every form of plan; a need that is read in one and nothing in another starts a task too early.
import { describe, expect, test } from 'vitest';
import { planPath } from '../../core/model/ids.ts';
import { readPlan } from '../read-plan.ts';
import { needAliases } from './need-words.ts';

const needsOf = (text: string, file = 'plan.md', id = 'b') => {
  const { plan, diagnostics } = readPlan({ text, file, path: planPath(file) });
  return plan?.tasks.find((task) => task.id === id)?.needs ?? diagnostics.map(({ message }) => message);
};

describe.each(['needs', ...needAliases])('%s', (word) => {
  test('under a task', () => {
    expect(needsOf(`- [ ] a: Build\n- [ ] b: Test\n  - ${word}: a\n`)).toEqual(['a']);
  });
  test('under a heading that is a task', () => {
    expect(needsOf(`# Plan\n### Task 1: Build\n### Task 2: Test\n- ${word}: Task 1\n`, 'plan.md', '2')).toEqual(['1']);
  });
  test('in YAML', () => {
    expect(needsOf(`tasks:\n  a: {run: x}\n  b: {run: x, ${word}: [a]}\n`, 'plan.yaml')).toEqual(['a']);
  });
  test('in YAML with sections', () => {
    const tasks = `- {id: a, run: x}\n      - {id: b, run: x, ${word}: [a]}`;
    expect(needsOf(`sections:\n  - name: One\n    tasks:\n      ${tasks}\n`, 'plan.yaml')).toEqual(['a']);
  });
  test('as a column', () => {
    expect(needsOf(`| # | Task | ${word} |\n|---|---|---|\n| a | Build | |\n| b | Test | a |\n`)).toEqual(['a']);
  });
  test('at the top of a plan it has no meaning', () => {
    expect(needsOf(`---\n${word}: a\n---\n- [ ] a: Build\n`)).toEqual([`\`${word}\` has no meaning here`]);
  });
});

test.each(['Depends on', '**Depends on**', '**Dependencies**', 'Blocked by', 'NEEDS'])('set off as %s', (word) => {
  expect(needsOf(`- [ ] a: Build\n- [ ] b: Test\n  - ${word}: a\n`)).toEqual(['a']);
});

test.each(['requires', 'dependencies', 'deps', 'depends_on', 'after', 'Blocked by'])('(%s: a)', (word) => {
  expect(needsOf(`- [ ] a: Build\n- [ ] b: Test (${word}: a)\n`)).toEqual(['a']);
});

test.each(['Task 1: x', 'task 1: x', 'Task 1 - x', '**Task 1:** x', '**Task 1**: x'])('%s has the id 1', (line) => {
  expect(needsOf(`- [ ] ${line}\n- [ ] b: Test → Task 1\n`)).toEqual(['1']);
});
