// The fast reader of whole plans says the same as the way through the nodes, and nothing where that one has something to say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RawTask } from '../raw-plan.ts';
import { Report } from '../report.ts';
import { readPlainPlan } from './plain-plan.ts';
import { readAnyPlan } from './read-yaml.ts';

function slow(text: string) {
  const report = new Report('plan.yaml', text);
  return { raw: readAnyPlan(text, report), diagnostics: report.diagnostics() };
}

const withoutTargets = (task: RawTask): RawTask => ({
  ...task,
  references: task.references?.map(({ task: _, ...reference }) => reference) ?? null,
});

/** Whether the fast reader read it. */
function agrees(text: string): boolean {
  const fast = readPlainPlan(text);
  if (fast === null) return false;
  const { index, ...raw } = fast;
  const general = slow(text);
  expect(general.diagnostics, text).toEqual([]);
  for (const { references } of raw.tasks)
    for (const { task, text: word } of references ?? []) if (task !== undefined) expect(index!.get(word)).toBe(task);
  expect({ ...raw, tasks: raw.tasks.map(withoutTargets) }, text).toEqual(general.raw);
  expect(index!.keys(), text).toEqual(raw.tasks.map(({ id }) => id));
  return true;
}

const value = fc.constantFrom(
  ...['x', 'x y', '"q"', "'s'", "''", '1.10', 'true', '3', '-1', '30s', 'agent', '5.5', '~', '', '# c', 'a: b'],
  ...['[]', '[a, b]', '[a, "b c", 1.1-1.3]', '[a, [b]]', '[a, ]', 'a, b', 'a and b', '{a: 1}', '{A: x, B: "1"}', '{}'],
  ...['|\n          one\n\n            two', '|-\n          x', '>\n          x', '\n          - a\n          - b c'],
  ...['\n        - a', '\n          a: b', '&x a', '*x', 'A=1, B=2', 'é', '`a`', '"a\\n"', '!t x'],
);
const key = fc.constantFrom(
  ...['title', 'needs', 'prefers', 'run', 'prompt', 'check', 'accept', 'model', 'agent', 'files', 'uses', 'env'],
  ...['timeout', 'retries', 'priority', 'labels', 'review', 'budget-usd', 'on-failure', 'isolation', 'batch', 'order'],
  ...['subtasks', 'tasks', 'titel', '"title"', 'pools', 'title '],
);
const tail = fc.constantFrom('', '', '', ' ', ' # c', '\n', '\n# c', '\n        # c');
const own = (names: fc.Arbitrary<string>, values: fc.Arbitrary<string>) =>
  fc.tuple(names, values, tail).map(([name, given, end]) => `${name}: ${given}${end}`);
const oftenRight = fc.oneof(
  { weight: 5, arbitrary: own(fc.constantFrom('title', 'run', 'prompt', 'model'), fc.constantFrom('x', 'x y', '"q"')) },
  { weight: 3, arbitrary: own(fc.constantFrom('needs', 'prefers', 'files'), fc.constantFrom('[a, b]', 'a', '"a, b"')) },
  { weight: 2, arbitrary: own(key, value) },
);
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', '1.1', '1.10', '"q"', "'s t'", 'a-b', '-1', 'é', 'x y', '- z', '');
const inFlow = fc.array(oftenRight, { maxLength: 4 }).map((all) => `{${all.join(', ')}}`);
const task = fc.tuple(id, fc.oneof(fc.array(oftenRight, { maxLength: 4 }), inFlow), tail);
const written = (indent: number) =>
  task.map(([name, body, end]) => {
    const margin = ' '.repeat(indent);
    if (typeof body === 'string') return `${margin}${name}: ${body}${end}`;
    return [`${margin}${name}:${end}`, ...body.map((line) => `${margin}  ${line}`)].join('\n');
  });
const line = fc.oneof(
  { weight: 12, arbitrary: written(2) },
  { weight: 2, arbitrary: written(6) },
  { weight: 2, arbitrary: fc.constant('    subtasks:') },
  { weight: 1, arbitrary: written(10) },
  { weight: 1, arbitrary: fc.constant('        subtasks:') },
  { weight: 1, arbitrary: oftenRight.map((text) => `    ${text}`) },
  { weight: 1, arbitrary: fc.nat({ max: 8 }).chain((n) => oftenRight.map((text) => ' '.repeat(n) + text)) },
  { weight: 1, arbitrary: fc.constantFrom('tasks:', '- a', '    - a', '', '---', 'model: x', '\t', 'title: "T"') },
);

describe('the fast reader of plans', () => {
  test('agrees with the general one, or leaves the text to it', () => {
    let plain = 0;
    const head = fc.constantFrom(
      '',
      'title: T\n',
      '---\nmodel: m # c\n',
      'sections: []\n',
      'max-parallel: x\n',
      '# c\n',
    );
    const lines = fc.array(line, { maxLength: 6 });
    fc.assert(
      fc.property(head, lines, fc.constantFrom('', '\n', '\n\nmodel: x\n'), (start, body, end) => {
        if (agrees(`${start}tasks:\n${body.join('\n')}${end}`)) plain++;
      }),
      { numRuns: 5000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  test.each([
    'tasks:\n  a:\n  b: {title: "x", needs: [a]}\n',
    'tasks:\n  a:\n    title: x\n    subtasks:\n      b:\n        needs: c\n      c: {run: "true"}\n    check: y\n  d:\n    subtasks:\n',
    '---\ntitle: T\npools: {db: 1}\ntasks:\n\n  # c\n  a: # c\n    uses: db\n    prompt: |\n      one\n\n      two\nmodel: m\n',
    'tasks:\n    a:\n          files:\n          - x\n          - y\n          env: {A: 1}\n',
    'tasks:\n',
  ])('reads %j itself', (text) => {
    expect(agrees(text)).toBe(true);
  });

  test.each([
    'tasks:\n  a:\n  a:\n',
    'tasks:\n  a:\n    subtasks:\n      b:\n  b:\n',
    'tasks:\n  a:\n    subtasks:\n      b:\n    subtasks:\n      c:\n',
    'tasks:\n  a:\n    title: x\n    subtasks:\n      b: {title: y}\n    title: z\n',
    'tasks:\n  a: {needs: b, needs: b}\n  b:\n',
    'tasks:\n  a: {titel: x}\n',
    'tasks:\n  a: {max-parallel: 1}\n',
    'tasks:\n  a:\n      title: x\n    run: y\n',
    'tasks:\n  - a\n',
    'tasks: {a: {}}\n',
    'tasks:\n  a: x\n',
    'tasks:\n  a:\ntasks:\n  b:\n',
    'title: x\ntitle: y\ntasks:\n  a:\n',
    'meta:\n  name: x\n',
    'title: T\n',
    '',
  ])('leaves %j to the general one', (text) => {
    expect(readPlainPlan(text)).toBeNull();
  });

  test('reads a group in a group as deep as anybody nests them', () => {
    const deep = Array.from(
      { length: 2000 },
      (_, i) => `${' '.repeat(4 * i + 2)}t${i}:\n${' '.repeat(4 * i + 4)}subtasks:`,
    );
    expect(readPlainPlan(`tasks:\n${deep.join('\n')}\n`)!.tasks.length).toBe(2000);
  });
});
