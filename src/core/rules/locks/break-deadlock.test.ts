// Deadlocks that no request closes, and those that one request closes with another.
import { describe, expect, it } from 'vitest';
import { brief, overAndPutBack, running } from '../../../../test/lock-stories.ts';
import { here, log, planOf, type Scenario } from '../../../../test/scenario.ts';
import { type PlanPath, planPath, runId } from '../../model/ids.ts';
import { partyOf } from '../../state/lock-state.ts';
import { decide, type Me } from '../decide.ts';

const settled = (scenario: Scenario) => scenario.decide().map(brief);
const all: ReadonlySet<PlanPath> = new Set(['plan.md', 'two.md'].map(planPath));
const none: ReadonlySet<PlanPath> = new Set();

/** What would be recorded now, and is. */
function act(scenario: Scenario, me: Me | null, watched?: ReadonlySet<PlanPath>): string[] {
  const told: string[] = [];
  for (;;) {
    const events = decide(scenario.state, scenario.time, me, watched);
    if (events.length === 0) return told;
    scenario.record(...events);
    told.push(...events.map(brief));
  }
}

/** Two circles share `a`. As if they had been closed by something else than a request: a grant, or a release. */
const twoCircles = () => {
  const scenario = running('a, b, c').lock('a', 'x').lock('b', '~y').lock('c', '~y').lock('b', 'x').lock('c', 'x');
  const wants = [{ key: 'y', mode: 'exclusive' as const }];
  const party = partyOf(scenario.owner('a'));
  scenario.record({ type: 'lock-waiting', v: 1, ...party, resource: 'y', wants, blockedBy: [], process: here });
  return scenario;
};

/**
 * `d` has y and waits for x and z, of which x is free. `b` waits for y, and in another process for x, which eve has: when she lets
 * go, `b` is given x before `d`, which waits for much. Each of the two has now what the other waits for.
 */
const almostClosed = (d: string, b: string, plan = 't', deadlock?: Parameters<typeof running>[1]) =>
  running(plan, deadlock).lock('carl', 'z').lock(d, 'y').lock('eve', 'x').lock(d, 'x z').lock(b, '~y').lock(b, '~x');

const closedByGrant = (...story: Parameters<typeof almostClosed>) => almostClosed(...story).release('eve', 'x');

describe('that one request closes', () => {
  it('are found with it, all of them', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('b', '~y').lock('c', '~y').lock('b', 'x').lock('c', 'x');
    scenario.lock('a', 'y');
    expect(['b', 'c'].map((id) => scenario.live(id).doom?.kind)).toEqual(['deadlock', 'deadlock']);
  });

  it('nobody is stopped for a request that is refused because of another circle', () => {
    const scenario = running('a, b').lock('a', 'x').lock('b', '~y').lock('ann', '~y').lock('b', 'x').lock('ann', 'x');
    scenario.task('a').deadlocks = 3;
    expect(scenario.ask('a', 'y').kind).toBe('deadlock');
    expect(scenario.live('b').doom).toBeNull();
  });
});

