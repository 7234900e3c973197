// What the settings fill into a plan.
import { expect, test } from 'vitest';
import { agentKinds } from '../../agents/kind.ts';
import { planPath } from '../../core/model/ids.ts';
import { readPlan } from '../../plan/read-plan.ts';
import { readSettings } from '../../plan/read-settings.ts';
import { withSettings } from './plan-file.ts';

const planOf = (text: string) => readPlan({ text, file: 'p.yaml', path: planPath('p.yaml') }).plan!;
const settingsOf = (text: string) => readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds }).settings!;

test('a plan goes before the settings, key by key', () => {
  const settings = settingsOf('isolation: shared\nland: merge\nworktree: { setup: make, at: ~/trees }\n');
  const plan = planOf('isolation: worktree\nworktree: { setup: npm ci }\ntasks: {a: {run: x}}\n');
  expect(withSettings(plan, settings)).toMatchObject({
    isolation: 'worktree',
    land: 'merge',
    worktree: { setup: 'npm ci', at: '~/trees' },
  });
  expect(withSettings(planOf('tasks: {a: {run: x}}\n'), settings).worktree).toEqual(settings.worktree);
});

test('the last step is by an agent if the settings have one of that name', () => {
  const settings = settingsOf('finish: tool\nbaseline: true\nagents: { tool: { kind: command, command: x } }\n');
  expect(withSettings(planOf('tasks: {a: {run: x}}'), settings)).toMatchObject({
    finish: 'tool',
    finishAgent: true,
    baseline: true,
  });
  const own = withSettings(planOf('finish: make\nbaseline: false\ntasks: {a: {run: x}}'), settings);
  expect([own.finish, own.finishAgent, own.baseline]).toEqual(['make', undefined, false]);
});
