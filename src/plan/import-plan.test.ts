// Files as the tools themselves wrote them (Task Master 0.43.1, Backlog.md 1.52.0; beads by its documented format), and
// whatever else may stand in such files: always a plan that can be read, or a mistake with its line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { howMany } from '../../test/how-many.ts';
import { planPath } from '../core/model/ids.ts';
import { type ImportReading, type ImportTool, importPlan } from './import-plan.ts';
import { jsonMistake } from './read/foreign/json-mistake.ts';
import { readPlan } from './read-plan.ts';

const folder = 'test/fixtures/import';
const file = (name: string) => ({ name, text: readFileSync(join(folder, name), 'utf8') });
const backlog = readdirSync(join(folder, 'backlog/tasks')).map((name) => file(`backlog/tasks/${name}`));

function good(reading: ImportReading) {
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
  const { plan } = readPlan({ text: reading.text, file: 'p.md', path: planPath('p.md') });
  return { ...reading, plan: plan!, byId: new Map(plan!.tasks.map((task) => [String(task.id), task])) };
}

const one = (tool: ImportTool, text: string, tag?: string) =>
  importPlan({ tool, files: [{ name: 'x', text }], ...(tag === undefined ? {} : { tag }) });

describe('Task Master', () => {
  it('carries tasks, subtasks, needs, states, priorities and texts over', () => {
    const { plan, byId, losses, tasks, groups } = good(
      importPlan({ tool: 'taskmaster', files: [file('taskmaster.json')] }),
    );
    expect([tasks, groups, plan.order]).toEqual([4, 1, 'explicit']);
    expect(byId.get('1')).toMatchObject({ title: 'Create the schema', ticked: 'completed', keys: { priority: 1 } });
    expect(byId.get('2')).toMatchObject({ group: true, needs: ['1'] });
    expect(byId.get('2')!.prompt).toBe('HTTP endpoints → for orders\n\nUse the router.\n\n- [ ] not a box');
    expect(byId.get('2.2')).toMatchObject({ title: 'Authentication', needs: ['2.1'], prompt: 'Sessions' });
    expect(byId.get('3')).toMatchObject({ needs: ['1', '2'], keys: { priority: -1 } });
    expect(losses).toContainEqual({ what: 'the tag `spike` with 1 task; name it with --tag', tasks: [] });
    expect(losses).toContainEqual({ what: 'the status `deferred`: it starts as pending', tasks: ['3'] });
  });

  it('takes another list when it is named, and says which there are', () => {
    const { byId } = good(importPlan({ tool: 'taskmaster', files: [file('taskmaster.json')], tag: 'spike' }));
    expect([...byId.keys()]).toEqual(['1']);
    const wrong = importPlan({ tool: 'taskmaster', files: [file('taskmaster.json')], tag: 'nope' });
    expect(wrong).toMatchObject({ ok: false, diagnostics: [{ help: 'its tags are `master`, `spike`' }] });
  });

  it('reads the older form, one list without tags', () => {
    const { tasks } = JSON.parse(file('taskmaster.json').text).master;
    const { byId } = good(one('taskmaster', JSON.stringify({ meta: { projectName: 'Shop' }, tasks })));
    expect([...byId.keys()]).toEqual(['1', '2', '2.1', '2.2', '3']);
  });

  it('leaves out needs that can never hold, and says so', () => {
    const tasks = [
      { id: 1, title: 'A', dependencies: [1, 9, '1.1'], subtasks: [{ id: 1, title: 'B', dependencies: ['1'] }] },
      { id: 2, title: 'C', status: 'done', subtasks: [{ id: 1, title: 'D' }] },
    ];
    const { byId, losses } = good(one('taskmaster', JSON.stringify({ tasks })));
    expect(byId.get('1')!.needs).toBeUndefined();
    expect(losses.map(({ what }) => what)).toEqual([
      'the need of `1`, which is itself, around it, or inside it',
      'the need of `9`, which is not in the file',
      'the need of `1.1`, which is itself, around it, or inside it',
      'the mark of a group as completed: not all of its tasks are completed',
    ]);
    expect(byId.get('2.1')!.ticked).toBeUndefined();
  });

  it('tells needs that go in a circle', () => {
    const tasks = [
      { id: 1, title: 'A', dependencies: [2] },
      { id: 2, title: 'B', dependencies: [1] },
    ];
    expect(one('taskmaster', JSON.stringify({ tasks }))).toMatchObject({ ok: false, diagnostics: [{ code: 'cycle' }] });
  });
});

describe('beads', () => {
  const expected = (reading: ImportReading) => {
    const { byId, losses } = good(reading);
    expect([...byId.keys()]).toEqual(['bd-e1', 'bd-e1.1', 'bd-e1.2', 'bd-f3']);
    expect(byId.get('bd-e1.1')).toMatchObject({
      ticked: 'completed',
      keys: { accept: ['Migrations run'], labels: ['db'] },
    });
    expect(byId.get('bd-e1.2')).toMatchObject({ title: 'Build the API `->` v2', needs: ['bd-e1.1'] });
    expect(byId.get('bd-e1.2')!.prompt).toBe('HTTP endpoints\n\nUse the router.\n\ncareful');
    expect(byId.get('bd-f3')).toMatchObject({ needs: ['bd-e1'], keys: { priority: -1 } });
    expect(losses.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['ties of the type `related`', 'the field `comments`', 'issues that were deleted: 1']),
    );
  };
  const { text } = file('beads.jsonl');
  const rows = text.trim().split('\n');

  it('reads one issue per line', () => expected(one('beads', text)));
  it('reads a list', () => expected(one('beads', `[\n${rows.join(',\n')}\n]`)));
  it('reads a list inside a map', () => expected(one('beads', `{"issues": [${rows.join(',')}]}`)));
  it('names the line that is broken', () => {
    expect(one('beads', `${rows[0]}\n\n{"id": "x",}\n`)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'bad-json', line: 3, column: 12 }],
    });
  });
});

