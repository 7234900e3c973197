// Plans of every form that is read, made at random: rewriting keeps the meaning and every word, and is done after once.
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { meaning } from '../../test/plan-meaning.ts';
import { planPath } from '../core/model/ids.ts';
import { formatPlan } from './format-plan.ts';
import { readPlan } from './read-plan.ts';

const planText = (text: string, name: string) => ({ text, file: name, path: planPath(name) });

/** Words that the plans below have once each, in a place where a person wrote something. */
const marks = (text: string) => new Set(text.match(/\bw\d+w\b/g));

/** What holds for one text; counts those that are plans, and tells those that stay as they are. */
function holds(text: string, name: string, ids: boolean, seen: { all: number; kept: string[] }): void {
  const before = readPlan(planText(text, name));
  const done = formatPlan(planText(text, name), { ids });
  expect(done.ok).toBe(before.plan !== null);
  if (!done.ok) return;
  seen.all++;
  if (done.untouched) {
    expect(done.text).toBe(text);
    expect(done.untouched.line).toBeGreaterThan(0);
    // Levels are drawn without any sense here.
    if (done.untouched.message.includes('goes back to a phase')) return;
    // Two tables under one heading are two phases, which one mark cannot hold for.
    if (text.includes('## Part [SEQUENTIAL]') && done.untouched.message.includes('[SEQUENTIAL]')) return;
    seen.kept.push(`${done.untouched.line}: ${done.untouched.message}\n${text}`);
    return;
  }
  expect(meaning(readPlan(planText(done.text, name)))).toBe(meaning(before));
  expect([...marks(done.text)].sort()).toEqual([...marks(text)].sort());
  const again = formatPlan(planText(done.text, name), { ids });
  expect(again.ok && again.text).toBe(done.text);
  expect(again.ok && again.untouched).toBe(null);
}

/** `@` becomes a new number each time, `~` a word of its own. */
function numbered(text: string): string {
  let [n, w] = [0, 0];
  return text.replaceAll(/@|~~/g, (sign) => (sign === '@' ? String(++n) : `w${++w}w`));
}

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const lines = (line: fc.Arbitrary<string>, maxLength: number, minLength = 0) =>
  fc.array(line, { minLength, maxLength }).map((all) => all.join(''));

const prose = oneOf(
  'Text ~~ here.\n\n',
  '- item ~~\n',
  '- Goal: ~~\n',
  '**Note:** ~~\n\n',
  '---\n\n',
  '> quote ~~\n\n',
  '<!-- ~~ -->\n\n',
  '```sh\nmake ~~\n- [ ] no task\n```\n\n',
  '1. first ~~\n',
  'a | b ~~\n',
  'Tasks z are [SEQUENTIAL] ~~\n\n',
);

