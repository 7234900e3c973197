// The checks of groups and phases, and the last step: tasks that nobody wrote.
import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import type { Plan, TaskKeys } from '../model/plan.ts';
import { summaryOf } from '../rules/outcome.ts';
import { withClosingTasks } from './closing-tasks.ts';

const g: TaskKeys = { check: ['one', 'two'] };
const once: TaskKeys = { run: 'true', retries: 0 };
const ids = (plan: Plan) => withClosingTasks(plan).tasks.map(({ id }) => id);
const phases = (plan: Plan, ...checks: (string[] | undefined)[]): Plan => ({
  ...plan,
  phases: plan.phases.map((phase, i) => ({ ...phase, ...(checks[i] ? { check: checks[i] } : {}) })),
});

describe('where they stand', () => {
  it.each<[string, Plan, string]>([
    ['nothing to close', planOf('a, g { b }'), 'a g b'],
    ['a group', planOf('g { a, b }, c', { keys: { g } }), 'g a b g:check c'],
    ['a group in a group', planOf('g { h { a }, b }, c', { keys: { g, h: g } }), 'g h a h:check b g:check c'],
    ['both ending at once', planOf('g { a, h { b } }', { keys: { g, h: g } }), 'g a h b h:check g:check'],
    ['a review only', planOf('g { a }', { keys: { g: { review: 'agent' } } }), 'g a g:check'],
    ['nothing asked for after all', planOf('g { a }', { keys: { g: { check: [], review: 'none' } } }), 'g a'],
    ['a phase', phases(planOf('a | b'), ['x']), 'a phase-1:check b'],
    [
      'a phase that ends with a group',
      phases(planOf('a, g { b } | c', { keys: { g } }), ['x'], ['y']),
      'a g b g:check phase-1:check c phase-2:check',
    ],
    ['a phase with no check in it', phases(planOf('a | b'), []), 'a b'],
    ['a group around one that is not closed', planOf('g { h { a } }', { keys: { g } }), 'g h a g:check'],
    ['a plan without tasks', { ...planOf('a', { finish: 'push' }), tasks: [] }, 'finish'],
    ['the plan', planOf('a | b', { finish: 'push' }), 'a b finish'],
    ['names that are taken', planOf('finish, finish.2', { finish: 'push' }), 'finish finish.2 finish-2'],
  ])('%s', (_, plan, expected) => {
    expect(ids(plan).join(' ')).toBe(expected);
  });

  it('groups and parents are the same tasks as before', () => {
    const { tasks } = withClosingTasks(planOf('g { h { a }, b }, k { c }', { keys: { g, h: g, k: g } }));
    expect(tasks.map(({ id, parent }) => `${id} in ${parent === undefined ? '-' : tasks[parent]!.id}`).join(', ')).toBe(
      'g in -, h in g, a in h, h:check in h, b in g, g:check in g, k in -, c in k, k:check in k',
    );
  });

  it('a plan that has them stays as it is', () => {
    const plan = withClosingTasks(planOf('g { a }', { keys: { g } }));
    expect(withClosingTasks(plan)).toBe(plan);
  });

  it('the first check is what it runs, the others are its checks; keys of the group hold', () => {
    const keys = { ...g, review: 'agent', env: { A: '1' }, accept: ['all'], onFailure: 'skip' } as const;
    const task = withClosingTasks(planOf('g* { a }', { keys: { g: keys } })).tasks[2];
    expect(task).toMatchObject({ optional: true, closes: 'group', title: 'Check of Task g' });
    const { check: _, ...own } = keys;
    expect(task!.keys).toEqual({ run: 'one', check: ['two'], retries: 0, timeoutMs: 600_000, ...own });
  });

  it('a phase without a name has words for it', () => {
    const plan = planOf('a');
    const tasks = withClosingTasks({ ...plan, phases: [{ name: '', check: ['x'] }] }).tasks;
    expect(tasks[1]!.title).toBe('Check of the tasks without a phase');
  });
});

