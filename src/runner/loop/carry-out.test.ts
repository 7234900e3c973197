// When work that is to be started starts.
import { describe, expect, it } from 'vitest';
import { noFiles, simAgents } from '../../../test/sim/machine/sim-agents.ts';
import { VirtualClock } from '../../../test/sim/machine/virtual-clock.ts';
import type { Observation, StartOrder } from '../../agents/process/attempt-host.ts';
import type { Work } from '../attempts/work.ts';
import type { Machine } from '../machine.ts';
import { CarryOut } from './carry-out.ts';
import type { ToDo } from './compare.ts';

/** Tokens below 100 are coding agents, those above it commands. */
function rig() {
  const time = new VirtualClock(1_000);
  const started: [token: number, at: number][] = [];
  const observed: Observation[] = [];
  const clock = { now: () => time.now(), at: time.at.bind(time), soon: (call: () => void) => void time.after(0, call) };
  const host = { start: ({ token }: StartOrder) => started.push([token, time.now()]), stop: () => undefined };
  const agents = { ...simAgents(), isCodingAgent: ({ live }: Work) => live.token < 100 };
  const machine = { clock, host, files: noFiles, agents } as unknown as Machine;
  const nothing = () => undefined;
  const parts = { machine, salvaged: nothing, pause: nothing, fail: nothing };
  const carryOut = new CarryOut({ ...parts, observe: (observation) => observed.push(observation) });
  const todo = { start: [], adopt: [], stop: [], salvage: [] };
  const give = (more: Partial<ToDo>) => carryOut.do({ ...todo, ...more } as unknown as ToDo);
  const start = (...tokens: number[]) => give({ start: tokens.map(work) });
  const rest = () =>
    time.run(
      () => false,
      () => undefined,
    );
  return { time, started, observed, give, start, rest };
}

const work = (token: number): Work =>
  ({ live: { token, job: { kind: 'attempt' } }, task: { keys: {} }, isolation: null }) as unknown as Work;

describe('coding agents', () => {
  it('start apart from each other, in their order; the first one at once', async () => {
    const { started, start, rest } = rig();
    start(1, 2, 3);
    await rest();
    expect(started).toEqual([
      [1, 1_000],
      [2, 1_300],
      [3, 1_600],
    ]);
  });

  it('hold up no command', async () => {
    const { started, start, rest } = rig();
    start(1, 2, 100, 3, 101);
    expect(started).toEqual([
      [100, 1_000],
      [101, 1_000],
    ]);
    await rest();
    expect(started.slice(2)).toEqual([
      [1, 1_000],
      [2, 1_300],
      [3, 1_600],
    ]);
  });

  it('of a later turn wait for those before, and for nothing when those are long ago', async () => {
    const { time, started, start, rest } = rig();
    start(1);
    time.at(1_100, () => start(2));
    time.at(5_000, () => start(3));
    await rest();
    expect(started).toEqual([
      [1, 1_000],
      [2, 1_300],
      [3, 5_000],
    ]);
  });

  it('that are stopped meanwhile never start', async () => {
    const { time, started, observed, start, give, rest } = rig();
    start(1, 2, 3);
    time.at(1_200, () => give({ stop: [{ token: 2, graceMs: 0 }] }));
    await rest();
    expect(started).toEqual([
      [1, 1_000],
      [3, 1_600],
    ]);
    expect(observed).toEqual([{ kind: 'ended', token: 2, end: { kind: 'never-started' } }]);
  });
});
