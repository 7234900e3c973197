// Who waits for whom, as the lock state has it.
import { expect, it } from 'vitest';
import { locked, type Step } from '../../../test/rigs/lock-rig.ts';
import { log, planOf } from '../../../test/scenario.ts';
import { markStarted } from '../../core/commands/mark-task.ts';
import { waitReport } from './wait-report.ts';

const shown = (...steps: readonly Step[]) => {
  const { parties, waits } = waitReport(locked(...steps));
  return {
    who: parties.map(({ name, inCycle }) => (inCycle ? `${name}!` : name)),
    lines: waits.map(({ waiter, blocker, theirs, how, inCycle }) => {
      return `${waiter} ${how} ${blocker} ${theirs}${inCycle ? '!' : ''}`;
    }),
  };
};

const cases: readonly (readonly [string, readonly Step[], ReturnType<typeof shown>])[] = [
  ['nobody', [], { who: [], lines: [] }],
  ['who holds what nobody wants', [['a', 'holds', 'x']], { who: [], lines: [] }],
  [
    'one who waits for another',
    [
      ['a', 'holds', 'src/x.ts'],
      ['b', 'waits', 'src/**'],
    ],
    { who: ['b', 'a'], lines: ['b held a src/x.ts'] },
  ],
  [
    'two readers in the way of a writer',
    [
      ['a', 'reads', 'x'],
      ['b', 'reads', 'x'],
      ['c', 'waits', 'x'],
    ],
    { who: ['c', 'a', 'b'], lines: ['c held a x', 'c held b x'] },
  ],
  [
    'a queue',
    [
      ['a', 'holds', 'x'],
      ['b', 'waits', 'x'],
      ['c', 'waits', 'x'],
    ],
    { who: ['b', 'c', 'a'], lines: ['b held a x', 'c held a x', 'c behind b x'] },
  ],
  [
    'a cycle, and one who only waits for somebody in it',
    [
      ['a', 'holds', 'x'],
      ['b', 'holds', 'y'],
      ['b', 'holds', 'z'],
      ['a', 'waits', 'y'],
      ['b', 'waits', 'x'],
      ['c', 'waits', 'z'],
    ],
    { who: ['a!', 'b!', 'c'], lines: ['a held b y!', 'b held a x!', 'c held b z'] },
  ],
];

it.each(cases)('%s', (_, steps, expected) => {
  expect(shown(...steps)).toEqual(expected);
});

it('tells the place in line and since when', () => {
  const { parties } = waitReport(locked(['a', 'holds', 'x'], ['b', 'waits', 'x'], ['c', 'waits', 'x', 'y']));
  expect(parties.map(({ name, waitsFor }) => [name, waitsFor])).toEqual([
    ['b', [{ resources: ['x'], since: '2026-11-15T12:00:02.000Z', place: 1 }]],
    ['c', [{ resources: ['x', 'y'], since: '2026-11-15T12:00:03.000Z', place: 2 }]],
    ['a', []],
  ]);
});

it('tells one cycle once', () => {
  const state = locked(['a', 'holds', 'x'], ['b', 'holds', 'y'], ['a', 'waits', 'y'], ['b', 'waits', 'x']);
  const { deadlocks } = waitReport(state);
  expect(deadlocks).toHaveLength(1);
  expect(deadlocks[0]).toMatch(/\ba\b.*\bb\b/);
});

it('shows a cycle through a person and the task that they work on by hand', () => {
  const off = { detect: false, victim: 'youngest' } as const;
  const s = log(planOf('a, r', { keys: { a: { files: ['y'] } } }))
    .load()
    .startRun({}, undefined, undefined, off);
  const start = markStarted(s.state, s.plan, 0, { by: 'ann' });
  s.record(...(start.ok ? start.events : []))
    .schedule('r')
    .start('r')
    .lock('r', 'x')
    .lock('ann', 'x')
    .lock('r', 'y');
  const { parties, waits, deadlocks } = waitReport(s.state);
  expect(parties.map(({ name, inCycle }) => [name, inCycle])).toEqual([
    ['ann', true],
    ['r#1', true],
    ['a#1', true],
  ]);
  expect(waits.every(({ inCycle }) => inCycle)).toBe(true);
  expect(deadlocks).toEqual(['ann holds y and waits for x, held by r#1, which waits for y']);
});
