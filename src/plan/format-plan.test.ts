// Rewriting never changes what a plan means, twice is as good as once, and nothing that a person wrote for the agent is lost.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { meaning } from '../../test/plan-meaning.ts';
import { planPath } from '../core/model/ids.ts';
import { formatPlan } from './format-plan.ts';
import { readPlan } from './read-plan.ts';

/** All of them in `npm run prove -- rewriting`. */
const runs = (all: number) => (process.env.SIGNALBOX_LONG === '1' ? all : all / 5);

const planText = (text: string, name: string) => ({ text, file: name, path: planPath(name) });

/** Null when the plan has mistakes. */
function format(text: string, name = 'plan.md', ids = false): string | null {
  const done = formatPlan(planText(text, name), { ids });
  return done.ok ? done.text : null;
}

describe('markdown', () => {
  test.each<[string, string, string]>([
    ['one spelling of ids', '* [ ] **api** Build\n1. [X] `db` Store', '- [ ] api: Build\n- [x] db: Store\n'],
    [
      'ids that stand alone',
      '- [ ] **1.2** A\n- [ ] **T01** B\n- [-] **AB-1**: C',
      '- [ ] 1.2 A\n- [ ] T01 B\n- [-] AB-1 C\n',
    ],
    ['ids that need it are bold', '- [ ] **Api.v2** A\n- [ ] **a/b** B', '- [ ] **Api.v2** A\n- [ ] **a/b** B\n'],
    [
      'dependencies at the end',
      '- [ ] a: A (needs: b) now ~> c\n- [ ] b: B\n- [ ] c: C',
      '- [ ] a: A now → b ~> c\n- [ ] b: B\n- [ ] c: C\n',
    ],
    ['needs as keys too', '- [ ] a: A\n  - needs: b\n- [ ] b: B', '- [ ] a: A → b\n- [ ] b: B\n'],
    [
      'ranges stay ranges',
      '- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] c: C (after: 1.1 - 1.2)',
      '- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] c: C → 1.1-1.2\n',
    ],
    [
      'keys in one order',
      '- [ ] a: A\n  - retries: 1\n  - run: make\n  - timeout: 120s',
      '- [ ] a: A\n  - run: `make`\n  - retries: 1\n  - timeout: 2m\n',
    ],
    ['keys before prose', '- [ ] a: A\n  Do it.\n  - run: make', '- [ ] a: A\n  - run: `make`\n  Do it.\n'],
    [
      'subtasks two columns deeper',
      '- [ ] a: A\n     - [ ] b: B\n          - [ ]* c: C',
      '- [ ] a: A\n  - [ ] b: B\n    - [ ]* c: C\n',
    ],
    [
      'prose behind subtasks goes before them',
      '- [ ] a: A\n  - [ ] b: B\n\n  Well.',
      '- [ ] a: A\n  Well.\n  - [ ] b: B\n',
    ],
    [
      'criteria become keys',
      '- [ ] a: A\n  - Acceptance criteria\n    - [ ] works\n    - [ ] is fast',
      '- [ ] a: A\n  - accept:\n    - works\n    - is fast\n',
    ],
    ['commands with backticks', '- [ ] a: A\n  ```run\n  echo `date`\n  ```', '- [ ] a: A\n  - run: echo `date`\n'],
    [
      'commands of several lines',
      '- [ ] a: A\n  ~~~run\n  echo 1\n\n    echo 2\n  ~~~',
      '- [ ] a: A\n  ```run\n  echo 1\n\n    echo 2\n  ```\n',
    ],
    [
      'prose that would be read as keys',
      '- [ ] a: A\n  ```prompt\n  - run: make\n  - [ ] box\n  # heading\n  ```',
      '- [ ] a: A\n  ```prompt\n  - run: make\n  - [ ] box\n  # heading\n  ```\n',
    ],
    [
      'titles that only their own spelling says',
      '- [ ] a: A ((needs: b)needs: b) x\n- [ ] b: B',
      '- [ ] a: A ((needs: b)needs: b) x\n- [ ] b: B\n',
    ],
    [
      'what is kept',
      '---\nretries: 1 # once\n---\n# T\n\n\nIntro.\n## P\n- check: `x`\n\n- [ ] a: A\n\n- [ ] b: B\n\nText.\n\n---\n<!-- c -->',
      '---\nretries: 1 # once\n---\n# T\n\nIntro.\n## P\n- check: `x`\n\n- [ ] a: A\n- [ ] b: B\n\nText.\n\n---\n<!-- c -->\n',
    ],
    [
      'comments inside a task',
      '- [ ] a: A\n  <!-- why -->\n  - run: x\n<!-- next -->\n- [ ] b: B',
      '- [ ] a: A\n  - run: `x`\n  <!-- why -->\n<!-- next -->\n- [ ] b: B\n',
    ],
    [
      'comments beside the text of a task',
      '- [ ] a: A <!-- why -->\n  - run: x <!-- how -->\n  Say `<!-- this -->`.\n- [ ] b: B',
      '- [ ] a: A\n  - run: `x`\n  Say `<!-- this -->`.\n  <!-- why -->\n  <!-- how -->\n- [ ] b: B\n',
    ],
    [
      'words between ids',
      '- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] c: C (depends on tasks 1.1 and 1.2)',
      '- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] c: C → 1.1, 1.2\n',
    ],
    [
      'stories and checklists of spec-kit',
      '## Phase 1\n* [ ] T001 [US1] [P] A\n\n## Validation Checklist\n- [ ] All is well',
      '## Phase 1\n- [ ] T001 [P] [US1] A\n\n## Validation Checklist\n- [ ] All is well\n',
    ],
    [
      'batches of a table',
      '# T\n\n| Task | Batch | Note |\n|---|---|---|\n| b: B | 2 | late |\n| a: A | 1 | |\n\nEnd.',
      '# T\n\n## Batch 1\n\n- [ ] a: A\n\n## Batch 2\n\n- [ ] b: B\n  Note: late\n\nEnd.\n',
    ],
    [
      'tasks that are headings, with what stands between them',
      '# T\n\n## Why\n\n- check: x\n\n## Task 1: A\n\n**Depends on:** Task 2 (soon)\n\nDo it.\n\n## Task 2: B\n\n- [ ] Step\n',
      '# T\n\n**Why**\n\n- check\\: x\n\n- [ ] 1. A → 2\n  Do it.\n  <!-- Depends on: Task 2 (soon) -->\n- [ ] 2. B\n  ```prompt\n  - [ ] Step\n  ```\n',
    ],
    [
      'tasks that follow each other',
      '* [ ] a: A [SEQUENTIAL]\n* [ ] b: B\n* [ ] c: [SEQUENTIAL] C → b',
      '- [ ] a: A [SEQUENTIAL]\n- [ ] b: B\n- [ ] c: C [SEQUENTIAL] → b\n',
    ],
    ['windows line ends and tabs', '- [ ] a: A\r\n\t- run: x\r\n', '- [ ] a: A\n  - run: `x`\n'],
    [
      'tasks under a plain item',
      '- Group\n    - [ ] a: A\n    - [ ] b: B',
      '- Group\n    - [ ] a: A\n    - [ ] b: B\n',
    ],
  ])('%s', (_, before, after) => {
    expect(format(before)).toBe(after);
    expect(format(after)).toBe(after);
  });

  it('leaves a task inside its plain item, where a heading makes no criterion of it', () => {
    const text = '### Verify\n- Later\n  - [ ] a: A\n';
    expect(format(text)).toBe(text);
  });

  it('makes no heading of a text whose comment was left out', () => {
    expect(format('a <!-- b\n\n-->\n---\n- [ ] n: N\n')).toBe('a\n\n---\n- [ ] n: N\n');
  });

  it('writes the ids that tasks have anyway', () => {
    const before = '- [ ] Write it\n- [ ] Write it\n- [ ] **x** Other → write-it-2\n- [ ] Übung';
    expect(format(before)).toBe('- [ ] Write it\n- [ ] Write it\n- [ ] x: Other → write-it-2\n- [ ] Übung\n');
    expect(format(before, 'plan.md', true)).toBe(
      '- [ ] write-it: Write it\n- [ ] write-it-2: Write it\n- [ ] x: Other → write-it-2\n- [ ] übung: Übung\n',
    );
  });

  it('refuses a plan with mistakes', () => {
    const done = formatPlan(planText('- [ ] a: A → b', 'plan.md'), { ids: false });
    expect(done).toMatchObject({ ok: false, diagnostics: [{ code: 'unknown-id', line: 1 }] });
  });
});

