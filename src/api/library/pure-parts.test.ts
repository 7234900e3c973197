import { describe, expect, it } from 'vitest';
import { calculateAvailableSlots, checkCircuitBreaker, detectPlanDeadlock, findReadyTasks } from './pure-parts.ts';
import type { ListedTask } from './task-list.ts';
import { WaitForGraph } from './wait-for-graph.ts';

const failed = { id: 'a', status: 'failed' } as const;

describe('a deadlock of a plan', () => {
  const look = (tasks: readonly ListedTask[]) => {
    const { deadlocked, complete, blocked } = detectPlanDeadlock(tasks);
    const causes = blocked.map(
      (one) => `${one.task} < ${one.causes.map(({ task, status }) => `${task} ${status}`).join(', ')}`,
    );
    return [deadlocked ? 'deadlocked' : complete ? 'complete' : 'neither', ...causes];
  };

  it.each<[string, readonly ListedTask[], string[]]>([
    ['none: something can start', [{ id: 'a' }, { id: 'b', needs: ['a'] }], ['neither']],
    [
      'none: something runs',
      [
        { id: 'a', status: 'in_progress' },
        { id: 'b', needs: ['a'] },
      ],
      ['neither'],
    ],
    [
      'far away',
      [failed, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] }],
      ['deadlocked', 'b < a failed', 'c < a failed'],
    ],
    [
      'two causes',
      [failed, { id: 's', status: 'suspended' }, { id: 'b', needs: ['a', 's'] }],
      ['deadlocked', 's < s suspended', 'b < a failed, s suspended'],
    ],
    [
      'a skipped need',
      [
        { id: 'a', status: 'skipped' },
        { id: 'b', needs: ['a'] },
      ],
      ['deadlocked', 'b < a skipped'],
    ],
    [
      'a skipped need that counts as done',
      [
        { id: 'a', status: 'skipped', treatAsDone: true },
        { id: 'b', needs: ['a'] },
      ],
      ['neither'],
    ],
    ['only what could run is left', [failed, { id: 'b', needs: ['a'] }, { id: 'c' }], ['neither', 'b < a failed']],
    [
      'waiting for each other',
      [
        { id: 'a', needs: ['b'] },
        { id: 'b', needs: ['a'] },
        { id: 'c', needs: ['b'] },
      ],
      ['deadlocked', 'a < a cycle', 'b < b cycle', 'c < b cycle'],
    ],
    [
      'a need that nobody has',
      [
        { id: 'a', needs: ['x'] },
        { id: 'b', needs: ['a'] },
      ],
      ['deadlocked', 'a < a unknown-need', 'b < a unknown-need'],
    ],
    [
      'all done',
      [
        { id: 'a', status: 'completed' },
        { id: 'b', status: 'skipped' },
      ],
      ['complete'],
    ],
    ['all failed is not done', [failed], ['neither']],
    ['an optional one is in nobody’s way', [failed, { id: 'b', needs: ['a'], optional: true }], ['neither']],
    [
      'a group',
      [
        { id: 'g', subtasks: [failed, { id: 'b', status: 'completed' }] },
        { id: 'c', needs: ['g'] },
      ],
      ['deadlocked', 'c < a failed'],
    ],
    ['nothing', [], ['complete']],
  ])('%s', (_, tasks, expected) => {
    expect(look(tasks)).toEqual(expected);
  });

  it('names the circle and the missing need', () => {
    const { cycles, unknown } = detectPlanDeadlock([
      { id: 'a', needs: ['b'] },
      { id: 'b', needs: ['a', 'z'] },
      { id: 'c', needs: ['c'] },
    ]);
    expect(unknown).toEqual([{ task: 'b', need: 'z' }]);
    expect(cycles).toEqual([['c']]);
    expect(
      detectPlanDeadlock([
        { id: 'a', needs: ['b'] },
        { id: 'b', needs: ['a'] },
      ]).cycles.map((one) => [...one].sort()),
    ).toEqual([['a', 'b']]);
  });

  it('refuses two tasks of one name', () => {
    expect(() => detectPlanDeadlock([{ id: 'a' }, { id: 'a' }])).toThrow('"a" is there twice');
  });
});

describe('ready tasks', () => {
  it('have all their needs completed, and come by priority', () => {
    const tasks = [
      { id: 'a', status: 'completed' as const },
      { id: 'b', needs: ['a'] },
      { id: 'c', needs: ['a', 'b'] },
      { id: 'd', priority: 2 },
    ];
    expect(findReadyTasks(tasks)).toEqual([tasks[3], tasks[1]]);
  });

  it('are leaves, and wait for the needs of their groups', () => {
    const tasks: ListedTask[] = [
      { id: 'x' },
      { id: 'g', needs: ['x'], subtasks: [{ id: 'p' }] },
      { id: 'h', subtasks: [{ id: 'q' }, { id: 'r', needs: ['q'] }] },
    ];
    expect(findReadyTasks(tasks).map(({ id }) => id)).toEqual(['x', 'q']);
  });

  it('have the priority of their group', () => {
    const tasks: ListedTask[] = [{ id: 'x' }, { id: 'g', priority: 1, subtasks: [{ id: 'p' }] }];
    expect(findReadyTasks(tasks).map(({ id }) => id)).toEqual(['p', 'x']);
  });

  it('are none that a failed need holds back', () => {
    expect(findReadyTasks([failed, { id: 'b', needs: ['a'] }])).toEqual([]);
  });
});

