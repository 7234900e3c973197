// The fast way, which keeps no places, against the general one: the same plan and the same warnings, to the last key, or nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planPath } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import { formOf, readAny, readReady } from './read-plan.ts';
import { Report } from './report.ts';
import { areSeparate } from './separate-files.ts';

const settings = fc.constantFrom(undefined, undefined, {
  defaults: { model: 'm', env: { A: '1' }, labels: ['l'] },
  pools: { db: 1 },
} as unknown as Settings);

/** Whether the fast way read it. */
function agrees(file: string, text: string, given?: Settings): boolean {
  const path = planPath(file);
  const way = (read: typeof readAny | typeof readReady) => {
    const report = new Report(file, text);
    const reading = read(formOf(path)!, text, { path, settings: given, report });
    if (reading === null) return null;
    const { areSeparate: isKnown, ...plan } = reading;
    if (isKnown) expect(areSeparate(plan.plan!), text).toBe(true);
    return JSON.stringify({ ...plan, said: report.diagnostics() }, null, 1);
  };
  const ready = way(readReady);
  if (ready === null) return false;
  expect(ready, text).toBe(way(readAny));
  return true;
}

const often = <A, B>(weight: number, common: fc.Arbitrary<A>, rare: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight, arbitrary: common }, { weight: 1, arbitrary: rare });
const id = (n: number) => `t${n}`;
const needs = (n: number) =>
  often(
    20,
    fc.subarray(Array.from({ length: n }, (_, i) => id(i))),
    fc.constantFrom(['t1'], ['t2', 't3'], ['t0', 't0'], ['t0-t2'], ['none'], ['and', 't0'], ['t9.'], ['x']),
  );
const words = often(
  40,
  fc.constantFrom(
    'Do it',
    'run',
    'x-y z',
    'über',
    'Ünder',
    'a.b/c',
    'A note: more of it',
    'twelve chars',
    'a_b',
    'thirteen char',
  ),
  fc.constantFrom(
    'a → b',
    'x # y',
    "it's",
    '"q"',
    '[x]',
    '`code`',
    '(needs: t0)',
    'a: b',
    '\u3000',
    'true',
    '1.10',
    ' ',
    '',
    '~',
    'é\u00a0',
    '|',
  ),
);
const paths = often(
  20,
  fc.constantFrom('src/a.ts', 'src/b', 'x'),
  fc.constantFrom('src/**', '../x', 'a, b', '{a,b}', '`a`'),
);

const first = ([key]: readonly [string, string]) => key;
const others = (env: string): fc.Arbitrary<[string, string]> =>
  fc.constantFrom(
    ['retries', '3'],
    ['priority', '-1'],
    ['env', env],
    ['timeout', '5m'],
    ['uses', 'db'],
    ['retries', 'x'],
  );

