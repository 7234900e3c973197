import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { taskId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import {
  BARRIER,
  buildGraph,
  EXTRA,
  GATE,
  GROUP_END,
  GROUP_START,
  type Graph,
  indexTasks,
  LEAF,
  MEMBER,
  NEED,
  PREFER,
  START,
} from './graph.ts';

const graphOf = (plan: Plan): Graph => buildGraph(plan, indexTasks(plan));

const arrows = { [NEED]: '→', [PREFER]: '~>', [BARRIER]: '⊣', [MEMBER]: '∋', [EXTRA]: '∋*', [START]: '⇠' };

/** Every edge by name: `g.end ∋ a`, `gate 1 ⊣ a`. */
function edges(plan: Plan, of: 'dependsOn' | 'dependents'): string[] {
  const graph = graphOf(plan);
  const name = (node: number) => {
    if (graph.kind[node] === GATE) return `gate${node - graph.firstGate}`;
    const { id } = plan.tasks[graph.task[node]!]!;
    return { [LEAF]: id, [GROUP_START]: `${id}.start`, [GROUP_END]: `${id}.end` }[graph.kind[node]!];
  };
  const all: string[] = [];
  const { offset, target, kind } = graph[of];
  for (let node = 0; node < graph.nodes; node++) {
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const [from, to] = of === 'dependsOn' ? [node, target[e]!] : [target[e]!, node];
      all.push(`${name(from)} ${arrows[kind[e] as keyof typeof arrows]} ${name(to)}`);
    }
  }
  return all;
}

const cases: [string, Plan, string[]][] = [
  ['no edges', planOf('a, b'), []],
  ['needs and preferences', planOf('a, b → a ~> c, c'), ['b → a', 'b ~> c']],
  [
    'needing a group is needing its end; its own needs hold at its start',
    planOf('g → x { a, b }, x, y → g'),
    ['a ⇠ g.start', 'b ⇠ g.start', 'g.end ∋ a', 'g.end ∋ b', 'g.start → x', 'y → g.end'],
  ],
  [
    'groups in groups, and what a group can do without',
    planOf('g { h* { a }, b*, c }'),
    [
      'a ⇠ h.start',
      'b ⇠ g.start',
      'c ⇠ g.start',
      'g.end ∋ c',
      'g.end ∋* b',
      'g.end ∋* h.end',
      'h.end ∋ a',
      'h.start ⇠ g.start',
    ],
  ],
  [
    'phases: the gate behind a phase bars its leaves, the next phase starts at it',
    planOf('a | g { b } | c'),
    [
      'b ⇠ g.start',
      'c ⇠ gate1',
      'g.end ∋ b',
      'g.start ⇠ gate0',
      'gate0 ⊣ a',
      'gate1 ⇠ gate0',
      'gate1 ⊣ b',
      'gate2 ⇠ gate1',
      'gate2 ⊣ c',
    ],
  ],
  ['one phase alone', planOf('a, b', { order: 'phases' }), []],
  ['phases that are no barriers', planOf('a | b → a', { order: 'explicit' }), ['b → a']],
  [
    'one after the other: every leaf has a gate behind it, over groups and phases',
    planOf('g { a, b } | c', { order: 'sequential' }),
    [
      'a ⇠ g.start',
      'b ⇠ g.start',
      'b ⇠ gate0',
      'c ⇠ gate1',
      'g.end ∋ a',
      'g.end ∋ b',
      'gate0 ⊣ a',
      'gate1 ⇠ gate0',
      'gate1 ⊣ b',
      'gate2 ⇠ gate1',
      'gate2 ⊣ c',
    ],
  ],
  [
    'spec-kit: neighbours with [P] share a gate, and no more than one edge each',
    planOf('a, b^, c^, d | e^', { order: 'spec-kit' }),
    [
      'b ⇠ gate0',
      'c ⇠ gate0',
      'd ⇠ gate1',
      'e ⇠ gate2',
      'gate0 ⊣ a',
      'gate1 ⇠ gate0',
      'gate1 ⊣ b',
      'gate1 ⊣ c',
      'gate2 ⇠ gate1',
      'gate2 ⊣ d',
      'gate3 ⇠ gate2',
      'gate3 ⊣ e',
    ],
  ],
  [
    'a sequence beside another order; ids that the plan does not have are passed over',
    planOf('a, g { b }, c', { order: 'explicit', sequences: [['a', 'nobody', 'g'].map(taskId)] }),
    ['b ⇠ g.start', 'g.end ∋ b', 'g.start ⇠ gate0', 'gate0 ⊣ a', 'gate1 ⇠ gate0', 'gate1 ⊣ b'],
  ],
  ['an unknown id is passed over', planOf('a → nobody ~> nothing'), []],
];

describe.each(cases)('%s', (_, plan, expected) => {
  it.each(['dependsOn', 'dependents'] as const)('%s', (of) => {
    expect(edges(plan, of).sort()).toEqual([...expected].sort());
  });
});

it('knows where a task with all its subtasks is over', () => {
  expect([...graphOf(planOf('a, g { h { b, c }, d }, e')).after]).toEqual([1, 6, 5, 4, 5, 6, 7]);
});

it('marks both ends of optional groups and what is inside', () => {
  const graph = graphOf(planOf('a, g* { b }'));
  expect([...graph.optional]).toEqual([0, 1, 1, 1]);
});

it('has a few edges per task under every order, however long the chain or wide the step', () => {
  const wide = Array.from({ length: 50_000 }, (_, i) => `a${i}^`).join(', ');
  for (const order of ['phases', 'spec-kit', 'sequential'] as const) {
    const graph = graphOf(planOf(`${wide} | ${wide.replaceAll('a', 'b')}`, { order }));
    expect(graph.dependsOn.target.length).toBeLessThanOrEqual(3 * graph.tasks);
  }
});