describe('slots', () => {
  const opus = (id: string): ListedTask => ({ id, model: 'opus' });
  it.each<[string, readonly ListedTask[], object | undefined, string[]]>([
    ['three by default', ['a', 'b', 'c', 'd'].map((id) => ({ id })), undefined, ['a', 'b', 'c']],
    ['a full pool keeps back only its own', [opus('a'), opus('b'), { id: 'c', model: 'haiku' }], undefined, ['a', 'c']],
    ['what runs counts', [{ ...opus('a'), status: 'in_progress' }, opus('b'), { id: 'c' }], undefined, ['c']],
    [
      'subtasks have the model of their group',
      [{ ...opus('g'), subtasks: [{ id: 'a' }, { id: 'b' }] }],
      undefined,
      ['a'],
    ],
    [
      'and of the groups around it, unless they name their own',
      [{ ...opus('g'), subtasks: [{ id: 'h', subtasks: [{ id: 'a' }, { id: 'b', model: 'haiku' }] }, { id: 'c' }] }],
      undefined,
      ['a', 'b'],
    ],
    [
      'and its resources',
      [{ id: 'g', uses: ['db'], subtasks: [{ id: 'a' }, { id: 'b' }] }],
      { pools: { db: 1 } },
      ['a'],
    ],
    ['a limit of 0 is a limit', [{ id: 'a' }], { maxParallel: 0 }, []],
    ['and so is a pool of 0', [opus('a'), { id: 'b' }], { pools: { opus: 0 } }, ['b']],
  ])('%s', (_, tasks, limits, start) => {
    expect(calculateAvailableSlots(tasks, limits)).toEqual({ slots: start.length, start });
  });
});

describe('the circuit breaker', () => {
  it.each<[string, Parameters<typeof checkCircuitBreaker>, boolean]>([
    ['few attempts', [{ attempts: 4 }], false],
    ['as many as there may be', [{ attempts: 5 }], true],
    ['fewer by agreement', [{ attempts: 2 }, { maxAttempts: 2 }], true],
    [
      'the same in another order and at other lines',
      [
        {
          attempts: 3,
          rejections: [
            ['no tests', 'bad name at line 3'],
            ['bad name at line 9', 'no tests'],
            [{ message: 'No tests' }, 'bad name'],
          ],
        },
      ],
      true,
    ],
    ['twice only', [{ attempts: 2, rejections: [['x'], ['x']] }], false],
    ['another one between', [{ attempts: 3, rejections: [['x'], ['y'], ['x']] }], false],
  ])('%s', (_, args, tripped) => {
    const before = JSON.stringify(args);
    const answer = checkCircuitBreaker(...args);
    expect([answer.tripped, answer.reason !== null, JSON.stringify(args)]).toEqual([tripped, tripped, before]);
  });
});

describe('the graph of waits', () => {
  it('finds a circle through one of many waits', () => {
    const graph = new WaitForGraph();
    expect(graph.detectCycle()).toBeNull();
    graph.addHold('a', 'x');
    graph.addHold('b', 'y');
    graph.addWait('a', ['z', 'y']);
    expect([graph.detectCycle(), graph.holdersOf('y')]).toEqual([null, ['b']]);
    graph.addWait('b', 'x');
    expect(graph.detectCycle()?.sort()).toEqual(['a', 'b']);
    graph.removeWaits('b');
    expect(graph.detectCycle()).toBeNull();
  });

  it('forgets what somebody got, gave back, or took along', () => {
    const graph = new WaitForGraph();
    graph.addHold('a', 'x');
    graph.addWait('b', ['x', 'q']);
    graph.addHold('b', 'y');
    graph.addWait('a', 'y');
    expect(graph.detectCycle()).not.toBeNull();
    graph.removeHold('a', 'x');
    graph.addHold('b', 'x');
    graph.addHold('b', 'q');
    expect([graph.detectCycle(), graph.holdersOf('x')]).toEqual([null, ['b']]);
    graph.removeAgent('b');
    expect(graph.holdersOf('x')).toEqual([]);
    expect(() => graph.addHold('a', '../up')).toThrow(TypeError);
  });

  it('lets readers share', () => {
    const graph = new WaitForGraph();
    graph.addHold('a', 'x', { shared: true });
    graph.addHold('b', 'y', { shared: true });
    graph.addWait('a', 'y', { shared: true });
    graph.addWait('b', 'x', { shared: true });
    expect(graph.detectCycle()).toBeNull();
  });
});
