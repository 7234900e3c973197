// What is nearly a need, and what is only text with the same signs. The words that are printed are in the corpus.
import { expect, test } from 'vitest';
import { planPath } from '../../core/model/ids.ts';
import { readPlan } from '../read-plan.ts';

const codes = (text: string, file = 'plan.md') =>
  readPlan({ text, file, path: planPath(file) }).diagnostics.map(({ code }) => code);

test.each(['Test --> a', 'Test ==> a', 'Test ⇒ a', 'Test ← a', 'Test-> a', 'Test ➜ a and c', 'Test (needs a, c)'])(
  '%s',
  (title) => {
    expect(codes(`- [ ] a: Build\n- [ ] c: Lint\n- [ ] b: ${title}\n`)).toEqual(['nearly-need']);
  },
);

test.each([
  '(needs Task 1)',
  '(after Task 1)',
  '(requires 001)',
  '(needs 001) on Linux',
  '(needs Task 7)',
  '(needs 7)',
  '(needs T002)',
  '(needs 001, shcema)',
  '(after build-it)',
  '(needs Build it)',
  '[needs: 001]',
  '— depends on 001',
  ', after Task 1',
])('Test %s', (words) => {
  const others = '- [ ] Task 1: One\n- [ ] 001: Two\n- [ ] T001 Three\n- [ ] Build it\n';
  expect(codes(`${others}- [ ] b: Test ${words}\n`)).toEqual(['nearly-need']);
});

test.each(['(requires Node 20)', '(requires UTF-8)', '(needs review)', '(after 5 minutes)', '- after hours'])(
  'Test %s is a title',
  (words) => expect(codes(`- [ ] a: One\n- [ ] b: Test ${words}\n`)).toEqual([]),
);

test.each(['needs: a', 'Depends on: Task 1', '**Depends on:** a', 'depends on a'])('%s, and no item', (line) => {
  expect(codes(`- [ ] a: Build\n- [ ] Task 1: One\n- [ ] b: Test\n  ${line}\n`)).toEqual(['nearly-need']);
  expect(codes(`- [ ] b: Test\n  ${line.replace(/a$|Task 1$/, 'good nerves')}\n`)).not.toContain('nearly-need');
});

test.each([
  'Rename x => y',
  'Turn ptr->a into ptr.a',
  'Write `x --> a` in the docs',
  'Make a <= a hold for b',
  'Ship (after a long rest)',
  'Go from A ⇒ B',
  'Draw => b',
])('%s is a title', (title) => {
  expect(codes(`- [ ] a: Build\n- [ ] b: ${title}\n`)).toEqual([]);
});

test('an item without a colon is a need only when all of it are ids', () => {
  const plan = (item: string) => codes(`- [ ] a: Build\n- [ ] b: Test\n  - ${item}\n`);
  expect(plan('needs a')).toEqual(['nearly-need']);
  expect(plan('Depends on a.')).toEqual(['nearly-need']);
  expect(plan('needs a good name')).toEqual([]);
  expect(plan('after lunch')).toEqual([]);
});

test('an arrow in a title of YAML', () => {
  expect(codes("tasks:\n  a: {run: x}\n  b: {run: x, title: 'Test => a'}\n", 'plan.yaml')).toEqual(['nearly-need']);
});

test('marks of git in a block are an example; others are told, and nothing else', () => {
  const conflict = '<<<<<<< HEAD\n- [ ] a: x\n=======\n- [ ] a: y → q\n>>>>>>> b\n';
  expect(codes(conflict)).toEqual(['merge-conflict']);
  expect(codes(`- [ ] c: z\n\n\`\`\`\n${conflict}\`\`\`\n`)).toEqual([]);
  expect(codes('- [ ] c: z\n\n=======\n')).toEqual([]);
});
