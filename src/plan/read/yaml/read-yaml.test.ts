// What a YAML plan means, and that the plain reader says the same as the `yaml` package wherever it says anything.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { howMany } from '../../../../test/how-many.ts';
import { planPath } from '../../../core/model/ids.ts';
import type { Plan } from '../../../core/model/plan.ts';
import { Report } from '../../diagnostics/report.ts';
import { readPlan } from '../../read-plan.ts';
import { parseByPackage } from './package-yaml.ts';
import { parsePlainYaml } from './plain-yaml.ts';
import type { YamlNode } from './yaml-node.ts';

function read(text: string): Plan {
  const reading = readPlan({ text, file: 'plan.yaml', path: planPath('plan.yaml') });
  expect(reading.diagnostics).toEqual([]);
  return reading.plan!;
}

describe('plans', () => {
  test('the same keys as in markdown', () => {
    const plan = read(`title: Checkout
max-parallel: 4
pools: {db: 1}
model: sonnet
tasks:
  "1.10":
    title: Ten
  1.1:
    needs: 1.10
    prefers: [1.10]
    run: |
      echo 1
      echo 2
    check: [a, b]
    env: {A: 1, B: true, C: "x"}
    timeout: 90
    idle-timeout: 5m
    uses: db
  g:
    prompt: ignored by subtasks
    subtasks:
      a: {needs: [1.1-1.10], files: [x, y]}
      b:
`);
    expect(plan).toMatchObject({ title: 'Checkout', maxParallel: 4, pools: { db: 1 }, order: 'explicit' });
    expect(plan.phases).toEqual([{ name: '' }]);
    expect(plan.tasks).toEqual([
      { id: '1.10', title: 'Ten', line: 6, phase: 0, keys: { model: 'sonnet' } },
      {
        id: '1.1',
        title: '1.1',
        line: 8,
        phase: 0,
        needs: ['1.10'],
        keys: {
          model: 'sonnet',
          run: 'echo 1\necho 2',
          check: ['a', 'b'],
          env: { A: '1', B: 'true', C: 'x' },
          timeoutMs: 90_000,
          idleTimeoutMs: 300_000,
          uses: ['db'],
        },
      },
      {
        id: 'g',
        title: 'g',
        line: 19,
        phase: 0,
        group: true,
        prompt: 'ignored by subtasks',
        keys: { model: 'sonnet' },
      },
      {
        id: 'a',
        title: 'a',
        line: 22,
        phase: 0,
        parent: 2,
        needs: ['1.1', '1.10'],
        keys: { model: 'sonnet', files: ['x', 'y'] },
      },
      { id: 'b', title: 'b', line: 23, phase: 0, parent: 2, keys: { model: 'sonnet' } },
    ]);
  });
});

/** Places of empty values differ, and nobody points at them. */
const comparable = (node: YamlNode | null): unknown => {
  if (node === null || node.kind === 'text') return node?.text === '' ? '' : node;
  if (node.kind === 'list') return { ...node, items: node.items.map(comparable) };
  return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: comparable(value) })) };
};

describe('the plain reader', () => {
  const start = { line: 1, column: 1 };
  const slow = (text: string) => {
    const report = new Report('x', text);
    return { node: parseByPackage(text, start, report), failed: report.failed };
  };

  test('agrees with the package, or leaves the text to it', () => {
    const scalar = fc.constantFrom(
      ...[
        'a',
        '1.10',
        'true',
        '"q"',
        "'s'",
        "'it''s'",
        '"\\n"',
        'a b',
        'a: b',
        'a #c',
        'a#c',
        '-1',
        '- x',
        '--x',
        '|',
        '|-',
        '>',
        '[a, b]',
      ],
      ...[
        '[]',
        '{}',
        '{a: 1}',
        '{a: 1, b}',
        '[a,]',
        '[a, [b]]',
        '{a: [b, {c: d}], e: {}}',
        '{a: "x", \'b\': y z}',
        '{a: b:c, d: http://x}',
        '[a b , c]',
        '{a: [b}',
        '[a: b]',
        '{a: b #c}',
        "[it's]",
        '["a"b]',
        '{a: }',
        '[[]]',
        '{a:1}',
        '&x a',
        '*x',
        '!t a',
        '~',
        '',
        '# c',
        'a:',
        ':a',
        '?x',
        '? x',
        '@a',
        '%a',
        'é',
        '"a',
        '[a',
        'a\tb',
        '"a\tb"',
        '[a,\tb]',
        '\ta',
        '# c\td',
        '\ufeff',
      ],
    );
    const key = fc.constantFrom(
      'a:',
      'b:',
      '1.10:',
      '"q":',
      'a.b-c:',
      '-',
      '- a:',
      '-  b:',
      '- -',
      '---',
      '...',
      '#',
      '  x',
      'é:',
      '<<:',
      'a :',
      '\ta:',
      'a:\t',
      '\ufeffa:',
    );
    const line = fc
      .tuple(
        fc.integer({ min: 0, max: 5 }),
        key,
        fc.constantFrom('', ' ', '  '),
        scalar,
        fc.constantFrom('', ' ', ' # c', '\t', '\t# c'),
      )
      .map(([indent, k, gap, value, tail]) => `${' '.repeat(indent)}${k}${gap}${value}${tail}`);
    let plain = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('', '\n', '\n\n'), (lines, end) => {
        const text = lines.join('\n') + end;
        const fast = parsePlainYaml(text, start);
        if (!('node' in fast)) return;
        plain++;
        const { node, failed } = slow(text);
        expect(failed, JSON.stringify(text)).toBe(false);
        expect(comparable(fast.node), JSON.stringify(text)).toEqual(comparable(node));
      }),
      { numRuns: howMany(20_000) },
    );
    expect(plain).toBeGreaterThan(100);
  });

  test.each([
    'a: |\n  x\n     \n  y\n',
    'a: |\n\n  x\n',
    'a: |+\n  x\n\n',
    'a: >\n  x\n  y\n',
    'a: x\n  y\n',
    'a: &b x\nc: *b\n',
    'a:\tb\n',
    '"a\\tb": c\n',
  ])('leaves %j to the package', (text) => {
    expect(parsePlainYaml(text, start)).not.toHaveProperty('node');
  });

  test.each([
    'a: 1\nb:\n  c: x\n  d:\n  - e\n  - f: 1\n    g: 2\nh: [a, b]\n',
    '---\n# c\n\na: |\n  one\n\n   two\n\nb: |-\n  x\nc: {A: 1, B: x y}\n',
    'a:\n  - b: |\n      x\n    c: 1\n  - d\n',
    'tasks:\n  a:\n  b: {}\n',
    'a: {needs: [b, c], env: {A: "x", B: http://a:1/b}, run: echo "hi" there}\n',
  ])('reads %j itself', (text) => {
    const fast = parsePlainYaml(text, start);
    if (!('node' in fast)) expect.fail(`it stopped in line ${fast.unusualLine}`);
    expect(comparable(fast.node)).toEqual(comparable(slow(text).node));
  });
});
