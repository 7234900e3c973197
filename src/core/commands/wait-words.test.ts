import { expect, it } from 'vitest';
import { begin, planOf, type Scenario } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import { waitWords } from './mark-task.ts';

const words = ({ plan }: Scenario) => waitWords(plan, plan.index.get(taskId('z'))!);
const phases = (text: string, name: string) => begin({ ...planOf(text), phases: [{ name }, { name: 'Last' }] });

it.each<[string, Scenario, string]>([
  ['needs and preferences, own and inherited', begin('a, b, c, g → a ~> b { z → c a }'), 'c, a and b'],
  ['what is done is not named', begin('a, b, z → a b').complete('a'), 'b'],
  ['a phase whose heading says so', begin('1.1, 1.2, 1.3 | z'), '1.1, 1.2 and 1.3 (phase 1)'],
  ['a phase whose heading does not', phases('a | z', 'Schema'), 'a (phase Schema)'],
  ['a phase without a heading', phases('a | z', ''), 'a'],
  ['a need and a phase', begin('a | b, z → b'), 'b, and for a (phase 1)'],
  ['tasks that the order puts before it', begin(planOf('a, z', { order: 'sequential' })), 'a'],
  [
    'all of them counted',
    begin(`${Array.from({ length: 30 }, (_, i) => `a${i}`).join(', ')} | z`),
    'a0, a1, a2, a3, a4 and 25 more (phase 1)',
  ],
])('%s', (_, scenario, expected) => {
  expect(words(scenario)).toBe(expected);
});
