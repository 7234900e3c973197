import { describe, expect, it } from 'vitest';
import { begin, dawn, planOf, type Scenario } from '../../../test/scenario.ts';
import { verifying } from '../../../test/verify-scenario.ts';
import type { Choice, DecisionEvidence } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { AttemptId, DecisionId, TaskId } from '../model/ids.ts';
import { planPath } from '../model/ids.ts';
import type { TaskKeys } from '../model/plan.ts';
import type { Settings } from '../model/settings.ts';
import { explain } from './explain.ts';

const settings: Settings = { agents: {}, defaults: {}, unsupported: [] };
const why = (scenario: Scenario, id: string) =>
  explain(scenario.state, scenario.plan, scenario.index(id), settings).reasons;
const withKeys = (text: string, keys: Readonly<Record<string, TaskKeys>>) => begin(planOf(text, { keys }));
const endWell = (scenario: Scenario, ...ids: string[]) => {
  for (const id of ids) scenario.schedule(id).start(id).end(id, 0);
  return scenario;
};

describe('a task whose attempt has ended well', () => {
  it('is being checked', () => {
    const scenario = endWell(withKeys('a', { a: { run: 'x', check: ['one', 'two'] } }), 'a')
      .after(3)
      .goOn();
    const reason = { kind: 'running', attempt: 'a#1', since: dawn + 3, ending: false, check: 'one' };
    expect(why(scenario, 'a')).toEqual([reason]);
    scenario.live('a').doom = { kind: 'stop' };
    expect(why(scenario, 'a')).toEqual([{ ...reason, ending: true }]);
  });

  it('is being reviewed, one at a time, in the order of arrival', () => {
    const review = { run: 'x', review: 'agent' } as const;
    const scenario = endWell(withKeys('a, b, c', { a: review, b: review, c: review }), 'a', 'b', 'c').goOn();
    expect(why(scenario, 'a')).toEqual([{ kind: 'review', state: 'going-on', attempt: 'a#1', since: dawn }]);
    const waits = { kind: 'review', state: 'waiting', by: 'agent' };
    expect(why(scenario, 'b')).toEqual([{ ...waits, attempt: 'b#1', before: 1 }]);
    expect(why(scenario, 'c')).toEqual([{ ...waits, attempt: 'c#1', before: 2 }]);
  });

  it('is next for its review while no runner is there; one that only waits for its judgement is not before it', () => {
    const review = { run: 'x', review: 'agent' } as const;
    const scenario = endWell(withKeys('a, h, b', { b: review, h: { run: 'x', review: 'human' } }), 'a', 'h', 'b');
    expect(why(scenario, 'b')).toEqual([{ kind: 'review', state: 'waiting', by: 'agent', attempt: 'b#1', before: 0 }]);
  });

  it('waits for a person, first without and then with a question', () => {
    const scenario = endWell(withKeys('a, b → a', { a: { run: 'x', review: 'human' } }), 'a');
    const waits = { kind: 'review', state: 'waiting', by: 'human', attempt: 'a#1' };
    expect(why(scenario, 'a')).toEqual([{ ...waits, decision: null }]);
    scenario.settle();
    expect(why(scenario, 'a')).toEqual([{ ...waits, decision: 'd1' }]);
    expect(why(scenario, 'b')).toEqual([
      { kind: 'need', task: 'a', status: 'in_progress', causes: [] },
      { kind: 'decision', decision: 'd1', asks: 'review', task: 'a' },
    ]);
  });

  it('is as before when an attempt that was taken back still dies beside it', () => {
    const scenario = withKeys('a', { a: { run: 'x', review: 'human' } });
    endWell(scenario, 'a');
    scenario.task('a').live = { ...scenario.schedule('a').live('a') };
    scenario.task('a').ended = endWell(withKeys('a', { a: { run: 'x', review: 'human' } }), 'a').task('a').ended;
    expect(why(scenario, 'a')).toEqual([{ kind: 'running', attempt: 'a#2', since: dawn, ending: false }]);
  });
});

const question = (id: number, more: object): Event => ({
  type: 'decision-opened',
  v: 1,
  plan: planPath('plan.md'),
  decision: `d${id}` as DecisionId,
  kind: 'stuck',
  blocks: { count: 0, tasks: [] },
  goesOn: { count: 0, tasks: [] },
  options: ['abort'] as Choice[],
  ...more,
});

