// Letters and digits in brackets: boxes by mistake beside other boxes, and text wherever there are none.
import { expect, it } from 'vitest';
import { planPath } from '../../../core/model/ids.ts';
import { readPlan } from '../../read-plan.ts';

function told(text: string): string[] {
  const { diagnostics } = readPlan({ text, file: 'plan.md', path: planPath('plan.md') });
  return diagnostics.map(({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`);
}

it.each([
  ['a link', '- [ ] a: x\n- [b](https://example.org)'],
  ['where a link leads', '- [ ] a: x\n- [b]: https://example.org'],
  ['a link by reference', '- [ ] a: x\n- [b][c] y'],
  ['nothing behind it', '- [ ] a: x\n- [b]\n- [c] '],
  ['another list', '- [ ] a: x\n\nSee also:\n- [b] y\n- [1] z'],
  ['another list before', '- [b] y\n- [1] z\n\nThe tasks:\n- [ ] a: x'],
  ['another heading', '- [ ] a: x\n\n## Notes\n- [P] tasks stand beside each other'],
  ['under a task without subtasks', '- [ ] a: x\n  - [b] y\n- [ ] c: z'],
  ['under an item that is no task', '- [ ] a: x\n- Notes\n  - [b] y'],
  ['tasks only under an item', '- Setup\n  - [ ] a: x\n- [b] y'],
  ['values of a key', '- [ ] a: x\n  - accept:\n    - [b] y\n    - [1] z\n- [ ] c: z'],
  ['criteria', '- [ ] a: x\n  - Acceptance criteria:\n    - [ ] y\n    - [b] z'],
  ['steps of a task that is a heading', '## Task 1: A\n- [ ] y\n- [b] z\n'],
])('are text: %s', (_, text) => {
  expect(told(text).filter((one) => one.includes('unknown-box'))).toEqual([]);
});

it.each([
  ['behind the others', '- [ ] a: x\n- [b] y', ['2:3 error unknown-box']],
  ['before them', '- [b] y\n- [c] z\n\n- [ ] a: x', ['1:3 error unknown-box', '2:3 error unknown-box']],
  ['behind prose and subtasks', '- [ ] a: x\n  prose\n  - [ ] b: y\n* [v] c', ['4:3 error unknown-box']],
  ['in a list of subtasks', '- [ ] a: x\n  - [v] b: y\n  - [ ] c: z', ['2:5 error unknown-box']],
  ['a space too far to the right', '- [ ] a: x\n - [v] b: y', ['2:4 error unknown-box']],
  [
    'digits, which may be references',
    '- [1] x\n- [ ] a: x\n- [2] y',
    ['1:3 warning unknown-box', '3:3 warning unknown-box'],
  ],
  ['the mark of tasks side by side', '- [ ] a: x\n- [P] y', ['2:3 warning unknown-box']],
])('are told beside boxes: %s', (_, text, expected) => {
  expect(told(text).filter((one) => one.includes('unknown-box'))).toEqual(expected);
});

it('a task that was meant can be needed', () => {
  expect(told('- [ ] a: x → b\n- [v] b: y')).toEqual(['2:3 error unknown-box']);
});

it('many are no slower than few', () => {
  const cpu = (count: number) => {
    const text = `- Setup\n${'  - [ ] x\n'.repeat(count)}${'- [v] y\n'.repeat(count)}`;
    const before = process.cpuUsage();
    told(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  cpu(2_000);
  expect(cpu(20_000)).toBeLessThan(cpu(2_000) * 5);
});