describe('what they wait for', () => {
  it('the last step of a plan without tasks waits for nothing', () => {
    const scenario = verifying('a', {}, { finish: 'push' }).skips('a').ends('a', { kind: 'lost' });
    const empty = { ...planOf('a', { finish: 'push' }), tasks: [] };
    expect(scenario.load(empty, 'r2').goOn().going()).toEqual(['finish#1']);
  });

  const last = { finish: 'push' };

  it('the last step waits for everything, under every order', () => {
    for (const order of ['explicit', 'phases', 'spec-kit', 'sequential'] as const) {
      const scenario = verifying('a, g { b } | c*', { g }, { ...last, order, phases: { 1: { check: ['x'] } } });
      const seen: string[] = [];
      for (let going = scenario.going(); going.length > 0; going = scenario.going()) {
        seen.push(going[0]!);
        scenario.ends(going[0]!.split('#')[0]!);
      }
      expect([scenario.outcome(), seen.at(-1), seen.length]).toEqual(['complete', 'finish#1', 7]);
      expect(seen.indexOf('g:check#1')).toBeGreaterThan(seen.indexOf('b#1'));
      expect(seen.indexOf('phase-1:check#1')).toBeGreaterThan(seen.indexOf('g:check#1 check 0'));
    }
  });

  it.each<[string, VerifyScenario, string]>([
    ['a failure', verifying('a, b', { a: once }, last).ends('b').ends('a', 1), 'blocked'],
    ['a skip', verifying('a, b', {}, last).ends('b').skips('a').ends('a', { kind: 'lost' }), 'in_progress'],
    ['an optional failure', verifying('a*, b', { a: once }, last).ends('b').ends('a', 1), 'in_progress'],
    ['only skips', verifying('-a, -b', {}, last), 'in_progress'],
  ])('the last step after %s', (_, scenario, status) => {
    expect(scenario.status('finish')).toBe(status);
  });

  it('a failure that only the last step waits for is asked about', () => {
    const scenario = verifying('a', { a: once }, last).ends('a', 1);
    expect([scenario.asked(), scenario.decision().blocks.tasks, scenario.outcome()]).toEqual([
      ['d1 failure a'],
      ['finish'],
      'stuck',
    ]);
  });

  it('the check of a group whose parts were all skipped is run: it says how things stand', () => {
    expect(verifying('g { a }', { g }).skips('a').ends('a', { kind: 'lost' }).going()).toEqual(['g:check#1']);
  });

  it('a skip of the group skips its check', () => {
    expect(verifying('g { a }', { g }).skips('g').ends('a', { kind: 'lost' }).outcome()).toBe('complete');
  });

  it('what needs a group waits for its check', () => {
    const scenario = verifying('g { a }, b → g', { g }).ends('a');
    expect([scenario.going(), scenario.status('b'), scenario.status('g')]).toEqual([
      ['g:check#1'],
      'pending',
      'in_progress',
    ]);
    expect(scenario.ends('g:check').ends('g:check').going()).toEqual(['b#1']);
  });

  it('the review of a group comes after its check', () => {
    const scenario = verifying('g { a }', { g: { check: ['one'], review: 'agent' } })
      .ends('a')
      .ends('g:check');
    expect(scenario.says('g:check', 'approved').outcome()).toBe('complete');
  });
});

describe('what they come to', () => {
  it.each<[string, VerifyScenario, string]>([
    ['a group’s check that failed', verifying('g { a }', { g }).ends('a').ends('g:check', 1), 'failed'],
    [
      'an optional group’s check that failed',
      verifying('g* { a }, b', { g }).ends('b').ends('a').ends('g:check', 1),
      'complete',
    ],
    [
      'an optional group’s check that is suspended',
      verifying('g* { a }, b', { g }).ends('b').ends('a').suspends('g:check').ends('g:check', { kind: 'lost' }),
      'complete',
    ],
    ['a last step that failed', verifying('a', {}, { finish: 'push' }).ends('a').ends('finish', 1), 'failed'],
    ['a last step that cannot run', verifying('a', { a: once }, { finish: 'push' }).ends('a', 1), 'stuck'],
  ])('%s', (_, scenario, outcome) => {
    expect(scenario.outcome()).toBe(outcome);
  });

  it('they count in no summary', () => {
    const scenario = verifying('g { a }', { g }, { finish: 'push' }).ends('a');
    expect(summaryOf(scenario.plan)).toMatchObject({ totalTasks: 1, completed: 1, in_progress: 0 });
  });

  it('a selection is about those inside it, and about no others', () => {
    const only = (id: string) => ({ finish: 'push', selection: { only: [id as never] } });
    expect(verifying('g { a }, b', { g }, only('a')).ends('a').outcome()).toBe('complete');
    expect(verifying('g { a }, b', { g }, only('g')).ends('a').going()).toEqual(['g:check#1']);
    const from = { finish: 'push', selection: { from: 'b' as never } };
    expect(verifying('+a, b', {}, from).ends('b').going()).toEqual(['finish#1']);
  });

  it('a failed one stops a selection it belongs to', () => {
    const only = { selection: { only: ['g' as never] } };
    expect(verifying('g { a }, b', { g }, only).ends('a').ends('g:check', 1).outcome()).toBe('failed');
  });
});

