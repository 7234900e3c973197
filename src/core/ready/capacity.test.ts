import { describe, expect, it } from 'vitest';
import { begin, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Limits } from '../model/run-event.ts';
import { anyoneMayStart, fullFor, nextAdmissible } from './capacity.ts';
import { closedFor } from './closed-for.ts';

const keys = {
  o1: { model: 'opus' },
  o2: { model: 'opus' },
  s: { model: 'sonnet' },
  d: { model: 'sonnet', uses: ['db'] },
};
const mixed = (limits: Partial<Limits> = {}) => begin(planOf('o1, o2, s, d, plain', { keys }), limits);

const limitsOf = (scenario: Scenario) => scenario.plan.run!.limits;
function next(scenario: Scenario): string | null {
  const found = nextAdmissible(scenario.state, scenario.plan, limitsOf(scenario));
  return found && scenario.plan.plan.tasks[found.task]!.id;
}

/** Whom it admits, one after the other, until nobody has room. */
function admitted(scenario: Scenario): string[] {
  const all: string[] = [];
  for (let id = next(scenario); id; id = next(scenario)) {
    all.push(id);
    scenario.schedule(id);
  }
  return all;
}

describe('nextAdmissible', () => {
  it.each<[string, Partial<Limits>, string[]]>([
    ['no limits: in order', {}, ['o1', 'o2', 's', 'd', 'plain']],
    ['the plan', { plan: 2 }, ['o1', 'o2']],
    ['the workspace', { workspace: 3 }, ['o1', 'o2', 's']],
    ['a full pool never holds back another', { pools: { opus: 1 } }, ['o1', 's', 'd', 'plain']],
    ['two pools', { pools: { opus: 1, sonnet: 1 } }, ['o1', 's', 'plain']],
    ['a resource', { pools: { db: 0 } }, ['o1', 'o2', 's', 'plain']],
    ['a task without a model counts only globally', { pools: { opus: 0, sonnet: 0, haiku: 0 } }, ['plain']],
    ['a plan limit of 0 admits none', { plan: 0 }, []],
    ['a workspace limit of 0 admits none', { workspace: 0 }, []],
  ])('%s', (_, limits, expected) => {
    expect(admitted(mixed(limits))).toEqual(expected);
  });

  it('room that is given back is used at once', () => {
    const scenario = mixed({ pools: { opus: 1 } });
    admitted(scenario);
    expect(next(scenario)).toBeNull();
    expect(next(scenario.end('o1', 0).complete('o1'))).toBe('o2');
  });

  it('a withdrawn task keeps its room until its processes are dead', () => {
    const scenario = mixed({ pools: { opus: 1 } })
      .schedule('o1')
      .skip('o1');
    expect(next(scenario)).toBe('s');
    expect(next(scenario.end('o1', { kind: 'killed', code: null }))).toBe('o2');
  });

  it('pools and the workspace count across plans, the plan limit does not', () => {
    const one = mixed().schedule('o1');
    const limits = { pools: { opus: 1 }, plan: 3 };
    const two = log(planOf('o1, x, y, z', { path: 'two.md', keys }), one.state)
      .load()
      .startRun(limits);
    expect(admitted(two)).toEqual(['x', 'y', 'z']);
    const three = log(planOf('x', { path: 'three.md' }), one.state)
      .load()
      .startRun({ workspace: 4 });
    expect(admitted(three)).toEqual([]);
  });

  it('nobody is ready', () => {
    expect(next(begin('+a'))).toBeNull();
  });

  it('10,000 tasks of a full pool are passed over in one step', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `t${i}`);
    const plan = planOf([...many, 'other'].join(', '), {
      keys: Object.fromEntries(many.map((id) => [id, { model: 'opus' }])),
    });
    expect(next(begin(plan, { pools: { opus: 0 } }))).toBe('other');
  });
});

it('fullFor names every limit in the way', () => {
  const scenario = mixed({ plan: 2, workspace: 2, pools: { sonnet: 2, db: 0, opus: 9 } }).schedule('s', 'd');
  const full = (id: string) => fullFor(scenario.state, scenario.plan, scenario.index(id), limitsOf(scenario));
  const both = [
    { pool: 'workspace', limit: 2, running: 2 },
    { pool: 'plan', limit: 2, running: 2 },
  ];
  expect(full('o1')).toEqual(both);
  expect(full('d')).toEqual([...both, { pool: 'sonnet', limit: 2, running: 2 }, { pool: 'db', limit: 0, running: 1 }]);
});

describe('closedFor: only a limit of 0 is no reason to wait', () => {
  it.each<[Partial<Limits>, string | null]>([
    [{}, null],
    [{ plan: 1, workspace: 1, pools: { sonnet: 1, db: 1 } }, null],
    [{ plan: 0 }, 'plan'],
    [{ workspace: 0, plan: 0 }, 'workspace'],
    [{ pools: { opus: 0 } }, null],
    [{ pools: { sonnet: 1, db: 0 } }, 'db'],
  ])('%o → %s', (limits, expected) => {
    const scenario = mixed(limits);
    expect(closedFor(scenario.plan, scenario.index('d'), limitsOf(scenario))).toBe(expected);
  });
});

describe('anyoneMayStart', () => {
  it.each<[string, Scenario, boolean]>([
    ['ready', begin('a'), true],
    ['ready, and full for now', begin('a, b', { plan: 1 }).schedule('a'), true],
    ['nobody ready', begin('a').schedule('a'), false],
    ['closed', begin('a', { plan: 0 }), false],
    ['one pool closed, another not', mixed({ pools: { opus: 0 } }), true],
    ['every pool closed', mixed({ pools: { opus: 0, sonnet: 0 } }).complete('plain'), false],
  ])('%s', (_, scenario, expected) => {
    expect(anyoneMayStart(scenario.plan, limitsOf(scenario))).toBe(expected);
  });
});
