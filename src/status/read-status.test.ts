import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStatus } from './read-status.ts';

const tasksOf = (text: string) => {
  const read = readStatus(text);
  if (!read.ok) throw new Error(read.problem);
  return read.status.tasks;
};

/** The example of the seed, without its comments. */
const seed = {
  _comment: 'Authoritative source of truth for task execution state',
  planPath: 'docs/plans/example.md',
  planName: 'Example Plan',
  createdAt: '2025-01-01T00:00:00.000Z',
  lastUpdatedAt: '2025-01-01T12:00:00.000Z',
  currentPhase: 'Phase 1: Implementation',
  tasks: [
    {
      id: '1.1',
      phase: 'Phase 1: Implementation',
      description: 'Implement feature X',
      status: 'completed',
      startedAt: '2025-01-01T10:00:00.000Z',
      completedAt: '2025-01-01T10:30:00.000Z',
      duration: 1800000,
      notes: 'Implemented with caching',
      lastError: 'Build failed',
      lastErrorAt: '2025-01-01T10:15:00.000Z',
      retryCount: 1,
      stuckDetected: false,
    },
  ],
  runs: [
    {
      runId: 'run-1704067200000',
      startedAt: '2025-01-01T10:00:00.000Z',
      completedAt: '2025-01-01T11:00:00.000Z',
      tasksCompleted: 5,
      tasksFailed: 1,
    },
  ],
  summary: { totalTasks: 10, completed: 5, pending: 3, in_progress: 1, failed: 1, skipped: 0 },
};