describe('what they proved holds only for what was there', () => {
  const done = () =>
    verifying('g { a, b }', { g: { check: ['one'] } }, { finish: 'push', phases: { 1: { check: ['x'] } } })
      .skips('b')
      .ends('b', { kind: 'lost' })
      .ends('a')
      .ends('g:check')
      .ends('phase-1:check')
      .ends('finish');

  it('a retry inside is checked again, from the group to the last step', () => {
    const scenario = done();
    expect(scenario.outcome()).toBe('complete');
    expect(scenario.retry('b').statuses()).toEqual({ completed: 'a', pending: 'b g:check phase-1:check finish' });
    scenario.runAgain();
    for (const id of ['b', 'g:check', 'phase-1:check', 'finish']) scenario.ends(id);
    expect([scenario.outcome(), scenario.task('finish').attempts]).toEqual(['complete', 2]);
  });

  it('a retry of the last step itself touches nothing else', () => {
    expect(done().skip('finish').retry('finish').statuses()).toMatchObject({
      completed: 'a g:check phase-1:check',
      pending: 'finish',
    });
  });

  it('one that a person skipped stays skipped', () => {
    expect(done().skip('g:check').retry('b').status('g:check')).toBe('skipped');
  });

  const edited = (change: (plan: Plan) => Plan) => {
    const scenario = done();
    const { plan } = scenario.plan;
    const tasks = plan.tasks.filter(({ closes }) => closes === undefined);
    return scenario.load(change({ ...plan, tasks }), 'r2');
  };

  it('an edit elsewhere leaves it', () => {
    expect(edited((plan) => plan).statuses()).toEqual({ completed: 'a g:check phase-1:check finish', skipped: 'b' });
  });

  it('a task that is added is checked too', () => {
    const added = (plan: Plan): Plan => ({ ...plan, tasks: [...plan.tasks, { ...plan.tasks[1]!, id: 'c' as never }] });
    expect(edited(added).statuses()).toEqual({
      completed: 'a',
      skipped: 'b',
      pending: 'c g:check phase-1:check finish',
    });
  });

  it('another command is run, with a number of its own', () => {
    const other = (plan: Plan): Plan => ({ ...plan, phases: [{ ...plan.phases[0]!, check: ['y'] }] });
    const scenario = edited(other).runAgain();
    expect(scenario.going()).toEqual(['phase-1:check#2']);
  });

  it('a check that is taken away is gone, and one that is added is run', () => {
    const without = (plan: Plan): Plan => ({ ...plan, phases: [{ name: 'Phase 1' }] });
    const scenario = edited(without);
    expect(scenario.index('phase-1:check')).toBeUndefined();
    expect(scenario.load(done().plan.plan, 'r3').runAgain().going()).toEqual(['phase-1:check#1']);
  });

  it.each(['low', 'high'] as const)(
    'a rejection of what was there before, %s, is nobody’s concern: it runs again',
    (severity) => {
      const keys = { g: { check: ['one', 'two'], review: 'agent' } } as const;
      const scenario = verifying('g { a }', keys).ends('a').ends('g:check');
      const changed = { g: { ...keys.g, check: ['one', 'three'] } };
      scenario.load(planOf('g { a }', { keys: changed }), 'r2').goOn();
      // The check with which it was started goes on, and so does the review.
      expect(scenario.going()).toEqual(['g:check#1 check 0']);
      scenario.ends('g:check');
      expect(scenario.going()).toEqual(['g:check#1 review']);
      scenario.says('g:check', severity);
      expect([scenario.going(), scenario.asked()]).toEqual([['g:check#2'], []]);
      expect(scenario.events.filter(({ type }) => type === 'retry-scheduled')).toMatchObject([{ because: 'edited' }]);
    },
  );

  it('one that runs while its command is edited keeps its place until it has ended', () => {
    const scenario = verifying('a', {}, { phases: { 1: { check: ['x'] } } }).ends('a');
    const { plan } = scenario.plan;
    const tasks = plan.tasks.filter(({ closes }) => closes === undefined);
    scenario.load({ ...plan, tasks, phases: [{ name: 'Phase 1', check: ['y'] }] }, 'r2').goOn();
    expect(scenario.going()).toEqual(['phase-1:check#1']);
  });
});
