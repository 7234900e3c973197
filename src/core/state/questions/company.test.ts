import { describe, expect, it } from 'vitest';
import { begin, planOf, type Scenario } from '../../../../test/scenario.ts';
import { attemptId, taskId } from '../../model/ids.ts';

const plan = () => begin(planOf('a, b', { keys: { b: { run: 'x', check: ['y'] } } }));
const company = (scenario: Scenario) => scenario.live('a').accompanied ?? false;
const byHand = (scenario: Scenario) => {
  const { path } = scenario.plan;
  const task = taskId('b');
  const token = scenario.state.token + 1;
  return scenario.record({
    type: 'task-started',
    v: 1,
    plan: path,
    task,
    attempt: attemptId(task, 1),
    token,
    by: 'ann',
  });
};

describe('an attempt has company', () => {
  it.each<[boolean, string, (scenario: Scenario) => Scenario]>([
    [false, 'not while it is alone', (s) => s.schedule('a').lock('a', 'a.txt')],
    [false, 'not of one that had ended', (s) => s.schedule('b').end('b', 1).schedule('a')],
    [true, 'of one that was there before', (s) => s.schedule('b').schedule('a')],
    [true, 'of one that came and went', (s) => s.schedule('a').schedule('b').end('b', 1)],
    [true, 'of one that ended first', (s) => s.schedule('b').schedule('a').end('b', 1)],
    [true, 'of the check of another', (s) => s.schedule('b').end('b', 0).goOn().schedule('a')],
    [true, 'of a person who works by hand', (s) => byHand(s.schedule('a'))],
    [true, 'of one who did so before', (s) => byHand(s).schedule('a')],
    [true, 'of a person who takes a lock', (s) => s.schedule('a').lock('ann', 'x')],
    [true, 'of one who has a lock', (s) => s.lock('ann', 'x').schedule('a')],
    [false, 'not of one who has released it', (s) => s.lock('ann', 'x').release('ann', 'x').schedule('a')],
  ])('%s: %s', (wanted, _, happens) => {
    expect(company(happens(plan()))).toBe(wanted);
  });

  it('and so has the other', () => {
    const scenario = plan().schedule('a', 'b');
    expect(scenario.live('b').accompanied).toBe(true);
  });
});
