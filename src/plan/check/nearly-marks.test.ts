import { expect, test } from 'vitest';
import { planPath } from '../../core/model/ids.ts';
import { readPlan } from '../read-plan.ts';

const found = (line: string) =>
  readPlan({ text: `- [ ] T000 [P] First\n${line}\n`, file: 'plan.md', path: planPath('plan.md') }).diagnostics.filter(
    ({ code }) => code === 'nearly-mark',
  );

test.each([
  ['- [ ] T001 [p] x', 12],
  ['- [ ] T001 [PP] x', 12],
  ['* [x] T001 [US1] [ P ] x', 18],
  ['1. [ ]* **api** [pp]', 17],
])('%s', (line, column) => {
  expect(found(line)).toMatchObject([{ severity: 'warning', line: 2, column, help: 'did you mean `[P]`?' }]);
});

test.each([
  '- [ ] T001 [P] x',
  '- [ ] T001 [US1] [P] x',
  '- [ ] T001 Draw [p] and q',
  '- [ ] T001 [p](x.md)',
  'a [p] b',
])('%s is fine', (line) => expect(found(line)).toEqual([]));