describe('markdown that is read at once', () => {
  const value: fc.Arbitrary<[string, string]> = fc.oneof(
    fc.tuple(fc.constantFrom('run', 'check', 'model', 'agent', 'accept', 'labels'), words),
    fc.tuple(fc.constantFrom('run', 'check'), fc.constantFrom('`true`', '`npm test`', '` x`', '``', '` `', '`a` `b`')),
    fc.tuple(fc.constantFrom('files', 'reads', 'locks'), paths),
    others('A=1'),
    often(
      2,
      fc.tuple(fc.constant('needs'), fc.constantFrom('t0', 't1, t2')),
      fc.tuple(fc.constantFrom('prefers', 'prompt', 'title', 'batch', 'modle', 'needs'), words),
    ),
  );
  const prose = fc.constantFrom(
    'Plain words of a prompt.',
    'More',
    'and a very long line of prose that says a lot about it',
  );
  const body = often(
    30,
    fc.oneof(
      value.map(([key, text]) => `  - ${key}: ${text}`),
      fc.tuple(fc.constantFrom('  ', '  ', '    ', '', '   '), prose).map((parts) => parts.join('')),
      fc.constantFrom('', '', ' '),
    ),
    fc.constantFrom(
      '  - a note',
      'Verify',
      '    - [ ] t7: Part',
      '```',
      '- run: x',
      '    more',
      '<!-- c -->',
      '---',
      '| a |',
      '\tx',
      '    - check: y',
    ),
  );
  const heading = often(
    20,
    fc.constantFrom('# Title', '## Phase 1', '## Chapter', '### Phase 2: Deeper', '## Same #', 'Words in between.'),
    fc.constantFrom(
      '## Verify',
      '## Acceptance criteria',
      '### Task 1: x',
      '# Implementation Plan',
      '## A [SEQUENTIAL]',
      ' ## x',
      '#x',
      '####### x',
    ),
  );
  const task = (n: number) =>
    fc
      .tuple(
        often(
          20,
          fc.constantFrom('- [ ]', '- [ ]', '- [ ]', '- [x]', '- [-]'),
          fc.constantFrom('- [ ]*', '* [ ]', ' - [ ]', '- [y]', '  - [ ]'),
        ),
        often(30, fc.constant(id(n)), fc.constantFrom('t0', 'T001', '1.1', '', 'A b', 'é')),
        words,
        needs(n),
        fc.array(body, { maxLength: 4 }),
        often(3, fc.constant(''), heading),
      )
      .map(([box, name, title, needed, lines, above]) =>
        [
          above,
          `${box} ${name === '' ? '' : `${name}: `}${title}${needed.length > 0 ? ` → ${needed.join(', ')}` : ''}`,
          ...lines,
        ].join('\n'),
      );
  const front = often(
    6,
    fc.constantFrom(
      '',
      '',
      '',
      '---\nmodel: m\nprompt: p\n---\n',
      '---\norder: phases\nuses: db\npools: {db: 2}\n---\n',
    ),
    fc.constantFrom(
      '---\norder: spec-kit\n---\n',
      '---\norder: sequential\ntitle: T\n---\n',
      '---\nuses: nowhere\n---\n',
      '---\nx',
    ),
  );
  const text = fc
    .nat({ max: 5 })
    .chain((n) => fc.tuple(front, ...Array.from({ length: n }, (_, i) => task(i))).map((parts) => parts.join('\n')));

  test('is the plan of the general way', () => {
    let read = 0;
    fc.assert(
      fc.property(text, settings, (source, given) => {
        if (agrees('plan.md', source, given)) read++;
      }),
      { numRuns: 4000 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  test.each([
    '# T\n\nWords.\n\n## Phase 1\n\n- [ ] a: One\n  - run: `x`\n- [x] b: Two → a\n  Prose\n\n  more\n## Next\n- [ ] c: Three → b, a',
    '## One\n- [ ] a: One → b\n## Two\n- [ ] b: Two\n',
    '- [ ] a: One → b\n- [ ] b: Two\n  - check: x\n  - check: `y`\n',
    '---\nprompt: p\n---\n- [x] a: One\n- [ ] b: Two\n  own\n',
  ])('reads %j itself', (source) => {
    expect(agrees('plan.md', source)).toBe(true);
  });

  test.each([
    '- [ ] a: One\n- [ ] a: Two\n',
    '- [ ] a: One → a\n',
    '- [ ] a: One → b\n- [ ] b: Two → a\n',
    '---\norder: phases\n---\n## One\n- [ ] a: One → b\n## Two\n- [ ] b: Two\n',
    '- [ ] a: One → nobody\n',
    '- [ ] a: One\n  - uses: nothing\n',
    '# Only a title\n',
    `---\n# ${'x'.repeat(5000)}\nmodel: m\n---\n- [ ] a: One\n`,
    '',
  ])('leaves %j to the general way', (source) => {
    expect(agrees('plan.md', source)).toBe(false);
  });
});

describe('characters that no plan may have', () => {
  const whole = [
    '---\nmodel: m\n---\n# Title 😀\n\nWords 😀.\n\n## Phase 1\n\n- [ ] a: One 😀\n  - run: `x 😀`\n  - files: a, b\n  - labels: 😀\n',
    '- [x] b: Two → a\n  Prose 😀\n\n  more\n',
  ].join('');

  test('are seen wherever they stand', () => {
    expect(agrees('plan.md', whole)).toBe(true);
    for (const sign of ['\0', '\ud83d', '\ude00']) {
      for (let at = 0; at <= whole.length; at++) {
        const text = whole.slice(0, at) + sign + whole.slice(at);
        const isHalf = !(text as string & { isWellFormed(): boolean }).isWellFormed();
        if (sign === '\0' || isHalf) expect(agrees('plan.md', text), JSON.stringify(text)).toBe(false);
      }
    }
  });
});

describe('YAML that is read at once', () => {
  const value = often(
    12,
    fc.oneof(
      fc.tuple(fc.constantFrom('title', 'run', 'check', 'model', 'prompt'), words),
      fc.tuple(
        fc.constantFrom('title', 'run', 'prompt', 'accept'),
        often(10, fc.constantFrom('"q"', "'s t'", '"a, b" # c', '"é"'), fc.constantFrom('""', "'it''s'", '"a\\n"')),
      ),
      fc.tuple(
        fc.constantFrom('prompt', 'check', 'run', 'files'),
        often(
          10,
          fc.constantFrom('|\n      one\n\n        two', '|-\n      x\n'),
          fc.constantFrom('| # c\n      x', '|\n      \u00a0', '|\n'),
        ),
      ),
      fc.tuple(
        fc.constantFrom('files', 'check', 'labels'),
        often(
          10,
          fc.constantFrom('\n      - src/a.ts\n      - src/b c', '\n    - x # c', '[a, b]'),
          fc.constantFrom('\n      - "q"', '\n      - a: b', '\n      - 1'),
        ),
      ),
      fc.tuple(fc.constantFrom('files', 'locks', 'reads'), paths),
      others('{A: 1}'),
    ),
    fc.tuple(fc.constantFrom('prefers', 'subtasks', 'batch', 'modle', 'needs', '"run"', 'title'), words),
  );
  const flow = fc.oneof(
    fc.tuple(
      fc.constantFrom('title', 'run', 'check'),
      often(10, fc.constantFrom('"q"', "'s t'", 'x y', '"a, b"'), fc.constantFrom('1', '"\\""', '""')),
    ),
    fc.tuple(fc.constantFrom('files', 'labels'), fc.constantFrom('[a, b]', '[]', 'x')),
  );
  const task = (n: number) =>
    fc
      .tuple(
        often(30, fc.constant(id(n)), fc.constantFrom('t0', '"q"', '-1', 'é', 'a b', '1.1')),
        needs(n),
        fc.oneof(
          often(6, fc.uniqueArray(value, { maxLength: 4, selector: first }), fc.array(value, { maxLength: 4 })),
          fc.uniqueArray(flow, { maxLength: 3, selector: first }).map((all) => ({ flow: all })),
        ),
        often(10, fc.constant(''), fc.constantFrom(' # c', '\n', '\n# c', ' x', '\n   odd: x')),
      )
      .map(([name, needed, keys, end]) => {
        const list: [string, string][] = needed.length > 0 ? [['needs', `[${needed.join(', ')}]`]] : [];
        if ('flow' in keys)
          return `  ${name}: {${[...keys.flow, ...list].map((pair) => pair.join(': ')).join(', ')}}${end}`;
        return [`  ${name}:${end}`, ...[...list, ...keys].map((pair) => `    ${pair.join(': ')}`)].join('\n');
      });
  const head = often(
    6,
    fc.constantFrom('', 'title: T\n', '---\nmodel: m\nprompt: p\n', 'uses: db\npools: {db: 1}\n', 'order: phases\n'),
    fc.constantFrom('uses: x\n', 'modle: x\n', 'sections: []\n'),
  );
  const text = fc
    .nat({ max: 5 })
    .chain((n) =>
      fc.tuple(head, fc.constantFrom('\n', '\nmodel: x\n', ''), ...Array.from({ length: n }, (_, i) => task(i))),
    )
    .map(([start, end, ...tasks]) => `${start}tasks:\n${tasks.join('\n')}${end}`);

  test('is the plan of the general way', () => {
    let read = 0;
    fc.assert(
      fc.property(text, settings, (source, given) => {
        if (agrees('plan.yaml', source, given)) read++;
      }),
      { numRuns: 4000 },
    );
    expect(read).toBeGreaterThan(600);
  });

  test.each([
    'title: T\ntasks:\n  a:\n  b: {title: "x", needs: [a, c]}\n  c:\n    files:\n      - x\n      - y\n    prompt: |\n      one\n\n      two\n',
  ])('reads %j itself', (source) => {
    expect(agrees('plan.yaml', source)).toBe(true);
  });

  test.each([
    'tasks:\n  a:\n  a:\n',
    'tasks:\n  a: {needs: [b]}\n  b: {needs: [a]}\n',
    'tasks:\n  a: {needs: [a]}\n',
    'tasks:\n  a: {needs: [b, b]}\n  b:\n',
    'tasks:\n  a:\n    title: x\n    title: y\n',
    'tasks:\n  a:\n    prompt: |\n      \u00a0\n',
    'tasks:\n',
    '',
  ])('leaves %j to the general way', (source) => {
    expect(agrees('plan.yaml', source)).toBe(false);
  });
});

// More than is looked at at once, with lines of all lengths, so that every kind of them stands where one part ends.
describe('a plan of many parts', () => {
  const padding = (i: number) => 'word '.repeat((i * 7) % 97);
  /** Some look ahead, to one that looks far back. */
  const needs = (i: number) => {
    if (i % 40 === 7) return `task-${i + 1}, task-0`;
    return i < 3 || i % 40 === 8 ? 'first' : `task-${i - 1}, task-${i - 3}`;
  };
  const markdown = (i: number) =>
    `- [ ] task-${i}: ${padding(i)}é ${i} → ${needs(i)}\n  - files: src/${padding(i).length}/${i}.ts, test/${i}\n` +
    `  - run: \`make ${i}\`\n\n  Prose ${padding(i + 3)}\n  more\n`;
  const yaml = (i: number) =>
    i % 2 === 0
      ? `  task-${i}: {title: "${padding(i)}n${i}", needs: [${needs(i)}], run: 'make ${i}'}\n`
      : `  task-${i}:\n    title: ${padding(i)}n${i}\n    needs: [${needs(i)}]\n    files:\n      - src/${i}.ts\n      - test/${i}\n` +
        `    check: make ${padding(i)}# x\n    prompt: |\n      x ${padding(i + 3)}\n      more\n`;
  const all = (line: (i: number) => string) => Array.from({ length: 1_000 }, (_, i) => line(i)).join('');
  const forms = {
    'plan.md': `# Plan\n\n- [ ] first: x\n${all(markdown)}`,
    'plan.yaml': `tasks:\n  first: {run: x}\n${all(yaml)}`,
  };
  test.each(['plan.md', 'plan.yaml'] as const)('%s', (file) => {
    const text = forms[file];
    expect(text.length).toBeGreaterThan(300_000);
    for (let shift = 0; shift < 60; shift += 13) {
      const head = file === 'plan.md' ? `${'y'.repeat(shift + 50)}\n\n` : `# ${'y'.repeat(shift)}\n`;
      expect(agrees(file, head + text), `${shift}`).toBe(true);
    }
  });

  test.each([
    ['plan.md', (word: string) => `- [ ] a: ${word}\n`],
    ['plan.yaml', (word: string) => `tasks:\n  a: {title: "${word}"}\n`],
  ] as const)('a line that is longer than a part is left to the general way: %s', (file, plan) => {
    expect(agrees(file, plan('x'.repeat(60_000)))).toBe(true);
    expect(agrees(file, plan('x'.repeat(70_000)))).toBe(false);
  });
});
