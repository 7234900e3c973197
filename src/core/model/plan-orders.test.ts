import { describe, expect, it } from 'vitest';
import { planPath, taskId } from './ids.ts';
import type { Plan, Task } from './plan.ts';
import { planCommands, planOrders } from './plan-orders.ts';

const task = (id: string, more: Partial<Task>): Task => ({
  id: taskId(id),
  title: `Do ${id}`,
  line: 1,
  phase: 0,
  keys: {},
  ...more,
});

const plan = (more: Partial<Plan>): Plan => ({
  path: planPath('plan.md'),
  title: '',
  order: 'explicit',
  phases: [{ name: '' }],
  tasks: [],
  ...more,
});

describe('what a plan makes others do', () => {
  it('names every command once, with who has it', () => {
    const whole = plan({
      worktree: { setup: 'npm ci', generated: { 'a.lock': 'npm i' } },
      phases: [{ name: 'One', check: ['npm test'] }, { name: 'Two' }],
      tasks: [
        task('a', { keys: { run: 'make a', check: ['npm test', 'lint'] } }),
        task('b', { keys: { check: ['npm test'], env: { PATH: '/evil' } }, prompt: 'With care.' }),
        task('g', { group: true, keys: { check: ['group check'] } }),
      ],
      finish: 'deploy',
    });
    expect(planCommands(whole)).toEqual([
      { key: 'setup', command: 'npm ci', of: [] },
      { key: 'generated', command: 'npm i', of: ['a.lock'] },
      { key: 'run', command: 'make a', of: ['a'] },
      { key: 'check', command: 'npm test', of: ['a', 'b', 'One'] },
      { key: 'check', command: 'lint', of: ['a'] },
      { key: 'env', command: 'PATH=/evil', of: ['b'] },
      { key: 'check', command: 'group check', of: ['g'] },
      { key: 'finish', command: 'deploy', of: [] },
    ]);
    expect(planOrders(whole).slice(8)).toEqual(['Do b\nWith care.']);
  });

  it('of nothing is nothing', () => {
    expect(planOrders(plan({}))).toEqual([]);
  });

  it('counts no agent as a command', () => {
    const whole = plan({ worktree: {}, tasks: [task('a', {})], finish: 'claude', finishAgent: true });
    expect(planCommands(whole)).toEqual([]);
    expect(planOrders(whole)).toEqual(['Do a\n']);
  });
});