describe('yaml', () => {
  test.each<[string, string, string]>([
    ['indentation', 'tasks:\n    a:\n        run: x\n', 'tasks:\n  a:\n    run: x\n'],
    [
      'comments',
      '# top\ntasks:\n    a:\n    # about b\n    b: {run: x} # end',
      '# top\ntasks:\n  a:\n  # about b\n  b: { run: x } # end\n',
    ],
    [
      'texts as written',
      `tasks:\n  1.10: {run: 'true', env: {A: ""}}\n`,
      `tasks:\n  1.10: { run: 'true', env: { A: "" } }\n`,
    ],
    ['blocks', 'tasks:\n  a:\n    run: |\n        x\n          y\n', 'tasks:\n  a:\n    run: |\n      x\n        y\n'],
  ])('%s', (_, before, after) => {
    expect(format(before, 'plan.yaml')).toBe(after);
    expect(format(after, 'plan.yaml')).toBe(after);
  });
});

// Lines from which plans are made; many combinations are no plans, and are passed over.
const idForm = fc.constantFrom(
  '**n@** ',
  '`n@` ',
  'n@: ',
  '1.@ ',
  '@. ',
  'T@ ',
  'AB-@ ',
  '**Wört@** ',
  '**x.@** ',
  '**p/@**: ',
  '',
  '',
);
const phrase = fc.constantFrom(
  'Do it',
  'a -> b',
  '`->` x',
  'x (y)',
  '[P] x',
  '(needs: a',
  'run: x',
  '',
  '*',
  '`a',
  '<!-- c -->',
  'a <!-- b',
  '-->',
  '# x',
  '日本',
  '_Requirements: 1_',
  '- x',
);
const dependency = fc.constantFrom('', '', '', ' → z', ' ~> z', ' (needs: z, y)', ' (prefers: y) z', ' (after: z) → y');
const box = fc.constantFrom('- [ ] ', '* [x] ', '1. [-] ', '+ [ ]* ', '- [X] ');
const value = fc.constantFrom(
  'x',
  '`x y`',
  '`` `x` ``',
  '2',
  '5m',
  'a, `b,c`',
  'A=1, B=2',
  '{A: "1, B=2"}',
  'none',
  'ask',
  '[ ] x',
  '',
  '|',
  'src/{a,b}/**, c',
  '<!-- v -->',
  "'x'",
  ',',
);
const keyName = fc.constantFrom(
  'run',
  'check',
  'accept',
  'files',
  'env',
  'retries',
  'timeout',
  'prompt',
  'review',
  'labels',
  'needs',
  'model',
  'on-failure',
  'priority',
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(box, idForm, phrase, dependency).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(keyName, value).map(([key, text]) => `- ${key}: ${text}`) },
  { weight: 3, arbitrary: phrase },
  { weight: 1, arbitrary: phrase.map((text) => `- ${text}`) },
  fc.constantFrom(
    '',
    '',
    '---',
    '***',
    '# T',
    '## Phase 1',
    '### Verify',
    '- Acceptance criteria',
    'Verify:',
    '```',
    '```run',
    '````prompt',
    '````',
    '~~~',
    '=====',
    '<!--',
    '-->',
  ),
);
const indent = fc.constantFrom('', '', '  ', '  ', '    ', '   ', '\t', '      ', ' ');
const document = fc.array(fc.tuple(indent, line), { maxLength: 14 }).map((lines) => {
  const numbered = lines.map((parts, i) => parts.join('').replaceAll('@', String(i + 1)));
  return `${numbered.join('\n')}\n\n# End\n- [ ] z: Z\n- [ ] y: Y\n`;
});

