// Budgets of attempts, tasks and runs: who starts, what is reserved, and how a run ends that cannot pay any more.
import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { explain } from '../explain/explain.ts';
import { heldBack } from '../explain/held-back.ts';
import type { AgentReport } from '../model/agent-result.ts';
import { taskId } from '../model/ids.ts';
import type { TaskKeys } from '../model/plan.ts';
import type { Limits } from '../model/run-event.ts';
import { emptySettings } from '../model/settings.ts';
import { createState } from '../state/evolve.ts';
import { pausedBy } from './outcome.ts';

const accounts = { ann: 'claude login', bob: 'codex login', jay: 'claude key' };
const by = (agent: string, more: TaskKeys = {}): TaskKeys => ({ agent, ...more });

type Keys = Readonly<Record<string, TaskKeys>>;

const running = (keys: Keys, limits: Partial<Limits>) =>
  verifying(Object.keys(keys).join(','), keys, { limits: { accounts, ...limits }, reviewAgent: 'jay' });

/** The attempt or review of the task ends, having cost so much. */
function costs(scenario: VerifyScenario, id: string, usd: number | undefined, more: Partial<AgentReport> = {}) {
  const said = { by: 'ann', class: 'done', ...(usd === undefined ? {} : { costUsd: usd }), ...more } as const;
  return scenario.ends(id, said.class === 'done' ? 0 : 1, { changed: true, agent: said });
}
const mostOf = (scenario: VerifyScenario, id: string) => {
  const { mostUsd, sharesBudget } = scenario.live(id);
  return [mostUsd, sharesBudget];
};
const whyOf = (scenario: VerifyScenario, id: string) =>
  explain(scenario.state, scenario.plan, scenario.index(id), emptySettings).reasons;
const shortOf = (of: string, budgetUsd: number, spentUsd: number, reservedUsd: number, mostUsd?: number) => [
  {
    kind: 'paused',
    by: 'signalbox',
    budget: { of, budgetUsd, spentUsd, reservedUsd, ...(mostUsd === undefined ? {} : { mostUsd }) },
  },
];

describe('the budget of an attempt', () => {
  it('is told to it, and is no more than its task has left', () => {
    const scenario = running(
      { a: by('ann'), b: by('ann', { budgetUsd: 1 }), c: by('bob') },
      { attemptUsd: { ann: 2 } },
    );
    expect(['a', 'b', 'c'].map((id) => mostOf(scenario, id))).toEqual([
      [2, undefined],
      [1, undefined],
      [undefined, undefined],
    ]);
  });

  it('that is used up is a failure of the attempt, and uses a retry', () => {
    const scenario = running({ a: by('ann', { retries: 1 }) }, { attemptUsd: { ann: 2 }, budgetUsd: 9 });
    costs(scenario, 'a', 2, { class: 'budget' });
    expect(scenario.task('a')).toMatchObject({ failures: 1, status: 'pending' });
    costs(scenario.wait(600_000), 'a', 2, { class: 'budget' });
    expect(scenario.task('a')).toMatchObject({ status: 'failed', failure: { kind: 'agent', class: 'budget' } });
  });
});

