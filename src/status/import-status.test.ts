// A status.json that is broken in every way that came to mind: never a crash, then the backup, then the plan.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { howMany } from '../../test/how-many.ts';
import { planPath } from '../core/model/ids.ts';
import { emptySettings } from '../core/model/settings.ts';
import { createState, evolve } from '../core/state/evolve.ts';
import { statusOf } from '../core/state/questions/status.ts';
import type { State } from '../core/state/state.ts';
import { readPlan } from '../plan/read-plan.ts';
import { importStatus } from './import-status.ts';
import type { OutputRoots } from './output-places.ts';

const path = planPath('docs/plans/example.md');
const plan = '# P\n## Phase 1: Implementation\n- [ ] 1.1 Implement feature X\n- [x] 1.2 Ticked\n- [ ] 1.3 Third\n';
let workspace: OutputRoots;
beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-import-'));
  mkdirSync(join(root, 'docs/plans'), { recursive: true });
  writeFileSync(join(root, path), plan);
  workspace = { root, stateFolder: join(root, '.signalbox'), outputsFolder: join(root, 'docs/plan-outputs') };
});
afterAll(() => rmSync(workspace.root, { recursive: true, force: true }));

const file = (name = 'status.json') => join(workspace.root, 'docs/plan-outputs/example', name);
function write(name: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), text);
}

/** What becomes of a plan that is loaded with these files beside it. */
function loaded(): { readonly statuses: readonly string[]; readonly words: string } {
  const state: State = createState();
  const definition = readPlan({ text: plan, file: path, path, settings: emptySettings }).plan!;
  evolve(state, { type: 'plan-loaded', v: 1, seq: 1, at: 1000, plan: path, revision: 'r', definition });
  const known = state.plans.get(path)!;
  const { event, words } = importStatus(workspace, state.plans, known);
  if (event) evolve(state, { ...event, seq: 2, at: 1001 });
  return { statuses: known.tasks.map((_, i) => statusOf(known, i)), words: words.join('\n') };
}

const good = `{
  "planPath": "docs/plans/example.md",
  "tasks": [
    {"id": "1.1", "status": "completed", "completedAt": "2025-01-01T10:30:00.000Z", "notes": "ä ≠ \\ud83d\\ude00"},
    {"id": "1.2", "status": "pending"},
    {"id": "1.3", "status": "failed", "lastError": "no"}
  ],
  "runs": []
}`;
const fromGood = ['completed', 'completed', 'failed'];
const fromPlan = ['pending', 'completed', 'pending'];

