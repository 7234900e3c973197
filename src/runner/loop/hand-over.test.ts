import { describe, expect, it } from 'vitest';
import { begin, firstRun, here, log, planOf } from '../../../test/scenario.ts';
import { runId } from '../../core/model/ids.ts';
import { Parting, tookOver } from './hand-over.ts';

/** `a` runs since the run before; the second one takes over. */
function handedOver() {
  const scenario = log(planOf('a, b')).load().startRun().schedule('a');
  const run = runId('run-2');
  const about = { v: 1, plan: scenario.plan.path } as const;
  scenario.record({ type: 'run-handed-over', ...about, run: firstRun, to: run, by: 'ann' });
  const limits = { plan: 3, pools: {} };
  scenario.record({ type: 'run-started', ...about, run, runner: here, limits, takesOver: true });
  return { scenario, me: { ...scenario.me, run } };
}

describe('a process that takes a run over', () => {
  it('says so when it has seen everything that runs, and only once', () => {
    const { scenario, me } = handedOver();
    expect(tookOver(scenario.state, me, () => false)).toEqual([]);
    const said = tookOver(scenario.state, me, () => true);
    expect(said).toMatchObject([{ type: 'run-took-over', run: 'run-2', adopted: 1 }]);
    scenario.record(...said);
    expect(tookOver(scenario.state, me, () => true)).toEqual([]);
  });

  it('has nothing to say of a run that began by itself, or is not its own', () => {
    const plain = begin('a');
    expect(tookOver(plain.state, plain.me, () => true)).toEqual([]);
    const { scenario, me } = handedOver();
    expect(tookOver(scenario.state, { ...me, run: firstRun }, () => true)).toEqual([]);
  });
});

describe('the process before it', () => {
  it('stays until then, or until it has waited long enough', () => {
    const { scenario, me } = handedOver();
    const parting = new Parting();
    expect(parting.isOver(scenario.plan, 1_000)).toBe(false);
    expect(parting.isOver(scenario.plan, 10_999)).toBe(false);
    expect(parting.isOver(scenario.plan, 11_000)).toBe(true);
    const other = new Parting();
    scenario.record(...tookOver(scenario.state, me, () => true));
    expect(other.isOver(scenario.plan, 1_000)).toBe(true);
  });

  it('ends at once when somebody else thought it dead', () => {
    expect(new Parting().isOver(begin('a').plan, 0)).toBe(true);
  });
});
