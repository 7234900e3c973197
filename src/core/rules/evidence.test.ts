// What is remembered of proofs and of what agents did, beside the tables of the rules.
import { describe, expect, it } from 'vitest';
import { begin, planOf } from '../../../test/scenario.ts';
import type { AgentReport } from '../model/agent-result.ts';
import type { Evidence } from '../model/failure.ts';
import type { TaskKeys } from '../model/plan.ts';
import { withClosingTasks } from '../state/closing-tasks.ts';

describe('the last step', () => {
  const lastOf = (more: object) => withClosingTasks({ ...planOf('a'), ...more }).tasks.at(-1)!;

  it('is a command', () => {
    expect(lastOf({ finish: 'make' })).toMatchObject({ closes: 'plan', keys: { run: 'make', retries: 0 } });
  });

  it('is performed by an agent when it names one', () => {
    const { keys } = lastOf({ finish: 'closer', finishAgent: true });
    expect([keys.agent, keys.run]).toEqual(['closer', undefined]);
  });
});

describe('an attempt that ended well', () => {
  const verdict = (keys: TaskKeys, evidence: Evidence | null) => {
    const scenario = begin(planOf('a', { keys: { a: { ...keys, retries: 0 } } })).schedule('a');
    const { plan, task, attempt, token, run } = scenario.live('a');
    const end = { kind: 'exited', code: 0 } as const;
    const more = evidence === null ? {} : { evidence };
    scenario.record({ type: 'attempt-ended', v: 1, plan, task, attempt, token, run, end, ...more }).settle();
    const { failure } = scenario.task('a');
    if (failure?.kind === 'nothing-done') return `nothing-done: ${failure.lacks}`;
    return failure?.kind ?? scenario.status('a');
  };

  it.each<[string, Evidence | null]>([
    ['nothing-done: calls', { changed: false, toolCalls: 0, output: true }],
    ['nothing-done: change', { changed: false, output: false }],
    ['nothing-done: change', { changed: false, toolCalls: 1, output: true }],
    ['nothing-done: proof', { toolCalls: 3, output: true }],
    ['completed', { changed: true, toolCalls: 0, output: false }],
    ['nothing-done: owner', { unclear: true, toolCalls: 3, output: true }],
    ['completed', null],
  ])('is %s with %j', (wanted, evidence) => {
    expect(verdict({ agent: 'x' }, evidence)).toBe(wanted);
  });

  it.each<[string, Evidence]>([
    ['completed', { answered: true, changed: false }],
    ['nothing-done: text', { answered: false, changed: true }],
    ['nothing-done: text', { changed: true }],
    ['nothing-done: text', { unclear: true, answered: false }],
  ])('and produces text is %s with %j', (wanted, evidence) => {
    expect(verdict({ agent: 'x', produces: 'text' }, evidence)).toBe(wanted);
  });

  it.each<[string, Evidence['audit']]>([
    ['completed', { files: [{ path: 'a.ts', finding: 'unlocked' }] }],
    ['audit', { files: [{ path: 'a.ts', finding: 'unlocked' }], fails: true }],
  ])('and wrote without a lock is %s with %j', (wanted, audit) => {
    expect(verdict({ agent: 'x' }, { changed: true, ...(audit ? { audit } : {}) })).toBe(wanted);
  });

  it('and wrote only what it had no lock on has failed because of that', () => {
    const audit = { files: [{ path: 'a.ts', finding: 'foreign' }], fails: true } as const;
    expect(verdict({ agent: 'x' }, { unclear: true, audit })).toBe('audit');
  });

  it('is checked first where nothing has changed: green is evidence', () => {
    expect(verdict({ agent: 'x', check: ['make'] }, { changed: false, output: true })).toBe('in_progress');
  });

  const said = (of: Omit<AgentReport, 'by'>): Evidence => ({ changed: true, agent: { by: 'x', ...of } });
  it.each<[string, Omit<AgentReport, 'by'>]>([
    ['completed', { class: 'done' }],
    ['agent', { class: 'no-result' }],
    ['suspended', { class: 'refused-tools', denied: ['Bash'] }],
    ['suspended', { class: 'asks', said: 'A or B?' }],
    ['pending', { class: 'no-conversation' }],
    ['agent', { class: 'overload' }],
    ['agent', { class: 'authentication' }],
    ['pending', { class: 'rate-limit' }],
  ])('is %s when a coding agent says %j', (wanted, report) => {
    expect(verdict({ agent: 'x' }, said(report))).toBe(wanted);
  });

  it('is completed, whatever is known, when it is a plain command', () => {
    expect(verdict({ run: 'true' }, { changed: false, output: false })).toBe('completed');
  });
});