describe('for any plan', () => {
  const holds = (text: string, name: string, ids: boolean) => {
    const once = format(text, name, ids);
    if (once === null) return;
    const before = readPlan(planText(text, name));
    const after = readPlan(planText(once, name));
    expect(meaning(after)).toBe(meaning(before));
    expect(after.plan!.tasks.map(({ prompt }) => prompt)).toEqual(before.plan!.tasks.map(({ prompt }) => prompt));
    expect(format(once, name, ids)).toBe(once);
  };

  it('in markdown, rewriting keeps the meaning and is done after once', () => {
    fc.assert(
      fc.property(document, fc.boolean(), (text, ids) => holds(text, 'plan.md', ids)),
      { numRuns: runs(2000) },
    );
  });

  const scalar = fc.constantFrom(
    'x',
    '"a: b"',
    "'true'",
    'npm run x # c',
    '|\n        a\n          b',
    '>-\n        a\n        b',

    '"\\u00e9"',
    "'#'",
  );
  const entry = fc
    .tuple(fc.constantFrom('run', 'prompt', 'model', 'title'), scalar)
    .map(([key, text]) => `      ${key}: ${text}\n`);
  const task = fc
    .tuple(
      fc.constantFrom('a@', '1.@', '"q@"', "'r@'", 'x/y@'),
      fc.uniqueArray(
        fc.oneof(entry, fc.constantFrom('      # note\n', '\n', '      needs: [z]\n', '      prefers: z, y\n')),
        { maxLength: 5, selector: (text) => text.trim().split(':')[0] },
      ),
      fc.constantFrom('', ' # c', ' {}', ' { run: x }', ' {run: x,\n     title: "t"}'),
    )
    .map(
      ([id, entries, behind]) => `    ${id}:${/[{]/.test(behind) ? `${behind}\n` : `${behind}\n${entries.join('')}`}`,
    );
  const yamlPlan = fc
    .tuple(
      fc.constantFrom('', '# head\n\n', 'retries: 1   # r\n', 'pools: {x: 1, y: 2}\n---\n'),
      fc.array(task, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '# end\n', '\n\n'),
    )
    .map(([head, tasks, end]) => {
      const numbered = tasks.map((text, i) => text.replaceAll('@', String(i + 1)));
      return `${head}tasks:\n${numbered.join('')}    z:\n    y: { run: &c make }\n    x: {model: *c}\n${end}`;
    });

  it('in YAML too', () => {
    fc.assert(
      fc.property(yamlPlan, (text) => holds(text, 'plan.yaml', false)),
      { numRuns: runs(1500) },
    );
  });

  it('is not a test of nothing: nearly all of them are rewritten', () => {
    const outcomes = (texts: readonly string[], name: string) => {
      const done = texts.map((text) => formatPlan(planText(text, name), { ids: false })).filter(({ ok }) => ok);
      return { all: done.length, untouched: done.filter((one) => one.ok && one.untouched).length };
    };
    const markdown = outcomes(fc.sample(document, { numRuns: runs(3000), seed: 1 }), 'plan.md');
    expect(markdown.all).toBeGreaterThan(runs(300));
    expect(markdown.untouched).toBe(0);
    const yaml = outcomes(fc.sample(yamlPlan, { numRuns: runs(500), seed: 1 }), 'plan.yaml');
    expect(yaml.all).toBeGreaterThan(runs(100));
    expect(yaml.untouched).toBe(0);
  });
});

