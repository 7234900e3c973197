import { describe, expect, test } from 'vitest';
import { hasOrderOfFile } from './file-order.ts';
import { planPath, taskId } from './ids.ts';
import type { Plan } from './plan.ts';

const planOf = (order: Plan['order'], phases: readonly (number | 'part')[], more: Partial<Plan> = {}): Plan => ({
  path: planPath('plan.md'),
  title: 'p',
  order,
  phases: [{ name: 'one' }, { name: 'two' }],
  tasks: phases.map((phase, i) => {
    const task = { id: taskId(`t${i}`), title: 't', line: i + 1, keys: {} };
    return phase === 'part' ? { ...task, phase: 0, parent: i - 1 } : { ...task, phase };
  }),
  ...more,
});

describe('hasOrderOfFile', () => {
  test.each([
    ['phases that follow each other', planOf('phases', [0, 0, 1, 1]), true],
    ['a phase that comes again', planOf('phases', [0, 1, 0]), false],
    ['a phase that comes again, where phases mean nothing', planOf('explicit', [0, 1, 0]), true],
    ['the phase of a part says nothing', planOf('spec-kit', [1, 'part', 1]), true],
    ['a list of tasks that follow each other', planOf('explicit', [0, 0], { sequences: [[taskId('t1')]] }), false],
  ])('%s', (_, plan, expected) => {
    expect(hasOrderOfFile(plan)).toBe(expected);
  });
});