describe('the budget of a run', () => {
  it('lets start what fits beside what is spent and reserved', () => {
    const scenario = running({ a: by('ann'), b: by('ann'), c: by('ann') }, { attemptUsd: { ann: 2 }, budgetUsd: 5 });
    expect(scenario.going()).toEqual(['a#1', 'b#1']);
    expect(whyOf(scenario, 'c')).toEqual(shortOf('run', 5, 0, 4, 2));
    expect(heldBack(scenario.state, scenario.plan)).toEqual([
      { kind: 'budget', budgetUsd: 5, spentUsd: 0, reservedUsd: 4, mostUsd: 2, tasks: 1 },
    ]);
    costs(scenario, 'a', 1);
    expect(scenario.going()).toEqual(['b#1', 'c#1']);
    costs(costs(scenario, 'b', 2), 'c', 2);
    expect(scenario.plan.run!.ended).toMatchObject({ outcome: 'complete', exitCode: 0 });
    expect(scenario.task('b').spent).toBe(2);
  });

  it('ends the run paused, exit 6, when nothing that is left can be paid', () => {
    const scenario = running({ a: by('ann'), b: by('ann'), c: by('ann') }, { attemptUsd: { ann: 2 }, budgetUsd: 3 });
    costs(scenario, 'a', 2);
    expect(scenario.plan.run!.ended).toMatchObject({ outcome: 'paused', exitCode: 6 });
    expect(pausedBy(scenario.state, scenario.plan)).toBe('budget');
    expect(heldBack(scenario.state, scenario.plan)).toMatchObject([{ kind: 'budget', spentUsd: 2, tasks: 2 }]);
    expect(whyOf(scenario, 'b')).toEqual(shortOf('run', 3, 2, 0, 2));
  });

  it('is what an attempt without a limit of its own may cost; nothing is reserved for that', () => {
    const scenario = running({ a: by('ann'), b: by('ann'), c: by('ann') }, { plan: 2, budgetUsd: 3 });
    expect([mostOf(scenario, 'a'), mostOf(scenario, 'b')]).toEqual([
      [3, true],
      [3, true],
    ]);
    costs(scenario, 'a', 1);
    expect(mostOf(scenario, 'c')).toEqual([2, true]);
    costs(costs(scenario, 'b', 2), 'c', 0.5);
    expect(scenario.outcome()).toBe('complete');
  });

  it('that an agent has used up costs no retry, and the task goes on in the next run', () => {
    const scenario = running({ a: by('ann', { retries: 0 }), b: by('ann') }, { plan: 1, budgetUsd: 3 });
    costs(scenario, 'a', 3.1, { class: 'budget' });
    expect(scenario.task('a')).toMatchObject({ status: 'pending', failures: 0 });
    expect(scenario.events.filter(({ type }) => type === 'retry-scheduled')).toMatchObject([{ because: 'budget' }]);
    expect(scenario.outcome()).toBe('paused');
    scenario.runAgain({ limits: { accounts, budgetUsd: 3 } });
    expect(scenario.going()).toEqual(['a#2', 'b#1']);
  });

  it('does not count what plain commands and other programs do, and lets them go on', () => {
    const scenario = running({ a: by('ann'), b: by('other'), c: { run: 'true' } }, { plan: 1, budgetUsd: 1 });
    costs(scenario, 'a', 1);
    scenario.ends('b', 0, { changed: true }).ends('c');
    expect(scenario.outcome()).toBe('complete');
  });

  it('cannot count what it does not know', () => {
    const scenario = running({ a: by('bob'), b: by('bob') }, { plan: 1, budgetUsd: 1 });
    costs(scenario, 'a', undefined);
    expect(scenario.going()).toEqual(['b#1']);
    expect(scenario.plan.run!.spent).toEqual({ usd: 0, priced: 0, unknown: 1 });
  });

  it('waits for those who wait for a time and can be paid, and for no others', () => {
    const keys = { a: by('ann'), b: { run: 'false', retries: 1 }, c: by('ann') };
    const scenario = running(keys, { plan: 2, budgetUsd: 1 });
    costs(scenario, 'a', 1);
    scenario.ends('b', 1);
    expect([scenario.outcome(), scenario.going()]).toEqual([null, []]);
    scenario.wait(600_000).ends('b');
    expect(scenario.outcome()).toBe('paused');
    const other = running({ a: by('ann', { retries: 1 }) }, { budgetUsd: 1 });
    costs(other, 'a', 1, { class: 'crash' });
    expect(other.outcome()).toBe('paused');
    expect(heldBack(other.state, other.plan)).toMatchObject([{ kind: 'budget', tasks: 1 }]);
  });

  it('goes on counting when the process of the run died, and begins anew after one that ended', () => {
    const rules = { limits: { accounts, plan: 1, budgetUsd: 3 } };
    const scenario = running({ a: by('ann'), b: by('ann'), c: by('ann') }, rules.limits);
    costs(scenario, 'a', 2);
    scenario.runAgain({ ...rules, carriesOn: true }, 'run-2');
    expect(scenario.plan.run!.spent).toEqual({ usd: 2, priced: 1, unknown: 0 });
    costs(scenario, 'b', 1);
    expect(scenario.outcome()).toBe('paused');
    scenario.runAgain(rules, 'run-3');
    expect([scenario.plan.run!.spent.usd, scenario.going()]).toEqual([0, ['c#1']]);
  });

  it('knows of no run before the first', () => {
    const scenario = new VerifyScenario(planOf('a', { keys: { a: by('ann', { budgetUsd: 1 }) } }), createState());
    scenario.load().beginRun({ carriesOn: true, limits: { accounts } });
    expect(scenario.plan.run!.spent.usd).toBe(0);
  });
});