/** Each is of no use. */
const broken: readonly (readonly [string, string | Uint8Array])[] = [
  ...Array.from(
    { length: 100 },
    (_, i) => [`${i} % of it`, good.slice(0, Math.floor((good.length * i) / 100))] as const,
  ),
  ...[
    'null',
    'true',
    '7',
    '"text"',
    '[]',
    '[[]]',
    '{}',
    '{"tasks":null}',
    '{"tasks":"1.1"}',
    '{"tasks":{"1.1":{}}}',
    'NaN',
    'undefined',
  ].map((text) => [text, text] as const),
  ...[
    'null',
    '7',
    '"x"',
    '[]',
    '{}',
    '{"id":null}',
    '{"id":["1.1"],"status":"completed"}',
    '{"id":"1.1","status":null}',
    '{"id":"1.1","status":"toString"}',
    '{"id":"1.1","status":"__proto__"}',
    '{"id":"1.1","status":{"completed":true}}',
    '{"status":"completed"}',
  ].map((task) => [`a task ${task}`, `{"tasks":[${task}]}`] as const),
  ['NULs', new Uint8Array(5000)],
  ['NULs at its end', Buffer.concat([Buffer.from(good), new Uint8Array(10)])],
  ['a NUL in it', good.replace('completed', 'comp\0leted')],
  ['no text in UTF-8', Uint8Array.of(0xff, 0xfe, 0x00, 0xd8)],
  ['a line of a merge', good.replace('"runs"', '<<<<<<< HEAD\n  "runs"')],
  ['comments', `// mine\n${good}`],
  ['two of it', good + good],
  ['deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['deep in a task', `{"tasks":[{"id":${'['.repeat(10_000)}${']'.repeat(10_000)},"status":"completed"}]}`],
  ['huge', `{"tasks":[${'7,'.repeat(2_000_000)}7]}`],
];

describe('a status.json of no use', () => {
  it('comes in more than 100 kinds', () => expect(broken.length).toBeGreaterThan(130));

  it.each(broken)('%s', (_, content) => {
    write('status.json', content);
    write('status.json.bak', good);
    const withBackup = loaded();
    expect(withBackup.statuses).toEqual(fromGood);
    expect(withBackup.words).toMatch(/status\.json could not be used: .*\n.*taken from .*status\.json\.bak/);
    write('status.json.bak', content);
    const alone = loaded();
    expect(alone.statuses).toEqual(fromPlan);
    expect(alone.words).toMatch(/begins with the plan and the boxes/);
  });
});

describe('what is odd and still of use', () => {
  it.each([
    ['a mark of the byte order', `\ufeff${good}`],
    ['keys of prototypes', good.replace('"runs"', '"__proto__": {"tasks": []}, "constructor": 7, "runs"')],
    [
      'ids of prototypes',
      good.replace(
        '"tasks": [',
        '"tasks": [{"id":"__proto__","status":"completed"},{"id":"constructor","status":"failed"},',
      ),
    ],
    ['wrong types beside', good.replace('"runs": []', '"runs": {"a": 1}, "summary": "none", "seq": "x"')],
  ])('%s', (_, content) => {
    write('status.json', content);
    expect(loaded().statuses).toEqual(fromGood);
  });

  it('the example of the seed, without its comments', () => {
    const seed = readFileSync('test/fixtures/seed-status.json', 'utf8');
    write('status.json', seed);
    rmSync(file('status.json.bak'), { force: true });
    const { statuses, words } = loaded();
    expect(statuses).toEqual(['completed', 'completed', 'pending']);
    expect(words).toBe(
      'the log knew nothing of docs/plans/example.md: its state was taken from docs/plan-outputs/example/status.json (1 completed, 0 failed, 0 others)',
    );
  });

  it('of another plan that is there is left alone', () => {
    writeFileSync(join(workspace.root, 'docs/plans/other.md'), plan);
    write('status.json', good.replace('example.md', 'other.md'));
    expect(loaded().statuses).toEqual(fromPlan);
    // Of one that is not there any more: the plan was moved.
    write('status.json', good.replace('docs/plans/example.md', 'plans/example.md'));
    expect(loaded().statuses).toEqual(fromGood);
  });
});

describe('entries that make no sense', () => {
  const files = (status: readonly unknown[], backup: readonly unknown[]) => {
    write('status.json', JSON.stringify({ tasks: status }));
    write('status.json.bak', JSON.stringify({ tasks: backup }));
  };
  const place = 'docs/plan-outputs/example/status.json';

  it('take nothing from the others, and are named with what was assumed', () => {
    const bad = [{ id: '1.1', status: 'perhaps' }, null, { id: '1.2' }, { id: '1.3', status: 'cancelled' }];
    files(bad, [{ id: '1.1', status: 'failed' }]);
    const { statuses, words } = loaded();
    expect(statuses).toEqual(['failed', 'completed', 'skipped']);
    expect(words.split('\n')).toEqual([
      expect.stringContaining(`taken from ${place} (0 completed, 1 failed, 1 others)`),
      `${place}: the task "1.1" has the status "perhaps", which there is not, taken as failed, as ${place}.bak says`,
      `${place}: task 2: it is not an object, left out`,
      `${place}: the task "1.2" has the status nothing, which there is not, taken as completed, as in the plan`,
      `${place}: the task "1.3" has the status "cancelled", taken as skipped`,
    ]);
  });

  it('an id that is there twice is completed if one of them says so', () => {
    for (const order of [
      ['completed', 'failed'],
      ['failed', 'completed'],
    ]) {
      files(
        order.map((status) => ({ id: '1.1', status })),
        [],
      );
      expect(loaded().statuses).toEqual(['completed', 'completed', 'pending']);
    }
  });

  it('what the backup calls completed is, and that is told', () => {
    files([{ id: '1.1', status: 'pending' }], [{ id: '1.1', status: 'completed' }]);
    const { statuses, words } = loaded();
    expect(statuses).toEqual(['completed', 'completed', 'pending']);
    expect(words).toContain(`completed by ${place}.bak though not by ${place}, and taken as completed: 1.1`);
  });

  it('never set back what one of the files calls completed', () => {
    const status = fc.oneof(
      fc.constantFrom('completed', 'done', 'pending', 'failed', 'skipped', 'in_progress', 'blocked', 'suspended'),
      fc.anything(),
    );
    const id = fc.oneof(fc.constantFrom('1.1', '1.2', '1.3', 1.1, 1.3, 'other', ''), fc.anything());
    const more = { attempts: fc.anything(), retryCount: fc.anything(), notes: fc.anything(), startedAt: fc.string() };
    const entry = fc.oneof(fc.record({ id, status, ...more }, { requiredKeys: [] }), fc.anything());
    const list = fc.array(entry, { maxLength: 8 });
    const says = (entries: readonly unknown[], task: string) =>
      (JSON.parse(JSON.stringify(entries)) as ({ id?: unknown; status?: unknown } | null)[]).some(
        (one) => one && [task, Number(task)].includes(one.id as string) && one.status === 'completed',
      );
    fc.assert(
      fc.property(list, list, (first, second) => {
        files(first, second);
        const { statuses } = loaded();
        for (const [i, task] of ['1.1', '1.2', '1.3'].entries())
          if (says(first, task) || says(second, task)) expect(statuses[i]).toBe('completed');
        expect(statuses[1]).toBe('completed');
      }),
      { numRuns: howMany(500) },
    );
  });
});