describe('a status.json', () => {
  it('of the seed is read', () => {
    expect(readStatus(JSON.stringify(seed))).toEqual({
      ok: true,
      status: {
        seq: 0,
        planPath: 'docs/plans/example.md',
        tasks: [
          {
            id: '1.1',
            status: 'completed',
            startedAt: Date.UTC(2025, 0, 1, 10),
            endedAt: Date.UTC(2025, 0, 1, 10, 30),
            notes: 'Implemented with caching',
            error: 'Build failed',
            errorAt: Date.UTC(2025, 0, 1, 10, 15),
            failures: 1,
            attempts: 1,
            treatAsDone: false,
            by: null,
            reason: null,
          },
        ],
        runs: [
          {
            run: 'run-1704067200000',
            startedAt: Date.UTC(2025, 0, 1, 10),
            endedAt: Date.UTC(2025, 0, 1, 11),
            completed: 5,
            failed: 1,
          },
        ],
      },
      odd: [],
      oddCount: 0,
      isDamaged: false,
    });
  });

  it('has ids that are numbers too, and ends what ran', () => {
    const tasks = tasksOf(
      '{"tasks":[{"id":1.5,"status":"in_progress"},{"id":"b","status":"blocked"},{"id":"c","status":"failed"}]}',
    );
    expect(tasks.map(({ id, status, attempts, failures }) => [id, status, attempts, failures])).toEqual([
      ['1.5', 'pending', 0, 0],
      ['b', 'pending', 0, 0],
      ['c', 'failed', 1, 1],
    ]);
  });

  it('has no nonsense in it', () => {
    const [task] = tasksOf(
      '{"tasks":[{"id":"a","status":"completed","startedAt":"yesterday","completedAt":-5,"notes":7,"lastError":"","retryCount":1e300,"attempts":9007199254740991,"by":{}}]}',
    );
    expect(task).toMatchObject({
      startedAt: 0,
      endedAt: 0,
      notes: null,
      error: null,
      failures: 0,
      attempts: 1_000_000,
      by: null,
    });
    expect(readStatus('{"tasks":[],"runs":[7,{},{"runId":"r","startedAt":"x"}]}')).toMatchObject({
      ok: true,
      status: { runs: [] },
    });
  });

  it.each([
    ['', /empty/],
    [' \n', /empty/],
    ['{', /not JSON/],
    ['null', /not an object/],
    ['[]', /not an object/],
    ['"text"', /not an object/],
    ['{}', /no list of tasks/],
    ['{"tasks":{}}', /no list of tasks/],
    ['{"tasks":[1]}', /task 1: it is not an object/],
    ['{"tasks":[{}]}', /task 1: it has no id/],
    ['{"tasks":[{"id":"","status":"pending"}]}', /no id/],
    ['{"tasks":[{"id":"a"}]}', /has the status nothing/],
    ['{"tasks":[{"id":"a","status":"perhaps"}]}', /has the status "perhaps", which there is not/],
    ['{"tasks":[{"id":"a","status":"constructor"}]}', /which there is not/],
    ['{"tasks":[{"id":"a","status":["completed"]}]}', /which there is not/],
  ])('is refused: %s', (text, problem) => {
    expect(readStatus(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it('is read entry by entry: what makes no sense takes nothing from the others', () => {
    const entries = [
      'null',
      '{"id":"a","status":"completed"}',
      '{"status":"completed"}',
      '{"id":"b","status":"perhaps"}',
      '{"id":"c","status":"failed"}',
      '{"id":"c","status":"completed"}',
      '{"id":"c","status":"pending"}',
    ];
    const read = readStatus(`{"tasks":[${entries}]}`);
    expect(read).toMatchObject({
      ok: true,
      isDamaged: true,
      status: {
        tasks: [
          { id: 'a', status: 'completed' },
          { id: 'c', status: 'completed' },
        ],
      },
      odd: [
        { id: null, problem: 'task 1: it is not an object', readAs: null },
        { id: null, problem: 'task 3: it has no id', readAs: null },
        { id: 'b', problem: 'the task "b" has the status "perhaps", which there is not', readAs: null },
        { id: 'c', problem: 'the task "c" is there twice (failed, completed)', readAs: 'completed' },
        { id: 'c', problem: 'the task "c" is there twice (completed, pending)', readAs: 'completed' },
      ],
    });
  });

  it.each([
    ['done', 'completed', 'completed'],
    ['Completed', 'completed', 'completed'],
    ['cancelled', 'skipped', 'skipped'],
    ['canceled', 'skipped', 'skipped'],
    ['todo', 'pending', 'pending'],
    ['open', 'pending', 'pending'],
    ['in-progress', 'in_progress', 'pending'],
  ])('may say %s for %s, and is told so', (word, readAs, status) => {
    expect(readStatus(`{"tasks":[{"id":"a","status":"${word}"}]}`)).toMatchObject({
      ok: true,
      isDamaged: false,
      status: { tasks: [{ id: 'a', status }] },
      odd: [{ id: 'a', problem: `the task "a" has the status "${word}"`, readAs }],
    });
  });

  it('names the first of many that are odd, and counts the others', () => {
    const read = readStatus(`{"tasks":[${'7,'.repeat(500)}{"id":"a","status":"completed"}]}`);
    expect(read).toMatchObject({ ok: true, oddCount: 500, status: { tasks: [{ id: 'a' }] } });
    expect(read.ok && read.odd.length).toBe(100);
  });

  it('says itself how often was tried what was completed, if it is ours', () => {
    const tasks = tasksOf('{"tasks":[{"id":"a","status":"completed","attempts":0},{"id":"b","status":"completed"}]}');
    expect(tasks.map(({ attempts }) => attempts)).toEqual([0, 1]);
  });

  it('with prototype keys changes nothing outside', () => {
    const read = readStatus(
      '{"__proto__":{"polluted":1},"tasks":[{"__proto__":{"id":"x"},"id":"__proto__","status":"completed"}]}',
    );
    expect(read).toMatchObject({ ok: true, status: { tasks: [{ id: '__proto__', status: 'completed' }] } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.string(), (text) => void readStatus(text)));
    fc.assert(fc.property(fc.json(), (text) => void readStatus(text)));
    const tasks = fc.array(fc.record({ id: fc.anything(), status: fc.anything() }, { requiredKeys: [] }));
    fc.assert(fc.property(tasks, (all) => void readStatus(JSON.stringify({ tasks: all }) ?? '')));
  });
});