describe('the budget of a task', () => {
  it('counts all of its attempts in all runs, and holds back nobody else', () => {
    const keys = { a: by('ann', { budgetUsd: 3, retries: 5 }), b: by('ann') };
    const scenario = running(keys, {});
    costs(scenario, 'a', 2, { class: 'crash' });
    scenario.wait(600_000);
    expect(mostOf(scenario, 'a')).toEqual([1, undefined]);
    costs(scenario, 'a', 1, { class: 'budget' });
    expect(scenario.task('a')).toMatchObject({ status: 'pending', failures: 1, spent: 3 });
    expect(whyOf(scenario, 'a')).toEqual(shortOf('task', 3, 3, 0));
    expect([scenario.outcome(), scenario.going()]).toEqual([null, ['b#1']]);
    costs(scenario, 'b', 1);
    expect(scenario.outcome()).toBe('paused');
    expect(heldBack(scenario.state, scenario.plan)).toEqual([
      { kind: 'budget', task: 'a', budgetUsd: 3, spentUsd: 3, reservedUsd: 0, tasks: 1 },
    ]);
    scenario.runAgain({ limits: { accounts } });
    expect([scenario.outcome(), scenario.going()]).toEqual(['paused', []]);
    const larger = planOf('a,b', { keys: { ...keys, a: by('ann', { budgetUsd: 4 }) } });
    scenario.load(larger, 'r2').runAgain({ limits: { accounts } }, 'run-3');
    expect(mostOf(scenario, 'a')).toEqual([1, undefined]);
  });

  it('that is more than the run has left keeps it from starting', () => {
    const scenario = running({ a: by('ann', { budgetUsd: 5 }) }, { budgetUsd: 3 });
    expect(scenario.outcome()).toBe('paused');
    expect(whyOf(scenario, 'a')).toEqual(shortOf('run', 3, 0, 0, 5));
  });

  it('is forgotten with a task that is no longer in the plan', () => {
    const scenario = running({ a: by('ann'), b: by('ann') }, { budgetUsd: 3 });
    const { plan, run, task, attempt, token } = scenario.live('b');
    scenario.load(planOf('a', { keys: { a: by('ann') } }), 'r2');
    const agent = { by: 'ann', class: 'done', costUsd: 1 } as const;
    const end = { kind: 'exited', code: 0 } as const;
    scenario.record({ type: 'attempt-ended', v: 1, plan, run, task, attempt, token, end, evidence: { agent } });
    expect(scenario.plan.run!.spent.usd).toBe(1);
  });
});

it('what an attempt costs that no run knows is that of its task', () => {
  const scenario = new VerifyScenario(planOf('a', { keys: { a: by('ann') } }), createState()).load().schedule('a');
  const { plan, run, task, attempt, token } = scenario.live('a');
  const agent = { by: 'ann', class: 'done', costUsd: 1 } as const;
  const end = { kind: 'exited', code: 0 } as const;
  scenario.record({ type: 'attempt-ended', v: 1, plan, run, task, attempt, token, end, evidence: { agent } });
  expect([scenario.plan.run, scenario.task('a').spent]).toEqual([null, 1]);
});

