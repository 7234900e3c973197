// What the log says of earlier runs with worktrees.
import { expect, test } from 'vitest';
import { begin, firstRun, here, planOf, type Scenario } from '../../../test/scenario.ts';
import { attemptId, planPath, taskId } from '../../core/model/ids.ts';
import { earlierRuns, noEarlierRuns } from './earlier-runs.ts';

const isolation = {
  branch: 'signalbox/plan',
  base: 'c0',
  trees: '/trees/plan',
  prefix: '',
  committer: { name: 'ann', email: 'ann@home' },
};
const isolated = () => {
  const limits = { plan: 1, pools: {} };
  const scenario = begin(planOf('a, b'));
  scenario.record({
    ...{ type: 'run-started', v: 1, plan: planPath('plan.md'), run: firstRun, runner: here, limits, isolation },
  });
  return scenario;
};
const at = (scenario: Scenario, path: string) => earlierRuns(scenario.state, planPath(path));

test('none', () => {
  expect(at(begin(planOf('a')).startRun(), 'plan.md')).toEqual(noEarlierRuns);
  expect(at(begin(planOf('a')).startRun(), 'other.md')).toEqual(noEarlierRuns);
});

test('a run with worktrees is remembered, for its plan and against others, also behind one without', () => {
  for (const scenario of [isolated(), isolated().startRun()]) {
    expect(at(scenario, 'plan.md')).toEqual({ ...noEarlierRuns, branch: 'signalbox/plan' });
    expect(at(scenario, 'other.md')).toEqual({ ...noEarlierRuns, others: new Set(['signalbox/plan']) });
  }
});

test('attempts that are not over, or wait for their review or merge, say how the next run works', () => {
  const shared = begin(planOf('a')).startRun().schedule('a');
  expect(at(shared, 'plan.md')).toEqual({ ...noEarlierRuns, unfinished: 'shared' });
  expect(at(shared.start('a').end('a', 0), 'plan.md')).toEqual({ ...noEarlierRuns, unfinished: 'shared' });
  const scheduled = isolated().schedule('a');
  const { branch, trees, committer } = isolation;
  const inTrees = { ...noEarlierRuns, branch, unfinished: 'worktree', trees, committer };
  expect(at(scheduled, 'plan.md')).toEqual(inTrees);
  expect(at(scheduled.start('a').end('a', 0), 'plan.md')).toEqual(inTrees);
  expect(at(scheduled.complete('a'), 'plan.md')).toEqual({ ...noEarlierRuns, branch: 'signalbox/plan' });
});

test('work by hand was in no tree, whatever the last run had', () => {
  const about = {
    v: 1,
    plan: planPath('plan.md'),
    task: taskId('a'),
    attempt: attemptId(taskId('a'), 1),
    by: 'ann',
  } as const;
  const handedIn = isolated().record(
    { ...about, type: 'task-started', token: 1 },
    { ...about, type: 'task-handed-in', token: 1, checks: 0 },
  );
  expect(at(handedIn, 'plan.md')).toEqual({ ...noEarlierRuns, branch: 'signalbox/plan' });
});

test('the results of before the plan was started over are no results of its runs', () => {
  const results = { branch: 'signalbox/plan', tip: 'abc' };
  const over = isolated().record({ type: 'plan-reset', v: 1, plan: planPath('plan.md'), by: 'ann', round: 1, results });
  expect(at(over, 'plan.md')).toEqual({ ...noEarlierRuns, setAside: results });
});
