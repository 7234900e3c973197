// Plans as other tools write them, read as they mean them. The files are in test/fixtures/plans.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planPath } from '../core/model/ids.ts';
import type { Plan, Task } from '../core/model/plan.ts';
import { type PlanReading, readPlan } from './read-plan.ts';

const md = (text: string): PlanReading => readPlan({ text, file: 'plan.md', path: planPath('plan.md') });
const yaml = (text: string): PlanReading => readPlan({ text, file: 'plan.yaml', path: planPath('plan.yaml') });

function fixture(name: string): PlanReading {
  const text = readFileSync(`test/fixtures/plans/${name}`, 'utf8');
  return readPlan({ text, file: name, path: planPath(name) });
}
const warnings = (reading: PlanReading) => reading.diagnostics.map((d) => `${d.severity} ${d.line} ${d.code}`);
const byId = (reading: PlanReading, id: string): Task => reading.plan!.tasks.find((task) => task.id === id)!;
/** `T014[P] <- T012` for each task, apart by phase. */
function shape({ phases, tasks }: Plan): string[] {
  return phases.map((_, phase) =>
    tasks
      .filter((task) => task.phase === phase)
      .map((task) => {
        const mark = task.ticked ? { completed: '+', skipped: '-', suspended: '!' }[task.ticked] : '';
        const parent = task.parent === undefined ? '' : `${tasks[task.parent]!.id}/`;
        const signs = `${task.optional ? '*' : ''}${task.parallel ? '[P]' : ''}`;
        return `${mark}${parent}${task.id}${signs}${task.needs ? ` <- ${task.needs.join(' ')}` : ''}`;
      })
      .join(', '),
  );
}

describe('spec-kit', () => {
  test('a whole file: phases by their headings, [P], stories as labels, everything else passed over', () => {
    const reading = fixture('spec-kit/photo-albums.md');
    expect(warnings(reading)).toEqual([]);
    expect(reading.assumedOrder).toBe('spec-kit');
    expect(reading.plan!.phases.map(({ name }) => name.split(':')[0])).toEqual([
      'Phase 1',
      'Phase 2',
      'Phase 3',
      'Phase N',
    ]);
    expect(shape(reading.plan!)).toEqual([
      '+T001, T002, T003[P]',
      'T004, T005[P], T006[P]',
      'T010[P], T011[P], T012[P], T013[P], T014 <- T012 T013, T015',
      'T019[P], T020',
    ]);
    expect(byId(reading, 'T014')).toMatchObject({
      title: 'Implement AlbumService in src/services/albums.ts',
      keys: { labels: ['US1'] },
    });
    expect(byId(reading, 'T015').prompt).toBeUndefined();
  });

  test('an older file: no tasks in its checklist', () => {
    const reading = fixture('spec-kit/webhooks.md');
    expect(warnings(reading)).toEqual(['warning 30 checklist']);
    expect(shape(reading.plan!)).toEqual(['T001', 'T002[P], T003[P]', 'T004[P], T005, T006', 'T007[P], T008[P]']);
  });

  test('with an order of its own it is a plan like any other', () => {
    const text = '---\norder: phases\n---\n## Phase 1\n- [ ] T001 [P] x\n### Sub\n- [ ] T002 [P] y\n';
    expect(md(text).plan!.phases).toHaveLength(2);
    expect(md(text).assumedOrder).toBeUndefined();
    expect(md(`${text}\nT001 → T002\n`).diagnostics.map((d) => d.code)).toEqual(['loose-arrow']);
  });

  test('a phase inside a phase is one of its own', () => {
    const { plan } = md('## Phase 1\n### Phase 1.1\n- [ ] T001 [P] x\n### Phase 1.2\n#### Sub\n- [ ] T002 [P] y');
    expect(plan!.phases.map(({ name }) => name)).toEqual(['Phase 1.1', 'Phase 1.2']);
  });

  test('the order can be said for any ids, and keys of a subheading stay with the phase', () => {
    const text =
      '---\norder: spec-kit\n---\n## Phase 1\n- check: one\n- [ ] 1.1 [P] [US2] x\n### Sub\n- check: two\n- [ ] 1.2 y\n## Rest\n- [ ] 2.1 z';
    const { plan } = md(text);
    expect(plan!.phases).toEqual([{ name: 'Phase 1', check: ['one', 'two'] }, { name: 'Rest' }]);
    expect(shape(plan!)).toEqual(['1.1[P], 1.2', '2.1']);
  });
});