describe('that a grant closes', () => {
  it('among those whom Signalbox did not start: who asked last is told, in the same transaction', () => {
    const scenario = closedByGrant('dora', 'bob');
    const [{ ticket } = { ticket: 0 }] = scenario.state.locks.table.waitsOf('bob');
    expect(act(scenario, null, none)).toEqual(['lock-acquired bob x', 'lock-refused bob', 'lock-wait-ended bob']);
    expect(scenario.events.findLast(({ type }) => type === 'lock-refused')).toMatchObject({
      owner: 'bob',
      resource: 'y',
      words: 'bob holds x and waits for y, held by dora, which waits for x',
      cycle: ['bob', 'dora'],
      ticket,
    });
    expect(scenario.locks()).toBe('bob ~x, carl z, dora y, dora waits x z');
    expect(act(scenario, null, none)).toEqual([]);
  });

  it('one is stopped where one may be, whoever looks', () => {
    const stopped = ['lock-acquired b#1 x', 'deadlock-detected b#1', 'attempt-doomed b#1 deadlock'];
    const command = closedByGrant('dora', 'b', 'b');
    expect(act(command, null, all)).toEqual(stopped);
    const own = closedByGrant('dora', 'b', 'b');
    expect(act(own, own.me)).toEqual(stopped);
    const other = closedByGrant('dora', 'b', 'b');
    expect(act(other, { ...other.me, plan: 'two.md' as never }, all)).toEqual(stopped);
  });

  it('nobody may be stopped: its runner is dead, or it was stopped three times already', () => {
    const refused = ['lock-acquired b#1 x', 'lock-refused b#1', 'lock-wait-ended b#1'];
    expect(act(closedByGrant('dora', 'b', 'b'), null, none)).toEqual(refused);
    const often = closedByGrant('d', 'b', 'd, b');
    for (const id of ['d', 'b']) often.task(id).deadlocks = 3;
    expect(act(often, often.me)).toEqual(refused);
  });

  it('nothing is done while it is not known whether one lives', () => {
    const unseen = closedByGrant('dora', 'b', 'b');
    expect(act(unseen, { ...unseen.me, attends: () => false }, all)).toEqual(['lock-acquired b#1 x']);
    const foreign = closedByGrant('dora', 'b', 'b');
    expect(act(foreign, { ...foreign.me, plan: 'two.md' as never })).toEqual(['lock-acquired b#1 x']);
    expect(act(closedByGrant('dora', 'b', 'b'), null)).toEqual(['lock-acquired b#1 x']);
  });

  it('nobody is stopped in the place of one whose runner will know soon whether it lives', () => {
    const scenario = closedByGrant('d', 'b', 'd, b');
    const attends = (token: number) => token !== scenario.live('b').token;
    expect(act(scenario, { ...scenario.me, attends })).toEqual(['lock-acquired b#1 x']);
    const [victim] = act(scenario, scenario.me);
    expect(victim).toMatch(/^deadlock-detected [bd]#1$/);
    const other = closedByGrant('d', 'b', 'd, b');
    const isVictim = (token: number) => victim!.includes(`${token === other.live('b').token ? 'b' : 'd'}#1`);
    expect(act(other, { ...other.me, attends: (token) => !isVictim(token) })).toEqual(['lock-acquired b#1 x']);
  });

  it('who has switched it off is left alone, but not when somebody else waits with them', () => {
    const off = { detect: false, victim: 'youngest' } as const;
    expect(act(closedByGrant('d', 'b', 'd, b', off), null, all)).toEqual(['lock-acquired b#1 x']);
    const mixed = closedByGrant('dora', 'b', 'b', off);
    expect(act(mixed, null, none)).toEqual(['lock-acquired b#1 x', 'lock-refused dora', 'lock-wait-ended dora']);
  });

  it('somebody who waits in another circle with those who have switched it off is found too', () => {
    const off = { detect: false, victim: 'youngest' } as const;
    const scenario = running('a, b', off).lock('a', 'y').lock('b', 'x').lock('gus', 'y');
    scenario.lock('a', 'x').lock('b', 'y');
    expect(act(scenario, null, none)).toEqual(['lock-refused gus', 'lock-wait-ended gus']);
    expect(act(scenario, null, none)).toEqual([]);
  });

  it('is none when one in it is being ended', () => {
    const scenario = closedByGrant('d', 'b', 'd, b').doom('d', { kind: 'stop' });
    expect(act(scenario, null, all)).toEqual(['lock-acquired b#1 x']);
  });
});

describe('two circles', () => {
  it('are found by the runner, one victim for each', () => {
    const scenario = twoCircles();
    expect(settled(scenario).sort()).toEqual([
      'attempt-doomed b#1 deadlock',
      'attempt-doomed c#1 deadlock',
      'deadlock-detected b#1',
      'deadlock-detected c#1',
    ]);
    expect(settled(scenario)).toEqual([]);
    overAndPutBack(overAndPutBack(scenario, 'b'), 'c').decide();
    expect(scenario.locks()).toBe('a#1 x, a#1 y');
  });

  it('not by one who knows of nobody whether they live', () => {
    const scenario = twoCircles();
    expect(decide(scenario.state, scenario.time, null)).toEqual([]);
    expect(decide(scenario.state, scenario.time, { ...scenario.me, attends: () => false })).toEqual([]);
    const run = runId('run-2');
    const two = log(planOf('z', { path: 'two.md' }), scenario.state)
      .load()
      .startRun({}, run)
      .schedule('z');
    expect(two.decide({ ...two.me, run })).toEqual([]);
  });

  it('two who wait for different things are none', () => {
    expect(settled(running().lock('ann', 'x').lock('a', 'x').lock('a', 'y').lock('b', 'y'))).toEqual([]);
  });
});
