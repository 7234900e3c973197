import { describe, expect, it } from 'vitest';
import { begin, dawn, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import type { Settings } from '../model/settings.ts';
import { explain, type Reason } from './explain.ts';

const settings: Settings = { agents: {}, defaults: {}, unsupported: [] };
const why = (scenario: Scenario, id: string, known = settings) =>
  explain(scenario.state, scenario.plan, scenario.index(id), known);
const reasons = (scenario: Scenario, id: string): readonly Reason[] => why(scenario, id).reasons;

const failedA = [{ task: 'a', status: 'failed' }];
const failure = { kind: 'exit', code: 1 };

describe('a leaf', () => {
  it.each<[string, Scenario, object[]]>([
    ['done', begin('a').after(5).complete('a'), [{ kind: 'done', at: dawn + 5, by: null }]],
    ['done by its box', begin('+a'), [{ kind: 'done', at: dawn, by: 'plan' }]],
    ['failed', begin('a').failOnce('a').fail('a'), [{ kind: 'failed', failure, attempts: 1, left: 1 }]],
    [
      'failed for good',
      begin(planOf('a', { keys: { a: { retries: 0 } } })).fail('a'),
      [{ kind: 'failed', failure, attempts: 0 }],
    ],
    ['suspended', begin('a').suspend('a'), [{ kind: 'suspended', by: 'ann', reason: null }]],
    ['skipped', begin('-a'), [{ kind: 'skipped', by: 'plan', reason: null }]],
    [
      'running',
      begin('a').after(2).schedule('a'),
      [{ kind: 'running', attempt: 'a#1', since: dawn + 2, ending: false }],
    ],
    [
      'running, doomed',
      begin('a').schedule('a').doom('a', { kind: 'stop' }),
      [{ kind: 'running', attempt: 'a#1', since: dawn, ending: true }],
    ],
    [
      'ended, not judged',
      begin('a').schedule('a').end('a', 0),
      [{ kind: 'running', attempt: 'a#1', since: dawn, ending: true }],
    ],
    ['ready', begin('a'), []],
    [
      'its last processes die',
      begin('a').schedule('a').suspend('a').resume('a'),
      [{ kind: 'running', attempt: 'a#1', since: dawn, ending: true }],
    ],
    ['backing off', begin('a').failOnce('a', 700), [{ kind: 'backoff', until: dawn + 700, failure }]],
    ['paused', begin('a').pause(), [{ kind: 'paused', by: 'ann' }]],
    ['paused with a word', begin('a').pause('lunch'), [{ kind: 'paused', by: 'ann', reason: 'lunch' }]],
    ['no room', begin('b, a', { plan: 1 }).schedule('b'), [{ kind: 'slot', pool: 'plan', limit: 1, running: 1 }]],
    ['a limit of 0', begin('a', { workspace: 0 }), [{ kind: 'slot', pool: 'workspace', limit: 0, running: 0 }]],
  ])('%s', (_, scenario, expected) => {
    expect(reasons(scenario, 'a')).toEqual(expected);
  });

  it('waits for needs, with the causes of those that will not come', () => {
    const scenario = begin('a, b → a, c, d, z → b c d').fail('a').complete('d');
    expect(why(scenario, 'z')).toEqual({
      task: 'z',
      status: 'blocked',
      reasons: [
        { kind: 'need', task: 'b', status: 'blocked', causes: failedA },
        { kind: 'need', task: 'c', status: 'pending', causes: [] },
      ],
    });
  });

  it('names a limit of 0 behind a need', () => {
    const causes = [{ task: 'a', status: 'pending', limit: 'plan' }];
    expect(reasons(begin('a, b → a', { plan: 0 }), 'b')).toEqual([
      { kind: 'need', task: 'a', status: 'pending', causes },
    ]);
  });

  it('waits for preferences that have not ended', () => {
    const scenario = begin('a, b, z ~> a b').fail('a');
    expect(reasons(scenario, 'z')).toEqual([{ kind: 'preference', task: 'b', status: 'pending' }]);
  });

  it('inherits them from the groups around, and says from which', () => {
    const scenario = begin('a, b, g → a { h ~> b { z } }');
    expect(reasons(scenario, 'z')).toEqual([
      { kind: 'preference', task: 'b', status: 'pending', via: 'h' },
      { kind: 'need', task: 'a', status: 'pending', causes: [], via: 'g' },
    ]);
  });

  it('everything at once', () => {
    const scenario = begin('x, z ~> x').schedule('z').end('z', 1).again('z', 9).pause();
    expect(reasons(scenario, 'z').map(({ kind }) => kind)).toEqual(['preference', 'backoff', 'paused']);
  });
});

describe('phases', () => {
  it('the first one that is not passed, with what stands in the way', () => {
    const scenario = begin('+a, -b, c*, d, e* | g { x }, f | z').fail('c').suspend('d');
    const tasks = [
      { task: 'd', status: 'suspended' },
      { task: 'e', status: 'pending' },
    ];
    expect(reasons(scenario, 'z')).toEqual([{ kind: 'phase', phase: 'Phase 1', tasks }]);
    expect(reasons(scenario, 'x')).toEqual([{ kind: 'phase', phase: 'Phase 1', tasks }]);
    expect(reasons(scenario.resume('d').complete('d', 'e'), 'z')).toEqual([
      {
        kind: 'phase',
        phase: 'Phase 2',
        tasks: [
          { task: 'x', status: 'pending' },
          { task: 'f', status: 'pending' },
        ],
      },
    ]);
    expect(reasons(scenario.complete('x', 'f'), 'z')).toEqual([]);
  });

  it('shows twenty at most', () => {
    const many = Array.from({ length: 30 }, (_, i) => `a${i}`).join(', ');
    const [reason] = reasons(begin(`${many} | z`), 'z') as [Extract<Reason, { kind: 'phase' }>];
    expect(reason.tasks).toHaveLength(20);
  });
});

describe('the other orders name the tasks in the way', () => {
  const pending = (task: string) => ({ task, status: 'pending' });
  it('one after the other: the first that is not through, not the last before it', () => {
    const scenario = begin(planOf('a, b, g { c } | d', { order: 'sequential' })).complete('a');
    const before = { kind: 'phase', phase: 'Phase 1', tasks: [pending('b')], step: true };
    expect(reasons(scenario, 'd')).toEqual([before]);
    expect(reasons(scenario, 'c')).toEqual([before]);
    expect(reasons(scenario.fail('b'), 'd')).toEqual([{ ...before, tasks: [{ task: 'b', status: 'failed' }] }]);
  });

  it('spec-kit: neighbours with [P], or the phase before', () => {
    const scenario = begin(planOf('a^, b^, c | d', { order: 'spec-kit' })).complete('a');
    const tasks = [pending('b')];
    expect(reasons(scenario, 'c')).toEqual([{ kind: 'phase', phase: 'Phase 1', tasks, step: true }]);
    expect(reasons(scenario, 'd')).toEqual([{ kind: 'phase', phase: 'Phase 1', tasks }]);
  });

  it('every sequence of the task and the groups around it', () => {
    const sequences = [
      ['a', 'c'],
      ['b', 'g'],
      ['a', 'd'],
    ].map((ids) => ids.map(taskId));
    const scenario = begin(planOf('a, b, g { c }, d', { sequences }));
    expect(reasons(scenario, 'c')).toEqual([
      { kind: 'phase', phase: 'Phase 1', tasks: [pending('a')], step: true },
      { kind: 'phase', phase: 'Phase 1', tasks: [pending('b')], step: true },
    ]);
  });
});

describe('a group', () => {
  it('done: when its last part was', () => {
    const scenario = begin('g { a, b }').after(3).complete('b').after(4).complete('a');
    expect(why(scenario, 'g')).toEqual({
      task: 'g',
      status: 'completed',
      reasons: [{ kind: 'done', at: dawn + 7, by: null }],
    });
  });

  it('waits for its own needs and for the parts that have not come to a good end', () => {
    const scenario = begin('a, g → a { b, h { c }, +d, -e }, z').fail('a');
    expect(reasons(scenario, 'g')).toEqual([
      { kind: 'need', task: 'a', status: 'failed', causes: failedA },
      { kind: 'need', task: 'b', status: 'blocked', causes: failedA, part: true },
      { kind: 'need', task: 'h', status: 'blocked', causes: failedA, part: true },
      { kind: 'need', task: 'e', status: 'skipped', causes: [{ task: 'e', status: 'skipped' }], part: true },
    ]);
  });

  it('an optional part that failed is not in its way; one that runs is', () => {
    const scenario = begin('g { a*, b*, c }').fail('a').schedule('b');
    expect(reasons(scenario, 'g').map((reason) => 'task' in reason && reason.task)).toEqual(['b', 'c']);
  });
});

describe('the limits it is explained by', () => {
  const known: Settings = { ...settings, maxParallel: 0 };
  const slots = (scenario: Scenario) =>
    why(scenario, 'a', known).reasons.map((reason) => 'pool' in reason && reason.pool);

  it('those of the run that goes on', () => {
    expect(slots(begin('a'))).toEqual([]);
  });

  it('those of the settings when there is none', () => {
    expect(slots(log(planOf('a')).load())).toEqual(['workspace', 'plan']);
  });

  it('those of the settings when the last one has ended', () => {
    const scenario = begin('a').pause();
    scenario.decide();
    expect(slots(scenario.resumePlan())).toEqual(['workspace', 'plan']);
  });
});

it('dies on a status it does not know', () => {
  const scenario = begin('a');
  scenario.task('a').status = 'asleep' as never;
  expect(() => why(scenario, 'a')).toThrow('impossible');
});