describe('a review by a coding agent', () => {
  const keys = { a: by('ann', { review: 'agent' }) };

  it('is charged to its task and to the run, and told what it may cost', () => {
    const scenario = running(
      { a: by('ann', { review: 'agent', budgetUsd: 4 }) },
      { attemptUsd: { jay: 1 }, budgetUsd: 9 },
    );
    costs(scenario, 'a', 2);
    expect(scenario.going()).toEqual(['a#1 review']);
    expect(scenario.live('a')).toMatchObject({ mostUsd: 1, account: 'claude key' });
    scenario.says('a', 'approved', '', undefined, { by: 'jay', class: 'done', costUsd: 0.5 });
    expect([scenario.outcome(), scenario.task('a').spent]).toEqual(['complete', 2.5]);
    expect(scenario.plan.run!.spent).toEqual({ usd: 2.5, priced: 2, unknown: 0 });
  });

  it('that cannot be paid waits for more, and the run ends paused', () => {
    const scenario = running(keys, { budgetUsd: 2 });
    costs(scenario, 'a', 2);
    expect([scenario.outcome(), pausedBy(scenario.state, scenario.plan)]).toEqual(['paused', 'budget']);
    expect(whyOf(scenario, 'a')).toMatchObject([{ kind: 'review', state: 'waiting' }, ...shortOf('run', 2, 2, 0)]);
    expect(heldBack(scenario.state, scenario.plan)).toMatchObject([{ kind: 'budget', tasks: 1 }]);
    scenario.runAgain({ limits: { accounts, budgetUsd: 2 }, reviewAgent: 'jay' });
    expect(scenario.going()).toEqual(['a#1 review']);
  });

  it('that has used up the money of the run is repeated by the next one, at no cost', () => {
    const scenario = running(keys, { budgetUsd: 2 });
    costs(scenario, 'a', 1);
    scenario.reviewed('a', { by: 'jay', class: 'budget', costUsd: 1 });
    expect([scenario.outcome(), scenario.task('a').ended!.interrupted]).toEqual(['paused', 0]);
  });

  it.each([
    ['its own budget', { attemptUsd: { jay: 1 } }, { class: 'budget', costUsd: 1 }],
    ['money that nobody counts', { budgetUsd: 9 }, { class: 'budget' }],
    ['all of its turns', {}, { class: 'max-turns', said: 'Reached maximum number of turns' }],
  ] as const)('that has used up %s is no answer', (_, limits, agent) => {
    const scenario = running(keys, limits);
    costs(scenario, 'a', 1);
    scenario.reviewed('a', { by: 'jay', ...agent });
    expect(scenario.task('a').ended).toMatchObject({ interrupted: 1, problem: expect.stringMatching(/ended badly/) });
    expect(scenario.going()).toEqual(['a#1 review']);
  });

  it('waits for the limit of its account, costs nothing, and takes place afterwards', () => {
    const scenario = running(keys, {});
    const resetsAt = scenario.time + 60_000;
    costs(scenario, 'a', 1);
    scenario.reviewed('a', { by: 'jay', class: 'rate-limit', resetsAt, costUsd: 0.1 });
    expect(scenario.types().slice(-2)).toEqual(['review-ended', 'quota-paused']);
    const { until } = scenario.state.accounts.get('claude key')!;
    expect(until).toBeGreaterThanOrEqual(resetsAt);
    expect(scenario.events.at(-1)).toMatchObject({ account: 'claude key', until, attempt: 'a#1' });
    expect([scenario.outcome(), scenario.going(), scenario.task('a').ended!.interrupted]).toEqual([null, [], 0]);
    expect(whyOf(scenario, 'a')).toMatchObject([{ kind: 'review' }, { kind: 'quota', account: 'claude key' }]);
    expect(heldBack(scenario.state, scenario.plan)).toEqual([
      { kind: 'quota', account: 'claude key', until, tasks: 1 },
    ]);
    scenario.wait(until - scenario.time);
    expect(scenario.going()).toEqual(['a#1 review']);
    scenario.reviewed('a', { by: 'jay', class: 'rate-limit' });
    expect(scenario.events.at(-1)).toMatchObject({ type: 'quota-paused', guessed: true });
    scenario.wait(300_000).says('a', 'approved', '', undefined, { by: 'jay', class: 'done' });
    expect([scenario.outcome(), scenario.state.accounts.size]).toEqual(['complete', 0]);
  });

  it('at the limit of its account ends a run that does not wait for it', () => {
    const rules = { limits: { accounts }, reviewAgent: 'jay', stopsAtQuota: true } as const;
    const scenario = verifying('a', keys, rules);
    costs(scenario, 'a', 1);
    scenario.reviewed('a', { by: 'jay', class: 'rate-limit' });
    expect([scenario.outcome(), pausedBy(scenario.state, scenario.plan)]).toEqual(['paused', 'quota']);
  });

  it('whose account was closed before a run that does not wait for it ends that run', () => {
    const scenario = verifying('a', keys, { limits: { accounts }, reviewAgent: 'jay' });
    costs(scenario, 'a', 1);
    scenario.reviewed('a', { by: 'jay', class: 'rate-limit', resetsAt: scenario.time + 600_000 });
    expect(scenario.outcome()).toBeNull();
    scenario.runAgain({ limits: { accounts }, reviewAgent: 'jay', stopsAtQuota: true });
    expect([scenario.outcome(), pausedBy(scenario.state, scenario.plan)]).toEqual(['paused', 'quota']);
    scenario.runAgain({ limits: { accounts }, reviewAgent: 'jay' }, 'run-3');
    expect(scenario.outcome()).toBeNull();
  });

  it('whose account nobody knows proves nothing at its limit', () => {
    const scenario = verifying('a', keys, { limits: { accounts: { ann: 'claude login' } }, reviewAgent: 'jay' });
    costs(scenario, 'a', 1);
    scenario.reviewed('a', { by: 'jay', class: 'rate-limit' });
    expect(scenario.task('a').ended).toMatchObject({ interrupted: 1 });
  });

  it('of work by hand waits for the first run', () => {
    const scenario = new VerifyScenario(planOf('a', { keys }), createState()).load();
    const about = { v: 1, plan: scenario.plan.path, task: taskId('a'), attempt: 'a#1' as never, token: 1 } as const;
    scenario.record({ type: 'task-started', ...about, by: 'eve' } as never);
    scenario.record({ type: 'task-handed-in', ...about, by: 'eve', checks: 0 } as never);
    expect(whyOf(scenario, 'a')).toMatchObject([{ kind: 'review', state: 'waiting' }]);
    expect(heldBack(scenario.state, scenario.plan)).toEqual([]);
  });
});