describe('decisions', () => {
  it('about the task itself, when it failed or is suspended', () => {
    const scenario = begin('a, b → a, s')
      .fail('a')
      .suspend('s')
      .record(question(1, { kind: 'failure', task: 'a' as TaskId }));
    scenario.record(question(2, { kind: 'rejection', task: 's' as TaskId }));
    expect(why(scenario, 'a').at(-1)).toEqual({ kind: 'decision', decision: 'd1', asks: 'failure', task: 'a' });
    expect(why(scenario, 's').at(-1)).toEqual({ kind: 'decision', decision: 'd2', asks: 'rejection', task: 's' });
  });

  it('about what it waits for, however deep, and about nothing else', () => {
    const scenario = begin('a, b → a, c → b, x')
      .fail('a')
      .record(question(1, { kind: 'failure', task: 'a' as TaskId }));
    expect(why(scenario, 'c').at(-1)).toEqual({ kind: 'decision', decision: 'd1', asks: 'failure', task: 'a' });
    expect(why(scenario, 'x')).toEqual([]);
  });

  it('about the plan: a loop holds everything, another question what it names', () => {
    const scenario = begin('a, b').record(question(1, { blocks: { count: 1, tasks: ['a'] } }));
    expect(why(scenario, 'a')).toEqual([{ kind: 'decision', decision: 'd1', asks: 'stuck', task: null }]);
    expect(why(scenario, 'b')).toEqual([]);
    const evidence: DecisionEvidence = { kind: 'no-progress', attempts: ['a#1' as AttemptId] };
    scenario.record(question(2, { kind: 'livelock', evidence }));
    expect(why(scenario, 'b')).toEqual([{ kind: 'decision', decision: 'd2', asks: 'livelock', task: null }]);
  });

  it('of a batch names what waits behind its phase', () => {
    const plan = planOf('a, b | c', { keys: { b: { run: 'x', retries: 0 } } });
    const phases = [{ name: 'One', batch: true }, { name: 'Two' }];
    const scenario = begin({ ...plan, phases });
    scenario.schedule('a', 'b').end('a', 0).end('b', 2).settle();
    expect([...scenario.plan.decisions.values()]).toMatchObject([
      { kind: 'batch', blocks: { count: 1, tasks: ['c'] } },
    ]);
    expect(why(scenario, 'c').at(-1)).toEqual({ kind: 'decision', decision: 'd1', asks: 'batch', task: null });
  });
});

describe('what the last review found', () => {
  it('is told while the task waits for its next attempt, and an approval is not', () => {
    const keys = { a: { run: 'x', review: 'human' } } as const;
    const issues = [{ message: 'no tests', file: 'a.ts' }];
    const verdict = { type: 'review-ended', v: 1, plan: planPath('plan.md'), task: 'a' as TaskId, by: 'ann' } as const;
    const scenario = endWell(withKeys('a', keys), 'a').settle();
    scenario.record({ ...verdict, attempt: 'a#1' as AttemptId, result: 'rejected', severity: 'low', issues }).settle();
    expect(why(scenario, 'a')).toEqual([{ kind: 'review', state: 'rejected', severity: 'low', issues }]);
    scenario.task('a').review = { verdict: 'approved' };
    expect(why(scenario, 'a')).toEqual([]);
  });
});

describe('why a task is being merged', () => {
  const isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '' };
  const work = { changed: true, work: { branch: 'tries/a.1', base: 'aaa', head: 'bbb' } };
  const keys = { a: { agent: 'ann' }, b: { agent: 'ann' } };

  it('says whose turn it is, and who comes before it', () => {
    const plan = verifying('a\nb', keys, { isolation }).ends('a', 0, work).ends('b', 0, work);
    expect(why(plan, 'a')).toEqual([
      { kind: 'merge', state: 'going-on', attempt: 'a#1', since: plan.live('a').scheduledAt },
    ]);
    expect(why(plan, 'b')).toEqual([{ kind: 'merge', state: 'waiting', attempt: 'b#1', before: 1, held: false }]);
  });

  it('says that a person has to answer first', () => {
    const plan = verifying('a', keys, { isolation }).ends('a', 0, work);
    plan.merges('a', { kind: 'held', because: { kind: 'checked-out', folder: '/w' } });
    expect(why(plan, 'a')[0]).toEqual({ kind: 'merge', state: 'waiting', attempt: 'a#1', before: 0, held: true });
  });
});
