// Who looks after an attempt that outlived its runner, and what its end then proves.
import { beforeEach, describe, expect, it } from 'vitest';
import { begin, planOf, type Scenario } from '../../../test/scenario.ts';
import { runId } from '../../core/model/ids.ts';
import type { LiveAttempt } from '../../core/state/state.ts';
import { AdoptedAttempts } from './adopted-attempts.ts';

let scenario: Scenario;
let adopted: AdoptedAttempts;
let live: LiveAttempt;

/** An attempt that an earlier run of the plan left behind. */
beforeEach(() => {
  scenario = begin(planOf('a')).schedule('a').start('a');
  live = [...scenario.state.live.values()][0]!;
  adopted = new AdoptedAttempts();
});

const take = () => {
  adopted.take(live, scenario.state);
  adopted.begin(scenario.state);
};

describe('what is not adopted', () => {
  it('is our own: attended, and never suspect', () => {
    adopted.begin(scenario.state);
    expect(adopted.attends(live.token)).toBe(true);
    expect(adopted.isSuspect(live.token)).toBe(false);
    expect(adopted.isTakenOver(live.token)).toBe(false);
  });
});

describe('what is adopted', () => {
  it('is not attended before it was seen alive: it may have ended well and in time', () => {
    take();
    expect(adopted.attends(live.token)).toBe(false);
    adopted.seen(live.token);
    expect(adopted.attends(live.token)).toBe(true);
  });

  it('is suspect when somebody else doomed it: a runner that died may have killed it', () => {
    scenario.doom('a', { kind: 'stop' });
    take();
    expect(adopted.isSuspect(live.token)).toBe(true);
  });

  it('is not suspect when we doomed it ourselves: every signal it got is known', () => {
    take();
    scenario.doom('a', { kind: 'stop' });
    adopted.noteDoomed(scenario.state);
    adopted.begin(scenario.state);
    expect(adopted.isSuspect(live.token)).toBe(false);
  });

  it('is forgotten when it has ended', () => {
    take();
    adopted.ended(live.token);
    expect(adopted.attends(live.token)).toBe(true);
  });
});

describe('when the plan gets a runner of its own', () => {
  const newRun = () => {
    scenario.startRun({}, runId('second'));
    adopted.begin(scenario.state);
  };

  it('the attempt is its to end, and what we doomed proves nothing any more', () => {
    take();
    adopted.seen(live.token);
    scenario.doom('a', { kind: 'stop' });
    adopted.noteDoomed(scenario.state);
    newRun();
    expect(adopted.isTakenOver(live.token)).toBe(true);
    expect(adopted.attends(live.token)).toBe(false);
    expect(adopted.isSuspect(live.token)).toBe(true);
  });

  it('it can be taken back when that one has died too, and is still known to live', () => {
    take();
    adopted.seen(live.token);
    newRun();
    expect(adopted.isTakenOver(live.token)).toBe(true);
    adopted.take(live, scenario.state);
    expect(adopted.isTakenOver(live.token)).toBe(false);
    expect(adopted.attends(live.token)).toBe(true);
  });
});