describe('what keeps a paused run from going on', () => {
  it.each([
    ['person', (scenario: VerifyScenario) => scenario.pause()],
    ['attempts', (scenario: VerifyScenario) => scenario],
  ] as const)('a %s', (expected, first) => {
    const scenario = running({ a: by('ann'), b: by('ann') }, { plan: 1, maxAttempts: 1 });
    costs(first(scenario), 'a', 1);
    expect([scenario.outcome(), pausedBy(scenario.state, scenario.plan)]).toEqual(['paused', expected]);
  });
});

describe('what holds tasks back', () => {
  it('is nothing where no account is at its limit and no budget is set', () => {
    const scenario = running({ a: by('ann'), b: by('ann') }, { plan: 1 });
    expect(heldBack(scenario.state, scenario.plan)).toEqual([]);
  });

  it('is counted by account, for the tasks that were selected', () => {
    const scenario = running({ a: by('ann'), b: by('ann'), c: by('ann'), d: by('bob') }, { plan: 1 });
    const resetsAt = scenario.time + 60_000;
    costs(scenario, 'a', 1, { class: 'rate-limit', resetsAt });
    const { until } = scenario.state.accounts.get('claude login')!;
    const quota = { kind: 'quota', account: 'claude login', until };
    expect(heldBack(scenario.state, scenario.plan)).toEqual([{ ...quota, tasks: 3 }]);
    const selected = new Uint8Array([1, 1, 0, 1]);
    expect(heldBack(scenario.state, scenario.plan, selected)).toEqual([{ ...quota, tasks: 2 }]);
  });
});