describe('Kiro', () => {
  test('a whole file: parts by their numbers or their indentation, optional ones, requirements in the prose', () => {
    const reading = fixture('kiro/note-search.md');
    expect(warnings(reading)).toEqual([]);
    expect(reading.assumedOrder).toBe('sequential');
    expect(shape(reading.plan!)).toEqual(['+1, 2, 2/2.1, 2/2.2, 2/2.3*, 3, 3/3.1, 3/3.2, 4']);
    expect(reading.plan!.tasks.filter((task) => task.group).map((task) => task.id)).toEqual(['2', '3']);
    expect(byId(reading, '3.1').prompt).toBe(
      '- Files: src/tokenizer.ts, src/stop-words.ts\n- Handle accents: é → e\n- _Requirements: 4.1_',
    );
  });

  test('known by its title and its numbers; [-] deserves a word', () => {
    const reading = fixture('kiro/rate-limits.md');
    expect(warnings(reading)).toEqual(['warning 8 skipped-box']);
    expect(reading.assumedOrder).toBe('sequential');
    expect(shape(reading.plan!)).toEqual(['1, 1/1.1, 1/1.2, 2, -2/2.1, 2/2.2']);
  });

  test.each([
    ['no numbers', '# Implementation Plan\n- [ ] a: x\n  - [ ] b: y', 'phases'],
    ['no parts', '# Implementation Plan\n- [ ] 1. x\n- [ ] 2. y', 'phases'],
    ['another title', '# Plan\n- [ ] 1. x\n  - [ ] 1.1 y', 'phases'],
    ['needs', '# Implementation Plan\n- [ ] 1. x\n  - [ ] 1.1 y\n- [ ] 2. z → 1', 'explicit'],
    ['numbered under headings', '# Implementation Plan\n## A\n- [ ] 1.1 x\n## B\n- [ ] 2.1 y', 'phases'],
  ])('not one of Kiro: %s', (_, text, order) => {
    expect(md(text).assumedOrder).toBe(order);
  });

  test('keys of ours hold there too', () => {
    expect(md('- [ ] 1. x\n  - run: make\n  - _Requirements: 1_').plan!.tasks[0]!.keys).toEqual({ run: 'make' });
  });
});

describe('tables', () => {
  test('batches are phases, beside the needs', () => {
    const reading = fixture('table/migration.md');
    expect(warnings(reading)).toEqual([]);
    expect([reading.assumedOrder, reading.plan!.title]).toEqual(['phases', 'Move to the new store']);
    expect(shape(reading.plan!)).toEqual(['1', '2 <- 1, 3 <- 1', '4 <- 2 3']);
    expect(byId(reading, '2')).toMatchObject({
      title: 'Port the reader',
      line: 8,
      keys: { files: ['src/read.ts', 'src/row.ts'] },
    });
  });

  test('columns in any order, keys and prose as columns, ticked boxes, two tables, bars in cells', () => {
    const reading = fixture('table/release.md');
    expect(warnings(reading)).toEqual([]);
    expect(reading.plan!.phases.map(({ name }) => name)).toEqual(['Batch 1', 'Batch 2', 'Batch 3']);
    expect(shape(reading.plan!)).toEqual(['+build, sign', 'upload', 'tell-everybody']);
    expect(byId(reading, 'upload')).toMatchObject({ title: 'Upload | publish', prompt: 'Notes: needs `a|b` done' });
    expect(byId(reading, 'sign')).toMatchObject({ prefers: ['build'], keys: { model: 'sonnet', retries: 0 } });
  });

  test('without batches; a status in words', () => {
    const reading = fixture('table/plain.md');
    expect(reading.assumedOrder).toBe('explicit');
    expect(shape(reading.plan!)).toEqual(['+api, write-the-docs <- api']);
  });

  test.each([
    ['done', 'completed'],
    ['✅', 'completed'],
    ['✅ Done', 'completed'],
    ['[x]', 'completed'],
    ['skipped', 'skipped'],
    ['On hold', 'suspended'],
    ['⬜ To do', undefined],
    ['-', undefined],
  ])('status %s', (word, ticked) => {
    expect(md(`| Task | Status |\n|---|---|\n| x | ${word} |`).plan!.tasks[0]!.ticked).toBe(ticked);
  });

  test('a column for tasks and one for descriptions', () => {
    const { plan } = md('| Task | Description |\n|---|---|\n| 1.1 | Build |\n| **x** | Test (needs: 1.1) |');
    expect(plan!.tasks.map(({ id, title }) => `${id} ${title}`)).toEqual(['1.1 Build', 'x Test']);
    expect(shape(plan!)).toEqual(['1.1, x <- 1.1']);
  });

  test('batches with names come in the order of the file', () => {
    const rows = ['a | late', 'b | early', 'c | late'].map((row) => `| ${row} |`).join('\n');
    expect(shape(md(`| Task | Batch |\n|---|---|\n${rows}`).plan!)).toEqual(['a, c', 'b']);
  });

  test.each([
    ['an unknown id', '| # | Task | Deps |\n|---|---|---|\n| 1 | x | 7 |', '3 unknown-id'],
    ['no batch', '| # | Task | Batch |\n|---|---|---|\n| 1 | x | 1 |\n| 2 | y | |', '4 missing-batch'],
    [
      'a need against the batches',
      '| # | Task | Deps | Batch |\n|-|-|-|-|\n| 1 | x | 2 | 1 |\n| 2 | y | | 2 |',
      '3 cycle',
    ],
    ['an id twice', '| # | Task |\n|---|---|\n| 1 | x |\n| 1 | y |', '4 duplicate-id'],
    ['a bad value', '| Task | Retries |\n|---|---|\n| x | many |', '3 bad-value'],
    ['no tasks in it', '| File | Change |\n|---|---|\n| a | b |', '1 empty-plan'],
  ])('%s', (_, text, expected) => {
    const reading = md(text);
    expect(reading.diagnostics.map((d) => `${d.line} ${d.code}`)).toEqual([expected]);
    expect(reading.plan).toBeNull();
  });

  test('beside boxes a table is prose, and told when it looks like tasks', () => {
    const boxes = '\n\n- [ ] a: x\n  | Task | Batch |\n  |---|---|\n  | no | 1 |\n';
    expect(warnings(md(`| Task | Owner |\n|---|---|\n| x | y |${boxes}`))).toEqual([]);
    expect(warnings(md(`| Task | Batch |\n|---|---|\n| x | 1 |${boxes}`))).toEqual(['warning 1 table-not-read']);
  });
});

