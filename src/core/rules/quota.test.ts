// Accounts of coding agents that reach their limit.
import { describe, expect, it } from 'vitest';
import { begin, firstRun, here, log, planOf, type Scenario } from '../../../test/scenario.ts';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { explain } from '../explain/explain.ts';
import type { AgentReport } from '../model/agent-result.ts';
import { runId, taskId } from '../model/ids.ts';
import type { QuotaPaused } from '../model/quota-event.ts';
import type { Limits } from '../model/run-event.ts';
import { emptySettings } from '../model/settings.ts';
import { outcomeOf, pausedBy } from './outcome.ts';
import { pauseAccount } from './quota.ts';
import { nextTimer } from './timers.ts';

const minute = 60_000;
const accounts = { ann: 'claude login', bob: 'claude login', cid: 'codex login' };
const limits = { plan: 9, pools: {}, accounts };
const keys = { a: { agent: 'ann' }, b: { agent: 'bob' }, c: { agent: 'cid' }, d: { run: 'true' } };

/** Tasks a and b share an account, c has another, d is a command. */
const started = (tasks = 'a b c d') => begin(planOf(tasks, { keys }), limits).goOn();

function ends(scenario: Scenario, id: string, agent: Omit<AgentReport, 'by'>): Scenario {
  const { plan, task, attempt, token, run } = scenario.live(id);
  const end = { kind: 'exited', code: agent.class === 'done' ? 0 : 1 } as const;
  const evidence = { changed: true, agent: { by: 'ann', ...agent } };
  return scenario.record({ type: 'attempt-ended', v: 1, plan, task, attempt, token, run, end, evidence }).goOn();
}

const whyOf = (scenario: Scenario, id: string) =>
  explain(scenario.state, scenario.plan, scenario.index(id), emptySettings).reasons;
/** Minutes that the account of task a was closed for, each time that it was tried and said this. */
function timesWaited(scenario: Scenario, says: (now: number) => Omit<AgentReport, 'by'>, times: number): number[] {
  return Array.from({ length: times }, () => {
    ends(scenario, 'a', says(scenario.time));
    const { until } = scenario.state.accounts.get('claude login')!;
    const waited = until - scenario.time;
    scenario.after(waited).goOn();
    return waited / minute;
  });
}
/** By how much the account is closed longer than until its reset. */
const spreadIn = ({ state }: Scenario, resetsAt: number) => state.accounts.get('claude login')!.until - resetsAt;
const pauses = ({ events }: Scenario) => events.filter(({ type }) => type === 'quota-paused');

describe('what coding agents cost', () => {
  it('is summed up for the run, and attempts whose cost is not known are counted', () => {
    const scenario = started();
    ends(scenario, 'a', { class: 'done', costUsd: 0.5 });
    ends(scenario, 'b', { class: 'rate-limit', costUsd: 0.25 });
    ends(scenario, 'c', { class: 'done' });
    expect(scenario.plan.run!.spent).toEqual({ usd: 0.75, priced: 2, unknown: 1 });
  });
});