const isRewritten = (text: string) => {
  const done = formatPlan(planText(text, 'plan.md'), { ids: false });
  return done.ok && !done.untouched;
};

it('[SEQUENTIAL] holds in a table as it does among boxes', () => {
  const rows = '| Task |\n|---|\n| a: A |\n| b: B [SEQUENTIAL] |\n| c: C [SEQUENTIAL] |\n';
  const sequences = (text: string) => readPlan(planText(text, 'plan.md')).plan!.sequences;
  expect(sequences(rows)).toEqual([['b', 'c']]);
  expect(sequences(`## P [SEQUENTIAL]\n\n${rows}`)).toEqual([['a', 'b', 'c']]);
  expect(sequences(`${rows}\nTasks a and b are [SEQUENTIAL]\n`)).toEqual([
    ['b', 'c'],
    ['a', 'b'],
  ]);
  expect(format(`## P [SEQUENTIAL]\n\n${rows}`)).toBe(
    '## P [SEQUENTIAL]\n\n- [ ] a: A\n- [ ] b: B [SEQUENTIAL]\n- [ ] c: C [SEQUENTIAL]\n',
  );
});

it('what cannot be rewritten stays, to the letter', () => {
  const odd = '- a <!-- b\r\n- [ ] **n2** -->\nDo it\n=====\n\n# End\n- [ ] z: Z\n';
  expect(isRewritten(odd)).toBe(false);
  expect(format(odd)).toBe(odd);
});

it('what looks like a byte order mark never comes to the start of the file, where it would be one', () => {
  const once = format('\n\ufeffprose\n- [ ] a: A\n')!;
  expect(once).toBe('prose\n- [ ] a: A\n');
  expect(format(once)).toBe(once);
});