describe('Backlog.md', () => {
  it('carries its task files over', () => {
    const { byId, losses } = good(importPlan({ tool: 'backlog', files: backlog }));
    expect(byId.get('TASK-1')).toMatchObject({
      ticked: 'completed',
      prompt: 'Tables for orders',
      keys: { accept: ['Migrations run', 'Rollback works'], labels: ['db', 'core'], priority: 1 },
    });
    expect(byId.get('TASK-2')).toMatchObject({ group: true, needs: ['TASK-1'] });
    expect(byId.get('TASK-2')!.prompt).toContain('Implementation Plan:\n\n1. Routes\n2. Auth');
    expect(byId.get('TASK-2.1')).toMatchObject({ parent: 1, title: 'Routes' });
    expect(losses).toContainEqual({ what: 'the field `assignee`', tasks: ['TASK-2.1'] });
  });

  it('names the file and the line of a mistake', () => {
    const broken = { name: 'tasks/b.md', text: '---\nid: TASK-9\ntitle: "x\n---\n' };
    const reading = importPlan({ tool: 'backlog', files: [...backlog, broken] });
    expect(reading).toMatchObject({ ok: false, diagnostics: [{ file: 'tasks/b.md', code: 'bad-yaml' }] });
  });
});

it('forms that are read directly are rewritten, with their marks', () => {
  const text =
    '---\norder: explicit\n---\n# Tasks\n\n* [ ] T001 [P] [US1] Create it in `src/a`\n* [X] T002 Use it (depends on T001)\n';
  const { text: written, byId } = good(one('speckit', text));
  expect(written).toBe(
    '---\norder: explicit\n---\n# Tasks\n\n- [ ] T001 [P] [US1] Create it in `src/a`\n- [x] T002 Use it → T001\n',
  );
  expect(byId.get('T002')!.needs).toEqual(['T001']);
});

test.each<[ImportTool, string]>([
  ['taskmaster', '[]'],
  ['taskmaster', '{"issues": []}'],
  ['taskmaster', 'null'],
  ['beads', '{"master": {"tasks": []}}'],
  ['beads', '[1, 2]'],
  ['backlog', '# Title\n'],
])('a file of another tool is no %s file: %s', (tool, text) => {
  expect(one(tool, text)).toMatchObject({ ok: false, diagnostics: [{ code: 'wrong-tool', line: 1 }] });
});

test.each<[string, number]>([
  ['{"a":\n [1,}', 10],
  ['[1,]', 3],
  ['{"a" 1}', 5],
  ['{"a":1', 6],
  ['[1] x', 4],
  ['{a:1}', 1],
  ['["\\x"]', 1],
  ['01', 0],
  ['', 0],
])('JSON stops being JSON: %j at %i', (text, offset) => {
  expect(jsonMistake(text)).toBe(offset);
});

describe('whatever stands in such a file', () => {
  const text = fc.oneof(
    fc.constantFrom(
      'a → b',
      '(needs: x) y',
      '- [ ] z',
      '```',
      '<!-- c',
      'run: x',
      '\u0000\ud800',
      '__proto__',
      '',
      '# h',
      '`a',
      'x\r\ny',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  const id = fc.oneof(
    fc.integer({ min: 0, max: 6 }),
    fc.constantFrom('__proto__', 'a b', '1.1', 'constructor', '#', '→'),
  );
  const task = fc.record(
    {
      id,
      title: text,
      description: text,
      details: text,
      testStrategy: text,
      status: fc.constantFrom('done', 'pending', 'cancelled', 'odd'),
      priority: fc.constantFrom('high', 'low', 7),
      dependencies: fc.array(id, { maxLength: 2 }),
      ['__proto__']: fc.constant({ polluted: true }),
    },
    { requiredKeys: ['id'] },
  );
  const tasks = fc.array(
    fc.tuple(task, fc.array(task, { maxLength: 3 })).map(([one, subtasks]) => ({ ...one, subtasks })),
    { maxLength: 5 },
  );

  it('comes out as a plan that can be read, or as a mistake', () => {
    fc.assert(
      fc.property(tasks, (list) => {
        const reading = one('taskmaster', JSON.stringify({ tasks: list }));
        if (reading.ok) good(reading);
        else {
          const errors = reading.diagnostics.filter(({ severity }) => severity === 'error');
          expect([...new Set(errors.map(({ code }) => code))]).toEqual([list.length === 0 ? 'empty-plan' : 'cycle']);
        }
        expect(({} as { polluted?: true }).polluted).toBeUndefined();
      }),
      { numRuns: howMany(400) },
    );
  });

  it('never throws', () => {
    const tool = fc.constantFrom<ImportTool>('taskmaster', 'beads', 'backlog');
    fc.assert(
      fc.property(
        tool,
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((json) => `---\nid: ${json}\n---\n`),
        ),
        (which, any) => {
          one(which, any);
        },
      ),
      { numRuns: howMany(1000) },
    );
  });
});
