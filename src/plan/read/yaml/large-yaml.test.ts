// A mistake at the end of a long YAML plan is told where it stands, whichever reader met it: the plain one alone above 4 MB, the
// package below.
import { describe, expect, test } from 'vitest';
import { planPath } from '../../../core/model/ids.ts';
import { readPlan } from '../../read-plan.ts';

/** As people write it: comments, quotes, lists in brackets and in lines, literal blocks. */
const task = (i: number, words: number) => `
  # ---- part ${i} ----
  api-${i}:
    title: "Build the API: routes & handlers ${i}"
    files: ["src/api-${i}/**", test/api-${i}.test.ts] # its own
    prompt: |
${'      Look at how the others do it; keep the names.\n'.repeat(words)}
      Do not touch the public API.
  docs-${i}: { title: Describe it, needs: [api-${i}], run: "make docs" }
`;

const planOf = (tasks: number, words: number) =>
  `title: Long\ntasks:${Array.from({ length: tasks }, (_, i) => task(i, words)).join('')}  last:\n`;
/** `npm run prove -- limits` has more and shorter tasks, which take longer. */
const isLong = process.env.SIGNALBOX_LONG === '1';
const large = isLong ? planOf(13_000, 1) : planOf(1_300, 60);
const sizes: readonly (readonly [string, string])[] = [
  ['of more than 4 MB', large],
  isLong ? ['of 150 KB', planOf(450, 1)] : ['of 50 KB', planOf(150, 1)],
];

/** By name: the last lines, and which of them is wrong. */
const mistakes: readonly (readonly [name: string, end: string, line: number])[] = [
  ['a tab in the indentation', '    run: make\n\ttitle: x\n', 2],
  ['a tab behind spaces', '    run: make\n  \t  title: x\n', 2],
  ['a line too far left', '    run: make\n   title: x\n', 2],
  ['a line too far right', '    run: make\n      title: x\n', 2],
  ['a quote that is never closed', '    run: make\n    title: "x\n', 2],
  ['a bracket that is never closed', '    run: make\n    needs: [api-1, api-2\n', 2],
  ['a brace that is never closed', '    run: make\n    env: {A: x\n', 2],
  ['a value behind a closing quote', '    run: make\n    title: "x" y\n', 2],
  ['a colon inside a value', '    run: make\n    title: a: b\n', 2],
  ['a line that is no key', '    run: make\n    title\n', 2],
  ['a key that is there twice', '    run: make\n    title: x\n    run: x\n', 3],
  ['a value of another type', '    run: make\n    retries: many\n', 2],
  ['an alias without its anchor', '    run: make\n    title: *x\n', 2],
];

describe.each(sizes)('a plan %s', (_, plan) => {
  const read = (text: string) => readPlan({ text, file: 'plan.yaml', path: planPath('plan.yaml') });
  const above = plan.split('\n').length - 1;

  test('is read', () => {
    expect(read(`${plan}    run: make\n`).diagnostics).toEqual([]);
  });

  test.each(mistakes)('with %s at its end', (_, end, line) => {
    const { plan: found, diagnostics } = read(plan + end);
    expect(found).toBeNull();
    expect(diagnostics.map((one) => one.line - above)).toEqual([line]);
  });
});

test('a tab in the last line of a large plan is called a tab', () => {
  const text = `${large}\trun: make\n`;
  expect(text.length).toBeGreaterThan(4_000_000);
  const { diagnostics } = readPlan({ text, file: 'plan.yaml', path: planPath('plan.yaml') });
  expect(diagnostics.map(({ message, column }) => `${column} ${message}`)).toEqual(['1 a tab in the indentation']);
});

test.each([
  ['a folded text', 'note: >\n  as it\n  comes\n'],
  ['a value that goes on in the next line', 'note: as it\n  comes\n'],
  ['an anchor', 'note: &a as it comes\n'],
])('a tab in the last line is told where it is, also behind %s, which is told too', (_, above) => {
  const text = `${above}${large}\trun: make\n`;
  const { diagnostics } = readPlan({ text, file: 'plan.yaml', path: planPath('plan.yaml') });
  const first = above.split('\n').length > 2 ? 2 : 1;
  const last = text.split('\n').length - 1;
  expect(diagnostics.map(({ line }) => line)).toEqual([expect.toBeOneOf([1, first]), last]);
  expect(diagnostics[1]!.message).toBe('a tab in the indentation');
});
