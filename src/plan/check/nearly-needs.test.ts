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
