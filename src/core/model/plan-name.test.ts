import { expect, it } from 'vitest';
import { isPlanName, withoutPlanEnding } from './plan-name.ts';

it.each([
  ['plan.md', true, 'plan'],
  ['docs/My.Plan.MARKDOWN', true, 'docs/My.Plan'],
  ['plan.yaml', true, 'plan'],
  ['plan.yml', true, 'plan'],
  ['plan.txt', false, 'plan.txt'],
  ['plan', false, 'plan'],
  ['md', false, 'md'],
  ['plan.md#1', false, 'plan.md#1'],
])('%s', (name, isPlan, stem) => {
  expect([isPlanName(name), withoutPlanEnding(name)]).toEqual([isPlan, stem]);
});