describe('headings that are tasks', () => {
  test('prose, code, steps, needs, keys and criteria belong to the task', () => {
    const reading = fixture('task-headings/csv-export.md');
    expect(warnings(reading)).toEqual([]);
    expect(shape(reading.plan!)).toEqual(['+1, 2 <- 1, 3 <- 2']);
    const second = byId(reading, '2');
    expect([second.title, second.line]).toEqual(['The endpoint', 30]);
    expect(second.keys).toEqual({ model: 'opus', accept: ['Streams a million rows', 'Escapes quotes'] });
    expect(second.prompt).toContain("app.get('/report.csv', exportCsv);");
    expect(byId(reading, '3').prompt).toBe('- [ ] Add the button\n- [ ] Add a test');
  });

  test('phases are the headings around them; that tasks may run together is told', () => {
    const reading = fixture('task-headings/phased.md');
    expect(warnings(reading)).toEqual(['warning 5 assumed-order']);
    expect(shape(reading.plan!)).toEqual(['1.1, 1.2', '2.1']);
  });

  test.each([
    ['**Depends on:** Task 1', ['1']],
    ['Depends on: Task 1 and Task 2', ['1', '2']],
    ['**Dependencies**: 1-2', ['1', '2']],
    ['- **Blocked by:** Task 2 (the other one)', ['2']],
    ['- needs: 1', ['1']],
    ['**Dependencies:** None - can start at once', undefined],
    ['Depends on the weather', undefined],
  ])('%s', (line, needs) => {
    const { plan } = md(`### Task 1: x\n### Task 2: y\n### Task 3: z\n- [ ] a step\n\n${line}\n`);
    expect(plan!.tasks[2]!.needs).toEqual(needs);
  });

  test('a need that is none is a mistake', () => {
    expect(md('### Task 1: x\n**Depends on:** Task 7').diagnostics.map((d) => d.code)).toEqual(['unknown-id']);
  });

  test('blocks of keys, nested values, deeper headings, and the end of a section', () => {
    const { plan } = md(
      '# T\n## Task 1: x\n```run\necho 1\n```\n### Notes\n- labels:\n  - a\n  - b\n- Run: by hand\n  - model: deep\n## Next\n- [ ] own: y',
    );
    expect(plan!.tasks[0]).toMatchObject({
      id: '1',
      keys: { run: 'echo 1', labels: ['a', 'b'] },
      prompt: '### Notes\n- Run: by hand\n  - model: deep',
    });
    expect(plan!.tasks.map(({ id, phase }) => `${id} ${phase}`)).toEqual(['1 0', 'own 1']);
  });

  test('other headings are no tasks', () => {
    expect(md('## Task list\n- [ ] a: x\n## Task 1\n- [ ] b: y').plan!.tasks.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('[SEQUENTIAL]', () => {
  test('in notes and headings', () => {
    const reading = fixture('sequential-notes/rollback.md');
    expect(warnings(reading)).toEqual([]);
    expect(reading.plan!.sequences).toEqual([
      ['2.1', '2.2'],
      ['1.1', '1.2'],
    ]);
    expect(reading.plan!.phases[1]!.name).toBe('Phase 2: Refuse');
  });

  const tasks = '- [ ] a: x\n- [ ] b: y\n- [ ] c: z\n';
  test.each([
    [
      'all of a phase',
      `## P\n**Execution Note:** All tasks in this phase are [SEQUENTIAL]\n\n${tasks}`,
      [['a', 'b', 'c']],
    ],
    ['after its tasks', `## P\n${tasks}\n**Execution Note:** [SEQUENTIAL]\n`, [['a', 'b', 'c']]],
    ['a list of names', `${tasks}\n> Tasks c and a are [SEQUENTIAL] (one file)\n`, [['a', 'c']]],
    ['in an item', `- Note: tasks a, b must run [SEQUENTIAL]\n\n${tasks}`, [['a', 'b']]],
    ['behind tasks', '- [ ] a: x [SEQUENTIAL]\n- [ ] b: y\n- [ ] c: [SEQUENTIAL] z', [['a', 'c']]],
    ['a heading over headings', '## P [SEQUENTIAL]\n### A\n- [ ] a: x\n### B\n- [ ] b: y', [['a', 'b']]],
    [
      'parts go with their group',
      '- [ ] g: x\n  - [ ] a: y\n- [ ] b: z\n\nTasks g, a, b are [SEQUENTIAL]',
      [['g', 'b']],
    ],
    ['one task alone', `${tasks}\nTask a is [SEQUENTIAL]`, undefined],
  ])('%s', (_, text, sequences) => {
    const { plan } = md(text);
    expect(plan!.sequences).toEqual(sequences);
    expect(plan!.tasks.every(({ title }) => title.length === 1)).toBe(true);
  });

  test('an unknown id is a mistake', () => {
    expect(
      md(`${tasks}\nTasks a, q are [SEQUENTIAL]`).diagnostics.map((d) => `${d.line}:${d.column} ${d.code}`),
    ).toEqual(['5:10 unknown-id']);
  });
});

describe('sections', () => {
  test('a file with the books of its tool', () => {
    const reading = fixture('sections/deadlock-fix.yaml');
    expect(warnings(reading)).toEqual(['warning 12 assumed-order']);
    expect(reading.plan).toMatchObject({ title: 'Detect and halt deadlocked plans', order: 'explicit' });
    expect(shape(reading.plan!)).toEqual(['+1.1', '2.1 <- 1.1, 2.10 <- 2.1, -2.2']);
    expect(byId(reading, '1.1')).toMatchObject({
      title: 'Add detect_plan_deadlock()',
      prompt: 'Key changes:\n1. Collect all tasks that have not ended.\n2. Look for failed needs.',
      keys: { retries: 2 },
    });
  });

  test('keys of ours at the top and in tasks; starting statuses', () => {
    const reading = fixture('sections/plain.yaml');
    expect(warnings(reading)).toEqual(['warning 14 failed-before']);
    expect(reading.plan).toMatchObject({
      order: 'phases',
      maxParallel: 2,
      phases: [{ name: 'Build' }, { name: 'Publish' }],
    });
    expect(shape(reading.plan!)).toEqual(['compile, !lint', 'upload-the-packages']);
    expect(byId(reading, 'upload-the-packages').keys).toEqual({ run: 'echo upload', labels: ['slow'] });
  });

  test('what is not carried over is told', () => {
    expect(warnings(yaml('meta:\n  validation: {enabled: true}\nsections:\n  - tasks: [{id: a}]'))).toEqual([
      'warning 2 not-carried-over',
    ]);
  });

  test('empty lists, both spellings of needs, both of prose, keys of a section', () => {
    const { plan } = yaml(
      'sections:\n  - name: One\n    check: make\n    batch: true\n    tasks:\n      - {id: a, depends_on: []}\n      - {id: b, depends_on: [a], dependencies: a, prefers: a, description: one, prompt: two, uses: opus}\n  - tasks:',
    );
    expect(plan!.phases).toEqual([{ name: 'One', check: ['make'], batch: true }, { name: '' }]);
    expect(plan!.tasks[1]).toMatchObject({ needs: ['a'], prompt: 'one\n\ntwo', keys: { uses: ['opus'] } });
  });
});
