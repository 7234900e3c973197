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

test.each([
  ...['(depends upon T001)', '(dependent on T001)', '(waits for T001)', '(wait for T001)', '(waiting on T001)'],
  ...['(prerequisite: T001)', '(prereq: T001)', '(prerequisites: T001, T002)', '(needs T001 first)', '(need T001)'],
  ...[
    '(once T001 is done)',
    '(once T001 and T002 are merged)',
    '(builds on T001)',
    '(follows T001)',
    '(following T009)',
  ],
  ...['_needs T001_', '**after T001**', '*waits for: T001*', 'needs T001', 'after T001', 'after T001 and T002.'],
  ...[
    'once T001 is done',
    'after the rest, which needs T001',
    ', once T001 lands',
    '(after step 1)',
    '(once step 1 is done)',
  ],
  ...['(needs 7)', '(once 007 is done)'],
])('Test %s, of T001 and others', (words) => {
  const others = '- [ ] T001 One\n- [ ] T002 Two\n- [ ] Step 1: Begin\n- [ ] 007 Bond\n';
  expect(codes(`${others}- [ ] T003 Test ${words}\n`)).toEqual(['nearly-need']);
});

test.each([
  ...[
    'after lunch',
    '(once everybody is back)',
    '(builds on 2.0)',
    'what the user needs',
    'and wait for answers',
    '(follows RFC 9110)',
  ],
  ...[
    '(need 2 of them)',
    'after `T001`',
    'what T003 needs',
    'what follows T003',
    '_after_ T004',
    'before T001',
    'after work on T001',
  ],
  ...[
    'once T001 is understood by all',
    '(wait for 5 minutes)',
    '(prerequisite: Node 22)',
    'so that nobody needs t001x',
  ],
])('Test %s, of T001 and others, is a title', (words) => {
  expect(codes(`- [ ] T001 One\n- [ ] T003 Test ${words}\n`)).toEqual([]);
});

test('the help names the id that the task has', () => {
  const help = (title: string, words: string) => {
    const text = `- [ ] ${title}\n- [ ] b: y ${words}\n`;
    return readPlan({ text, file: 'p.md', path: planPath('p.md') }).diagnostics.map((one) => one.help);
  };
  expect(help('001 First', '(needs 001)')).toEqual(['write `(needs: 001-first)`, with a colon']);
  expect(help('Step 1: x', '(after step 1)')).toEqual(['write `(needs: step-1-x)`, with a colon']);
  expect(help('T001 x', 'after T001')).toEqual(['write `(needs: T001)`; an id that is text goes in backticks']);
});

test.each(['waits for: a', 'prerequisite: a', 'wait for a', 'once a is done', 'needs a first', '_follows a_'])(
  '%s under a task, as a line and as an item',
  (line) => {
    for (const sign of ['', '- ']) {
      expect(codes(`- [ ] a: Build\n- [ ] b: Test\n  ${sign}${line}\n`)).toEqual(['nearly-need']);
      expect(codes(`- [ ] c: Build\n- [ ] b: Test\n  ${sign}${line}\n`)).not.toContain('nearly-need');
    }
  },
);

test.each(['(requires Node 20)', '(requires UTF-8)', '(needs review)', '(after 5 minutes)', '- after hours'])(
  'Test %s is a title',
  (words) => expect(codes(`- [ ] a: One\n- [ ] b: Test ${words}\n`)).toEqual([]),
);

test.each(['needs: a', 'Depends on: Task 1', '**Depends on:** a', 'depends on a', 'dependsOn: a', 'blockedBy: a'])(
  '%s, and no item',
  (line) => {
    expect(codes(`- [ ] a: Build\n- [ ] Task 1: One\n- [ ] b: Test\n  ${line}\n`)).toEqual(['nearly-need']);
    expect(codes(`- [ ] b: Test\n  ${line.replace(/a$|Task 1$/, 'good nerves')}\n`)).not.toContain('nearly-need');
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