describe('checks', () => {
  it('are remembered with their tokens, by which their logs are found', () => {
    const scenario = begin(planOf('a', { keys: { a: { run: 'x', check: ['one', 'two'], review: 'human' } } }));
    scenario.schedule('a').end('a', 0).goOn();
    for (const check of [0, 1]) {
      const { plan, run, task, attempt, token } = scenario.live('a');
      const about = { v: 1, plan, run, task, attempt, token } as const;
      const end = { kind: 'exited', code: 0 } as const;
      scenario.record({ type: 'check-ended', ...about, check, command: 'x', end, result: 'passed' }).goOn();
    }
    expect(scenario.task('a').ended).toMatchObject({ checks: 2, checkTokens: [2, 3] });
  });
});

describe('an attempt that was to be ended because it made the same call again and again', () => {
  it('and ended by itself before that has nothing to be put back', () => {
    const doom = { kind: 'looping', call: 'ls', times: 20 } as const;
    const scenario = begin('a').schedule('a').lock('a', 'a.txt').doom('a', doom).end('a', 0).settle();
    expect([scenario.state.salvage.size, scenario.status('a')]).toEqual([0, 'completed']);
  });
});

describe('reviews that are no answer', () => {
  const reviewed = (result: 'unreadable' | 'interrupted', problem?: string) => {
    const scenario = begin(planOf('a', { keys: { a: { run: 'x', review: 'agent', retries: 0 } } }))
      .schedule('a')
      .end('a', 0);
    for (let i = 0; i < 3; i++) {
      const { plan, run, task, attempt, token } = scenario.goOn().live('a');
      const about = { v: 1, plan, run, task, attempt, token, by: 'judge', result } as const;
      scenario.record({ type: 'review-ended', ...about, ...(problem === undefined ? {} : { problem }) });
    }
    return scenario.goOn().task('a').failure;
  };

  it('fail the attempt the third time, with what was wrong with them', () => {
    const message = 'its review was no answer: it printed no JSON object';
    expect(reviewed('unreadable', 'it printed no JSON object')).toEqual({ kind: 'review', message });
  });

  it('and so do those that did not end', () => {
    expect(reviewed('interrupted')).toEqual({ kind: 'review', message: 'what should prove it did not end' });
  });
});

describe('a rejected attempt', () => {
  it('is told what the review found, and not an older failure', () => {
    const scenario = begin(planOf('a', { keys: { a: { review: 'human' } } })).failOnce('a');
    scenario.schedule('a').end('a', 0).settle();
    expect(scenario.task('a').failure).not.toBeNull();
    const about = {
      v: 1,
      plan: scenario.plan.path,
      task: scenario.task('a').ended!.attempt.split('#')[0] as never,
    } as const;
    const { attempt } = scenario.task('a').ended!;
    const issues = [{ message: 'no tests' }];
    scenario
      .record({ type: 'review-ended', ...about, attempt, by: 'ann', result: 'rejected', severity: 'low', issues })
      .settle();
    expect(scenario.task('a')).toMatchObject({ failure: null, review: { verdict: 'rejected', issues } });
  });
});
