import { describe, expect, it } from 'vitest';
import { restored } from '../../../../test/restored.ts';
import { begin, planOf, type Scenario } from '../../../../test/scenario.ts';
import type { Plan, TaskKeys } from '../../model/plan.ts';
import { judgeEnd } from '../../rules/judge-end.ts';
import { startedTask } from './started-task.ts';

const plan = (keys: TaskKeys, prompt?: string): Plan => {
  const base = planOf('a, b', { keys: { a: keys } });
  return prompt === undefined ? base : { ...base, tasks: base.tasks.map((task) => ({ ...task, prompt })) };
};
const before = { run: 'one', check: ['true'], retries: 0 };
const after = { run: 'two', retries: 1 };
const edited = (scenario: Scenario = begin(plan(before, 'Do it.')).schedule('a')) => scenario.load(plan(after), 'r2');
const textIn = (scenario: Scenario) => {
  const { prompt, keys } = startedTask(scenario.plan, 0);
  return { prompt, ...keys };
};

describe('a task that is edited while it runs', () => {
  it('keeps what it was started with, and its next attempt has the new text', () => {
    const scenario = edited();
    expect(textIn(scenario)).toEqual({ prompt: 'Do it.', ...before });
    scenario.end('a', 1).again('a').endBackoff('a');
    expect(textIn(scenario)).toEqual({ prompt: undefined, ...after });
    expect(textIn(scenario.schedule('a'))).toEqual({ prompt: undefined, ...after });
  });

  it('is judged by its own checks; whether it is tried again goes by the plan as it is now', () => {
    const scenario = edited().end('a', 0);
    expect([...scenario.plan.toCheck]).toEqual([0]);
    const failed = edited().end('a', 1);
    expect(judgeEnd(failed.state, failed.plan, 0, failed.state.at)).toMatchObject([{ type: 'retry-scheduled' }]);
  });

  it('keeps the first text over several edits, and none when the edit is taken back', () => {
    const scenario = edited().load(plan({ run: 'three' }), 'r3');
    expect(textIn(scenario).run).toBe('one');
    expect(scenario.load(plan(before, 'Do it.'), 'r4').task('a').startedWith).toBeNull();
  });

  it('is known to have been completed by the text of before, until it runs again', () => {
    const scenario = edited().end('a', 0).complete('a');
    expect(scenario.task('a').startedWith?.keys.run).toBe('one');
    expect(scenario.retry('a').task('a').startedWith).toBeNull();
  });

  it('does not keep it when it failed, or only waits for a person to review it', () => {
    expect(edited().end('a', 1).fail('a').task('a').startedWith).toBeNull();
    const asked = begin(plan({ run: 'one', review: 'human' }))
      .schedule('a')
      .end('a', 0)
      .settle();
    expect(asked.task('a').ended?.asked).not.toBeNull();
    expect(edited(asked).task('a').startedWith).toBeNull();
  });

  it('is the same from a snapshot', () => {
    const { state, events } = edited();
    expect(restored(state, events).plans.get(planOf('a').path)!.tasks[0]!.startedWith).toEqual(
      state.plans.get(planOf('a').path)!.tasks[0]!.startedWith,
    );
  });
});

describe('the check of a phase', () => {
  const checked = (text: string, check = 'true'): Plan => ({
    ...planOf(text),
    phases: [{ name: 'Phase 1', check: [check] }],
  });
  const running = () => begin(checked('a')).schedule('a').end('a', 0).complete('a').schedule('phase-1:check');
  const again = [{ type: 'retry-scheduled', because: 'edited', task: 'phase-1:check' }];

  it.each<[string, Plan, number]>([
    ['is another one now', checked('a', 'other'), 0],
    ['is another one now, and was red', checked('a', 'other'), 1],
    ['ran while a task joined its phase', checked('a, b'), 0],
  ])('%s: its result proves nothing, and it runs again', (_, file, code) => {
    const scenario = running().load(file, 'r2').end('phase-1:check', code);
    const at = scenario.index('phase-1:check');
    expect(judgeEnd(scenario.state, scenario.plan, at, scenario.state.at)).toMatchObject(again);
  });

  it('counts when nothing of it has changed', () => {
    const scenario = running().load(checked('a'), 'r2').end('phase-1:check', 0);
    const at = scenario.index('phase-1:check');
    expect(judgeEnd(scenario.state, scenario.plan, at, scenario.state.at)).toMatchObject([{ type: 'task-completed' }]);
  });
});

describe('the limits of a run', () => {
  it('stay, and a pool that is new has the limit of the plan that brings it', () => {
    const scenario = begin(planOf('a', { pools: { db: 1 } })).startRun({ pools: { db: 1 } });
    scenario.load(planOf('a', { pools: { db: 5, port: 2 }, maxParallel: 9 }), 'r2');
    expect(scenario.plan.run!.limits).toMatchObject({ pools: { db: 1, port: 2 } });
  });
});