const column = oneOf('Notes', 'Files', 'Model', 'Labels', 'Owner', 'Retries', 'Accept', 'Status', 'Check');
const cell: Readonly<Record<string, readonly string[]>> = {
  Notes: ['see ~~', '—', '', 'run: ~~', '`a|b` ~~', '- [ ] ~~'],
  Files: ['src/a@.ts', '`src/b@/**`, c@', '-'],
  Model: ['opus', '', 'sonnet'],
  Labels: ['x, y', '`z`', ''],
  Owner: ['~~', 'n/a'],
  Retries: ['2', '—'],
  Accept: ['works ~~', ''],
  Status: ['done', 'pending', 'skipped', 'in progress', ''],
  Check: ['`npm test`', ''],
};
const row = (columns: readonly string[], withBatch: boolean, hasIds: boolean) =>
  fc
    .tuple(
      oneOf(
        'Do ~~',
        '[x] Do ~~',
        'Say `->` ~~',
        'Do (x) ~~',
        'Do ~~ (prefers: z)',
        'n@: Do ~~',
        'Same',
        'Do ~~ [SEQUENTIAL]',
      ),
      fc.tuple(...columns.map((name) => fc.constantFrom(...cell[name]!))),
      oneOf('1', '2', '3', '10'),
      oneOf('', 'z', '#z', 'z and z', '—'),
    )
    .map(([title, cells, batch, needs]) => {
      const parts = [...(hasIds ? ['k@'] : []), title, ...cells, needs, ...(withBatch ? [batch] : [])];
      return `| ${parts.map((part) => part.replace(/(?<!`a)\|/g, '\\|')).join(' | ')} |\n`;
    });
const tablePlan = fc
  .tuple(fc.uniqueArray(column, { maxLength: 3 }), fc.boolean(), fc.boolean(), fc.nat({ max: 2 }))
  .chain(([columns, withBatch, hasIds, further]) => {
    const header = [...(hasIds ? ['#'] : []), 'Task', ...columns, 'Deps', ...(withBatch ? ['Batch'] : [])];
    const head = `| ${header.join(' | ')} |\n|${header.map(() => '---').join('|')}|\n`;
    const table = lines(row(columns, withBatch, hasIds), 4, 1).map((rows) => `\n${head}${rows}\n`);
    const first = [...header].map((name) => {
      if (name === '#') return 'z';
      if (name === 'Task') return hasIds ? 'First' : 'z: First';
      return name === 'Batch' ? '1' : '';
    });
    const start = `\n${head}| ${first.join(' | ')} |\n\n`;
    const chapter = fc.tuple(
      oneOf('', '## Part @\n', '### Part @\n', '# Part @\n', '## Part [SEQUENTIAL]\n'),
      lines(prose, 2),
      table,
    );
    return fc
      .tuple(
        oneOf('', '---\nretries: 1\n---\n', '# Title\n'),
        lines(prose, 2),
        fc.array(chapter, { minLength: further, maxLength: further }),
        lines(prose, 2),
      )
      .map(([top, intro, chapters, end]) => numbered(top + intro + start + chapters.flat().join('') + end));
  });

const inSection = oneOf(
  'Prose ~~.\n\n',
  '- item ~~\n',
  '- [ ] step ~~\n',
  '- [x] step ~~\n',
  '- model: opus\n',
  '- files: src/@.ts\n',
  '**Depends on:** Task 1 (because ~~)\n\n',
  'Needs: none\n\n',
  '```ts\ncode ~~\n# no heading\n```\n\n',
  '#### Sub ~~\n\n',
  '#### Acceptance criteria\n\n- [ ] holds ~~\n\n#### More ~~\n\n',
  '---\n\n',
  'Run: `x ~~`\n',
  'a → ~~ b\n\n',
  '<!-- ~~ -->\n\n',
);
const headingPlan = fc
  .tuple(
    oneOf('# Title\n\n', '', '---\norder: sequential\n---\n# Title\n\n', '# Implementation Plan\n\n'),
    lines(prose, 2),
    fc.array(
      fc.tuple(
        oneOf(
          '',
          '',
          '## Part @\n\n',
          '### Notes ~~\n\n',
          '## Phase @\n\n- check: `make`\n\n',
          '## Notes ~~\n\n- check: x\n\n',
        ),
        oneOf('### Task', '### Task', '## Task', '#### Task'),
        oneOf('Do ~~', 'Do `->` ~~', 'Do ~~ (needs: 1)', 'Do ~~ → 1', 'Do [SEQUENTIAL] ~~'),
        lines(inSection, 4),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    oneOf('', '## Remember ~~\n\n- this ~~\n', '# End\n'),
  )
  .map(([top, intro, tasks, end]) => {
    const sections = tasks.map(([before, sign, title, body], i) => `${before}${sign} ${i + 2}: ${title}\n\n${body}\n`);
    return numbered(`${top}${intro}### Task 1: First ~~\n\n${sections.join('')}${end}`);
  });

const specKitPlan = fc
  .tuple(
    fc.array(
      fc.tuple(
        oneOf('## Phase @: Part\n\n', '## Phase @\n\n### Tests ~~\n\n', '### Models ~~\n\n', '**Checkpoint** ~~\n\n'),
        lines(
          oneOf(
            '- [ ] T1@ [P] [US1] Do ~~ <!-- ~~ -->\n',
            '- [x] T1@ Do ~~\n',
            '- [ ] T1@ [US2] [P] Do ~~ (depends on T001)\n',
            '  - note ~~\n',
            '  - Model: ~~\n',
            '- [ ] T1@ [US1] Do ~~\n  - labels: slow\n',
            '* [ ] T1@ [P] Do ~~ in `src/a@.ts`\n',
            '\n',
          ),
          5,
        ),
      ),
      { maxLength: 4 },
    ),
    oneOf(
      '',
      '\n## Validation Checklist\n\n- [x] All ~~\n- [ ] Some ~~\n  - [ ] deep ~~\n',
      '\n## Notes\n\n- T001 → T002 ~~\n',
    ),
  )
  .map(([parts, end]) =>
    numbered(`# Tasks\n\n## Phase 0: Start\n\n- [ ] T001 [P] Start ~~\n\n${parts.flat().join('')}${end}`),
  );

const kiroPlan = fc
  .array(
    fc.tuple(
      oneOf('- [ ] @. Do ~~\n', '- [x] @. Do ~~\n', '* [ ]* @. Do ~~\n'),
      lines(oneOf('  - note ~~ <!-- ~~ -->\n', '  - _Requirements: 1.1_\n', '  - Files: ~~\n', '  Text ~~\n', '\n'), 3),
      lines(oneOf('  - [ ] s@: Part ~~\n', '    - note ~~\n', '  - [-] s@: Part ~~\n    - _Requirements: 2_\n'), 3),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    numbered(`# Implementation Plan\n\n${parts.flat().join('')}- [ ] last: Last\n  - _Requirements: 9_\n`),
  );

const sectionsPlan = fc
  .array(
    fc.tuple(
      oneOf('- name: Part ~~\n', '- id: p@\n  name: Phase @\n', '-   name: "Part: ~~"\n'),
      lines(
        oneOf(
          "    - id: 't@'\n      name: Do ~~\n",
          '    - {id: x@, name: Do ~~, status: completed}\n',
          '    - name: Do ~~\n      depends_on: [z]\n      description: |\n        Text ~~\n          more\n',
          "    - id: 1.@\n      name: 'Do ~~'\n      dependencies:\n      - z\n      attempts: 3 # ~~\n",
          '    # about ~~\n    - name: "Do ~~\\nso"\n      status: suspended\n',
          '    - name: Do ~~ and\n        on ~~\n',
        ),
        4,
        1,
      ),
    ),
    { maxLength: 3 },
  )
  .map((parts) => {
    const sections = parts.map(([head, tasks]) => {
      const wide = head.startsWith('-   ');
      return `${head}${wide ? '    ' : '  '}tasks:\n${tasks}`;
    });
    return numbered(
      `meta:\n    name: Plan ~~\nsections:\n- name: Start\n  tasks:\n    - { id: z, name: First }\n${sections.join('')}`,
    );
  });

describe('for any plan of a form', () => {
  test.each<[string, fc.Arbitrary<string>, string, number]>([
    ['a table', tablePlan, 'plan.md', 800],
    ['task headings', headingPlan, 'plan.md', 800],
    ['spec-kit', specKitPlan, 'plan.md', 500],
    ['Kiro', kiroPlan, 'plan.md', 500],
    ['sections', sectionsPlan, 'plan.yaml', 300],
  ])('%s', (_, plans, name, all) => {
    // All of them in `npm run prove -- rewriting`.
    const numRuns = process.env.SIGNALBOX_LONG === '1' ? all : all / 4;
    const seen = { all: 0, kept: [] as string[] };
    fc.assert(
      fc.property(plans, fc.boolean(), (text, ids) => holds(text, name, ids, seen)),
      { numRuns },
    );
    // Not a test of nothing.
    expect(seen.all).toBeGreaterThan(numRuns / 4);
    expect(seen.kept.slice(0, 2)).toEqual([]);
  });
});

it('no plan that is shown anywhere stays as it is', () => {
  for (const file of globSync(['test/fixtures/plans/*/*', 'examples/*.md'])) {
    const seen = { all: 0, kept: [] as string[] };
    holds(readFileSync(file, 'utf8'), file, false, seen);
    expect(seen).toEqual({ all: 1, kept: [] });
  }
});

it('a task that goes back to a phase further up is told with its line', () => {
  const text = '### Task 1: A\n\n## Part\n\n### Task 2: B\n\n## Task 3: C\n';
  const done = formatPlan(planText(text, 'plan.md'), { ids: false });
  expect(done).toMatchObject({ ok: true, text, untouched: { line: 7 } });
  expect(done.ok && done.untouched?.message).toContain('goes back to a phase');
});

it('a suspended row is the one thing that boxes cannot say, and is told with its line', () => {
  const done = formatPlan(planText('| Task | Status |\n|---|---|\n| a: A | on hold |\n', 'plan.md'), { ids: false });
  expect(done).toMatchObject({ ok: true, untouched: { line: 3 } });
  expect(done.ok && done.untouched?.message).toContain('suspended');
});

describe('a heading without a name beside tasks that are headings', () => {
  it.each([
    ['##\n## Task 1: A', '- [ ] 1. A\n'],
    ['###\n## Task 1: A\n\n##\n## Task 2: B', '---\norder: phases\n---\n- [ ] 1. A\n- [ ] 2. B\n'],
    ['Some words\n##\n## Task 1: A', 'Some words\n- [ ] 1. A\n'],
    ['Some words\n##\nand others\n## Task 1: A', 'Some words\n\nand others\n- [ ] 1. A\n'],
    ['## Task 1: A\n##\nwords\n## Task 2: B', null],
    ['### Task 1: A\n##\n- words\n### Task 2: B', null],
    ['##\n---\n## Task 1: A', null],
  ])('leaves no empty line behind: %j', (text, expected) => {
    holds(text, 'plan.md', false, { all: 0, kept: [] });
    const done = formatPlan(planText(text, 'plan.md'), { ids: false });
    if (expected !== null) expect(done.ok && done.text).toBe(expected);
  });
});