describe('an account that has reached its limit', () => {
  it('that nobody knows any more is opened without harm', () => {
    const scenario = started('a');
    scenario.record({ type: 'quota-resumed', v: 1, plan: scenario.plan.path, account: 'another' });
    expect(scenario.state.accounts.size).toBe(0);
  });

  it('starts nothing until its reset, costs no attempt, and holds nobody else up', () => {
    const scenario = started();
    const resetsAt = scenario.time + 10 * minute;
    ends(scenario, 'a', { class: 'rate-limit', resetsAt });
    expect(scenario.status('a')).toBe('pending');
    expect(scenario.task('a')).toMatchObject({ failures: 0, lost: 0, notBefore: 0 });
    for (const id of ['b', 'c', 'd']) expect(scenario.status(id)).toBe('in_progress');
    const until = resetsAt + spreadIn(scenario, resetsAt);
    expect(nextTimer(scenario.state)).toBe(until);
    expect(whyOf(scenario, 'a')).toEqual([{ kind: 'quota', account: 'claude login', until }]);
  });

  it('is tried by one when its time is over, and the others follow when that one was not limited', () => {
    const scenario = started();
    const resetsAt = scenario.time + 10 * minute;
    ends(scenario, 'a', { class: 'rate-limit', resetsAt });
    ends(scenario, 'b', { class: 'rate-limit', resetsAt });
    scenario.after(10 * minute + spreadIn(scenario, resetsAt) - 1).goOn();
    expect(scenario.statuses()).toMatchObject({ pending: 'a b' });
    scenario.after(1).goOn();
    expect([scenario.status('a'), scenario.status('b')]).toEqual(['in_progress', 'pending']);
    expect(whyOf(scenario, 'b')).toEqual([{ kind: 'quota', account: 'claude login', until: 0 }]);
    expect(nextTimer(scenario.state)).toBeGreaterThan(scenario.time + 10 * minute);
    ends(scenario, 'a', { class: 'done' });
    expect([scenario.status('a'), scenario.status('b')]).toEqual(['completed', 'in_progress']);
    expect(scenario.state.accounts.size).toBe(0);
  });

  it('is closed some seconds longer than it says, and otherwise long in another run: machines do not all try at one moment', () => {
    const scenario = started('a');
    const { plan: path, task, attempt, token, run: own } = scenario.live('a');
    const end = { kind: 'exited', code: 1 } as const;
    scenario.record({ type: 'attempt-ended', v: 1, plan: path, task, attempt, token, run: own, end });
    const { state, plan, time } = scenario;
    const spreadOf = (run: string, minutes: number) => {
      const [known] = plan.tasks;
      const other = { ...plan, tasks: [{ ...known!, ended: { ...known!.ended!, run: runId(run) } }] };
      const [paused] = pauseAccount(state, other, 0, time + minutes * minute, time);
      expect(paused).not.toHaveProperty('guessed');
      return (paused as QuotaPaused).until - time - minutes * minute;
    };
    const runs = Array.from({ length: 50 }, (_, n) => `r${n}`);
    const spreads = runs.map((run) => spreadOf(run, 300));
    expect(Math.min(...spreads)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...spreads)).toBeLessThanOrEqual(5_000);
    expect(new Set(spreads).size).toBeGreaterThan(40);
    // A short wait is not made much longer.
    const short = runs.map((run) => spreadOf(run, 0.1));
    expect(Math.min(...short)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...short)).toBeLessThanOrEqual(600);
  });

  it('holds back also a task that was handed to one of its agents', () => {
    const scenario = started('a c');
    ends(scenario, 'a', { class: 'rate-limit', resetsAt: scenario.time + 10 * minute });
    ends(scenario, 'c', { class: 'billing' });
    const retried = {
      type: 'task-retried',
      v: 1,
      plan: scenario.plan.path,
      task: taskId('c'),
      by: 'eve',
      agent: 'bob',
    } as const;
    scenario.record(retried).goOn();
    expect(scenario.status('c')).toBe('pending');
    expect(whyOf(scenario, 'c')).toMatchObject([{ kind: 'quota', account: 'claude login' }]);
  });

  it('is closed again, longer each time, when nobody says until when', () => {
    const scenario = started('a');
    const waited = timesWaited(scenario, () => ({ class: 'rate-limit' }), 8);
    [1, 2, 4, 8, 16, 30, 30, 30].forEach((minutes, n) => {
      expect(waited[n]).toBeGreaterThanOrEqual(0.8 * minutes);
      expect(waited[n]).toBeLessThanOrEqual(1.2 * minutes);
    });
    // Two workspaces that share an account do not try it at the same moment for ever.
    expect(new Set(waited.slice(5)).size).toBe(3);
    expect(pauses(scenario)).toHaveLength(8);
    expect(pauses(scenario)[0]).toMatchObject({ guessed: true, task: 'a', attempt: 'a#1' });
    expect(scenario.task('a')).toMatchObject({ failures: 0, attempts: 9 });
  });

  it('believes no reset that has passed', () => {
    const scenario = started('a');
    ends(scenario, 'a', { class: 'rate-limit', resetsAt: scenario.time - 1 });
    expect(pauses(scenario)[0]).toMatchObject({ guessed: true });
    expect(scenario.state.accounts.get('claude login')!.until).toBeGreaterThan(scenario.time + 50_000);
  });

  it('is closed longer each time, when the resets that it names are not kept', () => {
    const waited = timesWaited(started('a'), (now) => ({ class: 'rate-limit', resetsAt: now + 1_000 }), 6);
    for (const minutes of waited.slice(0, 3)) {
      expect(minutes).toBeGreaterThanOrEqual(1 / 60);
      expect(minutes).toBeLessThanOrEqual(1.1 / 60);
    }
    expect(Math.min(...waited.slice(3))).toBeGreaterThan(6);
  });

  it('believes a reset however often it was tried before, if that is later than the next try would be', () => {
    const waited = timesWaited(started('a'), (now) => ({ class: 'rate-limit', resetsAt: now + 300 * minute }), 6);
    expect(waited).toHaveLength(6);
    for (const minutes of waited) {
      expect(minutes).toBeGreaterThanOrEqual(300);
      expect(minutes).toBeLessThanOrEqual(300 + 5 / 60);
    }
  });

  /** Five attempts on one account, all started before it was closed. */
  const together = () => {
    const one = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, { agent: 'ann' }]));
    return begin(planOf('a b c d e', { keys: one }), limits).goOn();
  };

  it('keeps the reset that all of its attempts were told, however many they are', () => {
    const scenario = together();
    const resetsAt = scenario.time + 50 * minute;
    for (const id of ['a', 'b', 'c', 'd', 'e']) ends(scenario, id, { class: 'rate-limit', resetsAt });
    expect(pauses(scenario)).toHaveLength(5);
    const until = resetsAt + spreadIn(scenario, resetsAt);
    for (const paused of pauses(scenario)) {
      expect(paused).toMatchObject({ until });
      expect(paused).not.toHaveProperty('guessed');
    }
    expect(scenario.state.accounts.get('claude login')).toMatchObject({ until, times: 1 });
  });

  it.each<[string, readonly (number | null)[], number]>([
    ['a reset is not replaced by a guess', [50, null, null, null], 50],
    ['a short reset neither', [0.01, null], 0.01],
    ['a guess gives way to a reset', [null, 50, null], 50],
    ['the latest reset counts: one of a week outlasts one of five hours', [50, 900, 50], 900],
  ])('of attempts that it closed for together: %s', (_, resets, expected) => {
    const scenario = together();
    const { time } = scenario;
    resets.forEach((minutes, n) => {
      const said = minutes === null ? {} : { resetsAt: time + minutes * minute };
      ends(scenario, 'abcde'[n]!, { class: 'rate-limit', ...said });
    });
    const pause = scenario.state.accounts.get('claude login')!;
    const resetsAt = time + expected * minute;
    expect(pause.times).toBe(1);
    expect(pause.until).toBeGreaterThanOrEqual(resetsAt);
    expect(pause.until).toBeLessThanOrEqual(resetsAt + Math.min(5_000, (resetsAt - time) / 10));
    expect(pauses(scenario).at(-1)).toMatchObject({ until: pause.until });
  });

  it('is guessed at once, not once more for each of them', () => {
    const scenario = together();
    for (const id of ['a', 'b', 'c', 'd', 'e']) ends(scenario, id, { class: 'rate-limit' });
    expect(new Set(pauses(scenario).map((paused) => 'until' in paused && paused.until)).size).toBe(1);
    expect(scenario.state.accounts.get('claude login')).toMatchObject({ times: 1 });
  });

  it('is closed again, but no longer than before, by an attempt that it closed for and that ends after its time', () => {
    const scenario = together();
    ends(scenario, 'a', { class: 'rate-limit' });
    scenario.after(2 * minute).goOn();
    expect(scenario.state.accounts.get('claude login')).toMatchObject({ isTried: true });
    ends(scenario, 'b', { class: 'rate-limit' });
    const { until, times } = scenario.state.accounts.get('claude login')!;
    expect(times).toBe(1);
    expect(until - scenario.time).toBeLessThanOrEqual(1.2 * minute);
  });

  it('ends a run that does not wait for it, paused, when what runs has ended', () => {
    const scenario = log(planOf('a b', { keys })).load();
    const run = { run: firstRun, runner: here, limits, stopsAtQuota: true } as const;
    scenario.record({ type: 'run-started', v: 1, plan: scenario.plan.path, ...run }).goOn();
    ends(scenario, 'a', { class: 'rate-limit' });
    expect(outcomeOf(scenario.state, scenario.plan)).toBeNull();
    ends(scenario, 'b', { class: 'done' });
    expect(scenario.plan.run!.ended).toMatchObject({ outcome: 'paused', exitCode: 6 });
  });

  describe('already when a run begins that does not wait for it', () => {
    /** The only attempt of an earlier run, which waited, has closed the account of a and b. */
    function closed(tasks: string, waitMs = 0, more: Partial<Limits> = {}): VerifyScenario {
      const scenario = verifying(tasks, keys, { limits: { accounts, plan: 1, maxAttempts: 1 } });
      ends(scenario, 'a', { class: 'rate-limit', resetsAt: scenario.time + 60 * minute });
      return scenario.after(waitMs).runAgain({ limits: { accounts, ...more }, stopsAtQuota: true });
    }
    const ended = ({ state, plan }: Scenario) => [plan.run!.ended?.exitCode, pausedBy(state, plan)];

    it('ends it at once', () => {
      expect(ended(closed('a b'))).toEqual([6, 'quota']);
    });

    it('lets it do what others can do first', () => {
      const scenario = closed('a d');
      expect([scenario.status('a'), scenario.status('d')]).toEqual(['pending', 'in_progress']);
      ends(scenario, 'd', { class: 'done' });
      expect(ended(scenario)).toEqual([6, 'quota']);
      expect(scenario.status('d')).toBe('completed');
    });

    it('ends it too where money is missing for the rest', () => {
      expect(ended(closed('a c', 0, { attemptUsd: { cid: 2 }, budgetUsd: 1 }))).toEqual([6, 'quota']);
      expect(ended(closed('a c', 0, { budgetUsd: 0 }))).toEqual([6, 'budget']);
    });

    it('lets one try it when its time is over', () => {
      const scenario = closed('a', 61 * minute);
      expect(scenario.status('a')).toBe('in_progress');
    });
  });

  it('is only waited for by its task when the run does not know it', () => {
    const scenario = begin(planOf('a', { keys }), { plan: 9, pools: {} }).goOn();
    const resetsAt = scenario.time + minute;
    ends(scenario, 'a', { class: 'rate-limit', resetsAt });
    const { notBefore, failures } = scenario.task('a');
    expect(failures).toBe(0);
    expect(notBefore).toBeGreaterThanOrEqual(resetsAt);
    expect(notBefore).toBeLessThanOrEqual(resetsAt + 5_000);
    expect(scenario.state.accounts.size).toBe(0);
  });
});
