// Questions close when what they are about has changed, and stay open under one number as long as it has not.
import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import { resumeTask } from '../commands/question.ts';
import { skipTask } from '../commands/steer.ts';
import type { TaskKeys } from '../model/plan.ts';

const once: TaskKeys = { run: 'true', retries: 0 };
const killed = { kind: 'killed', code: null } as const;
const ann = { by: 'ann' };

const stuck = (text = 'a, b → a', rules = {}) => verifying(text, {}, rules).suspends('a').ends('a', killed);

function tell(scenario: VerifyScenario, answer: ReturnType<typeof resumeTask>): VerifyScenario {
  if (!answer.ok) throw new Error(answer.because);
  return scenario.record(...answer.events).settle();
}
const resume = (scenario: VerifyScenario, id: string) =>
  tell(scenario, resumeTask(scenario.plan, scenario.index(id), ann));
const skip = (scenario: VerifyScenario, id: string, more = {}) =>
  tell(scenario, skipTask(scenario.plan, scenario.index(id), { ...ann, ...more }));

describe('a plan that is stuck', () => {
  it('keeps its question, with its number, over runs that change nothing', () => {
    const scenario = stuck();
    expect(scenario.asked()).toEqual(['d1 stuck']);
    for (const run of ['run-2', 'run-3']) {
      scenario.runAgain({}, run);
      expect([scenario.outcome(), scenario.asked()]).toEqual(['stuck', ['d1 stuck']]);
    }
  });

  it('needs no answer once something can start, without a run too', () => {
    expect(resume(stuck(), 'a').asked()).toEqual([]);
  });

  it('needs none once nothing is left that cannot start', () => {
    expect(skip(stuck(), 'a', { dependents: true }).asked()).toEqual([]);
  });

  it('is asked about anew, when less is stuck than before', () => {
    const scenario = skip(stuck('a, b → a, c'), 'a', { dependents: true });
    expect(scenario.asked()).toEqual([]);
    const other = verifying('a, b → a, c, d → c').suspends('a').suspends('c').ends('a', killed).ends('c', killed);
    expect([other.asked(), other.decision().blocks.count]).toEqual([['d1 stuck'], 4]);
    resume(other, 'c').runAgain().ends('c').ends('d');
    expect([other.outcome(), other.asked(), other.decision().blocks.tasks]).toEqual([
      'stuck',
      ['d2 stuck'],
      ['a', 'b'],
    ]);
  });

  it('is asked about anew by a run that is about another part', () => {
    const only = { selection: { only: ['a'] as never } };
    const scenario = stuck('a, b → a', only);
    expect([scenario.asked(), scenario.decision().blocks.tasks]).toEqual([['d1 stuck'], ['a']]);
    scenario.runAgain();
    expect([scenario.asked(), scenario.decision().blocks.tasks]).toEqual([['d2 stuck'], ['a', 'b']]);
  });

  it('by a limit of 0 is asked about until a run has room', () => {
    const keys = { a: { run: 'true', model: 'opus' } };
    const scenario = verifying('a', keys, { limits: { pools: { opus: 0 } } });
    expect([scenario.outcome(), scenario.asked()]).toEqual(['stuck', ['d1 stuck']]);
    expect(scenario.runAgain({ limits: { pools: { opus: 0 } } }).asked()).toEqual(['d1 stuck']);
    expect(scenario.runAgain({ limits: { pools: { opus: 1 } } }, 'run-3').asked()).toEqual([]);
  });

  it('leaves other questions to explain it', () => {
    const scenario = stuck('a, b → a, c, d → c');
    expect(scenario.ends('c').ends('d').asked()).toEqual(['d1 stuck']);
  });
});

describe('a failure', () => {
  const failed = () => verifying('a, b → a, c → b', { a: once }).ends('a', 1);

  it('needs no answer once nobody needs the task any more', () => {
    const scenario = failed();
    expect(scenario.asked()).toEqual(['d1 failure a']);
    expect(skip(scenario, 'b', { dependents: true }).asked()).toEqual([]);
  });

  it('needs none once the tasks that need it are taken out of the plan', () => {
    const scenario = failed();
    expect(
      scenario
        .load(planOf('a, c → a', { keys: { a: once } }), 'r2')
        .settle()
        .asked(),
    ).toEqual(['d1 failure a']);
    expect(
      scenario
        .load(planOf('a', { keys: { a: once } }), 'r3')
        .settle()
        .asked(),
    ).toEqual([]);
  });

  it('stays a question while one task still needs it', () => {
    expect(skip(failed(), 'c').asked()).toEqual(['d1 failure a']);
  });
});

describe('a loop of the whole plan', () => {
  const agents = { a: { agent: 'x', retries: 4 }, b: { agent: 'x' } };
  function looping(): VerifyScenario {
    const scenario = verifying('a, b → a', agents);
    for (let n = 1; n <= 3; n++) scenario.ends('a', 1, { changed: false, toolCalls: 1 } as never).wait(60_000);
    return scenario;
  }

  it('stays a question until a person looks at it', () => {
    expect(looping().asked()).toEqual(['d1 livelock']);
    expect(looping().runAgain().asked()).toEqual(['d1 livelock']);
  });

  it('needs no answer once something was completed by hand', () => {
    expect(looping().complete('a').settle().plan.decisions.size).toBe(0);
  });

  it('needs none once everything was skipped', () => {
    expect(skip(looping(), 'a', { dependents: true }).asked()).toEqual([]);
  });
});
