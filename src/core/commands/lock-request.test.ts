import { describe, expect, it } from 'vitest';
import { almost, brief, running, since } from '../../../test/lock-stories.ts';
import { here, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Event } from '../model/event.ts';
import { runId } from '../model/ids.ts';
import { nameOf, requestLocks } from './lock-request.ts';

const words = 'b#1 holds y and waits for x, held by a#1, which waits for y';
const kindOf = (scenario: Scenario, who: string, keys: string) => scenario.ask(who, keys).kind;
/** The answer, and what it left in the log. */
function asked(scenario: Scenario, who: string, keys: string, queue = true): [string, string[]] {
  const { seq } = scenario.state;
  return [scenario.ask(who, keys, queue).kind, since(scenario.events, seq)];
}

describe('a request is granted when', () => {
  it.each<[string, Scenario, string, string[]]>([
    ['it is free', running(), 'x', ['lock-acquired a#1 x']],
    ['all of it is', running(), 'x ~y', ['lock-acquired a#1 x', 'lock-acquired a#1 y']],
    ['it has it', running().lock('a', 'x'), 'x', []],
    ['it has it in a stronger mode', running().lock('a', 'x'), '~x', []],
    ['it reads and nobody else does: an upgrade', running().lock('a', '~x'), 'x', ['lock-acquired a#1 x']],
    ['others only read too', running().lock('b', '~x'), '~x', ['lock-acquired a#1 x']],
    ['what overlaps is its own', running().lock('a', 'src/**'), 'src/a.ts', ['lock-acquired a#1 src/a.ts']],
    ['only a part is new', running().lock('a', 'x'), 'x y', ['lock-acquired a#1 y']],
    [
      'the one who waits for it cannot go on before',
      running().lock('a', 'x').lock('b', 'x y'),
      'y',
      ['lock-acquired a#1 y'],
    ],
  ])('%s', (_, scenario, keys, events) => {
    expect(asked(scenario, 'a', keys)).toEqual(['granted', events]);
  });

  it('an upgrade is exclusive then', () => {
    expect(running().lock('a', '~x').lock('a', 'x').locks()).toBe('a#1 x');
  });

  it('and tells whom it went ahead of, so that they are not passed for ever', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('b', 'x y');
    const ticket = scenario.state.seq;
    scenario.lock('c', 'y');
    expect(scenario.events.at(-1)).toMatchObject({ type: 'lock-acquired', attempt: 'c#1', passes: [ticket] });
    expect(scenario.state.locks.table.request(ticket)!.passed).toBe(1);
  });

  it('by somebody whom Signalbox did not start: with a lease', () => {
    const scenario = running().lock('ann', 'x');
    const until = scenario.time + 1_000;
    expect(scenario.events.at(-1)).toMatchObject({ plan: '', agent: 'ann', owner: 'ann', until });
    expect(scenario.state.locks.owners.get('ann')).toMatchObject({ name: 'ann', task: null, token: 0, until });
  });
});

describe('somebody is in the way', () => {
  it('it may not wait: busy, and nothing is recorded', () => {
    const scenario = running().lock('a', 'x');
    const { seq } = scenario.state;
    expect(scenario.ask('b', 'x', false)).toEqual({
      kind: 'busy',
      obstacles: [{ owner: '#1', want: 'x', theirs: 'x', kind: 'holds' }],
    });
    expect(scenario.state.seq).toBe(seq);
  });

  it('it waits: its ticket is the number of the event', () => {
    const scenario = running('a, b, c').lock('a', '~x').lock('b', '~x y');
    const answer = scenario.ask('c', 'x y');
    expect(answer).toMatchObject({ kind: 'waiting', ticket: scenario.state.seq });
    const event = scenario.events.at(-1);
    expect(event).toMatchObject({ type: 'lock-waiting', resource: 'x', blockedBy: ['a#1', 'b#1'] });
    expect(scenario.locks()).toBe('a#1 ~x, b#1 y, b#1 ~x, c#1 waits x y');
  });

  it('nobody goes before the one who waits for it, not even to read', () => {
    const scenario = running('a, b, c').lock('a', '~x').lock('b', 'x');
    expect(scenario.ask('c', '~x')).toMatchObject({ kind: 'waiting', obstacles: [{ owner: '#2', kind: 'waits' }] });
  });
});

describe('the request that closes a cycle', () => {
  it('makes it a victim itself: the youngest', () => {
    const scenario = almost();
    const { seq } = scenario.state;
    expect(scenario.ask('b', 'x')).toEqual({ kind: 'victim', words });
    expect(since(scenario.events, seq)).toEqual(['deadlock-detected b#1', 'attempt-doomed b#1 deadlock']);
    const about = { v: 1, plan: 'plan.md', run: 'run-1', token: 2 };
    expect(scenario.events.slice(-2)).toEqual([
      {
        type: 'deadlock-detected',
        ...about,
        cycle: ['b#1', 'a#1'],
        words,
        victim: 'b#1',
        victimTask: 'b',
        blockedOn: 'x',
        blocker: 'a#1',
        blockerTask: 'a',
        reason: expect.any(String),
        seq: seq + 1,
        at: scenario.time,
      },
      {
        type: 'attempt-doomed',
        ...about,
        task: 'b',
        attempt: 'b#1',
        doom: { kind: 'deadlock', words, blocker: { owner: '#1', name: 'a#1', resource: 'x' } },
        seq: seq + 2,
        at: scenario.time,
      },
    ]);
  });

  it('stops another, and waits', () => {
    const scenario = running().lock('a', 'x').lock('b', 'y').lock('b', 'x');
    expect(asked(scenario, 'a', 'y')).toEqual([
      'waiting',
      ['deadlock-detected b#1', 'attempt-doomed b#1 deadlock', 'lock-waiting a#1'],
    ]);
  });

  it('is told of a try, which stops nobody', () => {
    const scenario = almost();
    const { seq } = scenario.state;
    expect(scenario.ask('b', 'x', false)).toEqual({ kind: 'deadlock', words, cycle: ['b#1', 'a#1'] });
    expect(since(scenario.events, seq)).toEqual(['lock-tried b#1']);
  });

  it('is refused when nobody may be stopped', () => {
    const scenario = almost();
    scenario.dead.add('plan.md');
    expect(scenario.ask('b', 'x')).toEqual({ kind: 'deadlock', words, cycle: ['b#1', 'a#1'] });
    expect(scenario.events.at(-1)).toMatchObject({ type: 'lock-refused', attempt: 'b#1', resource: 'x', words });
    expect(scenario.locks()).toBe('a#1 x, b#1 y, a#1 waits y');
  });

  it.each<[string, Scenario, string, string]>([
    [
      'the one who asks is not ours: the other one goes',
      running('a').lock('ann', 'x').lock('a', 'y').lock('a', 'x'),
      'ann',
      'a#1',
    ],
    [
      'the one who waits is not ours: the one who asks goes',
      running('a').lock('ann', 'x').lock('a', 'y').lock('ann', 'y'),
      'a',
      'a#1',
    ],
  ])('with one that Signalbox did not start; %s', (_, scenario, who, victim) => {
    scenario.ask(who, who === 'ann' ? 'y' : 'x');
    expect(scenario.events.map(brief)).toContain(`deadlock-detected ${victim}`);
    const detected = scenario.events.find(({ type }) => type === 'deadlock-detected');
    expect(detected).toMatchObject({ blocker: 'ann' });
    expect(detected).not.toHaveProperty('blockerTask');
  });

  it('by one that yields is refused, and no attempt is stopped for it', () => {
    const scenario = running('a').lock('ann', 'x').lock('a', 'y').lock('a', 'x');
    const { seq } = scenario.state;
    const request = { owner: scenario.owner('ann'), wants: [{ key: 'y', mode: 'exclusive' as const }], queue: true };
    const world = {
      record: (event: Event) => void scenario.record(event),
      watched: new Set(scenario.state.plans.keys()),
    };
    const circle = { cycle: ['ann', 'a#1'], words: 'ann holds x and waits for y, held by a#1, which waits for x' };
    expect(requestLocks(scenario.state, { ...request, now: 0, process: here, yields: true }, world)).toEqual({
      kind: 'deadlock',
      ...circle,
    });
    expect(since(scenario.events, seq)).toEqual(['lock-refused ann']);
    expect(scenario.locks()).toBe('a#1 y, ann x, a#1 waits x');
  });

  it('of two that Signalbox did not start is refused', () => {
    const scenario = running('a').lock('ann', 'x').lock('bob', 'y').lock('ann', 'y');
    expect(asked(scenario, 'bob', 'x')).toEqual(['deadlock', ['lock-refused bob']]);
    expect(scenario.events.at(-1)).toMatchObject({ agent: 'bob', cycle: ['bob', 'ann'] });
  });

  it('two who read and both want to write', () => {
    const scenario = running().lock('a', '~x').lock('b', '~x').lock('a', 'x');
    expect(asked(scenario, 'b', 'x')[0]).toBe('victim');
  });

  it('by the order in the queue', () => {
    // b waits for y behind ann, so a would get it after b; b wants what a has.
    const scenario = running().lock('ann', 'y').lock('a', 'x').lock('b', 'y').lock('b', 'x');
    expect(asked(scenario, 'a', 'y')[1]).toContain('deadlock-detected b#1');
  });

  it('of three', () => {
    const scenario = running('a, b, c').lock('a', 'x').lock('b', 'y').lock('c', 'z').lock('a', 'y').lock('b', 'z');
    expect(asked(scenario, 'c', 'x')).toEqual(['victim', ['deadlock-detected c#1', 'attempt-doomed c#1 deadlock']]);
  });
});

describe('who is stopped', () => {
  it('by the first start, kept over retries: who failed before is not the youngest', () => {
    const scenario = log(planOf('a, b')).load().startRun();
    scenario.failOnce('a').after(5).schedule('b').start('b').after(5).schedule('a').start('a');
    scenario.lock('a', 'x').lock('b', 'y').lock('b', 'x');
    expect(asked(scenario, 'a', 'y')[1]).toContain('deadlock-detected b#1');
  });

  it('least progress: the one whose attempt is the youngest', () => {
    const scenario = log(planOf('a, b')).load();
    scenario.startRun({}, undefined, undefined, { detect: true, victim: 'least-progress' });
    scenario.failOnce('a').after(5).schedule('b').start('b').after(5).schedule('a').start('a');
    scenario.lock('a', 'x').lock('b', 'y').lock('b', 'x');
    expect(asked(scenario, 'a', 'y')[1]).toContain('deadlock-detected a#2');
  });

  it('nobody for the fourth time', () => {
    const scenario = running();
    for (let i = 0; i < 3; i++) {
      scenario.doom('b', { kind: 'deadlock', words: '', blocker: { owner: 'ann', name: 'ann', resource: 'x' } });
      scenario.end('b', { kind: 'killed', code: null }).decide();
    }
    expect(scenario.task('b').deadlocks).toBe(3);
    scenario.lock('a', 'x').lock('b', 'y').lock('a', 'y');
    expect(asked(scenario, 'b', 'x')[1]).toContain('deadlock-detected a#1');
  });

  it('an attempt of another plan, by its own runner', () => {
    const one = running('a');
    const two = log(planOf('b', { path: 'two.md' }), one.state).load();
    two.startRun({}, runId('run-2')).schedule('b').start('b');
    one.lock('a', 'x');
    two.lock('b', 'y').lock('b', 'x');
    expect(asked(one, 'a', 'y')[1]).toContain('deadlock-detected b#1');
    expect(two.live('b').doom).toMatchObject({ kind: 'deadlock' });
  });

  it('not one of a plan whose runner is dead, though it is the youngest', () => {
    const one = running('a');
    const two = log(planOf('b', { path: 'two.md' }), one.state).load();
    two.startRun({}, runId('run-2')).schedule('b').start('b');
    one.lock('a', 'x').dead.add('two.md');
    two.lock('b', 'y').lock('b', 'x');
    expect(asked(one, 'a', 'y')).toEqual(['victim', ['deadlock-detected a#1', 'attempt-doomed a#1 deadlock']]);
  });
});

describe('an attempt that is over', () => {
  it.each<[string, Scenario, object]>([
    ['was chosen', almost().lock('b', 'x'), { kind: 'victim', words }],
    ['is being ended', running().doom('b', { kind: 'stop' }), { kind: 'over' }],
  ])('%s', (_, scenario, answer) => {
    expect(scenario.ask('b', 'z')).toEqual(answer);
    expect(scenario.ask('b', 'z', false)).toEqual(answer);
  });

  it('has ended', () => {
    const scenario = running().lock('b', 'y');
    const owner = scenario.owner('b');
    scenario.end('b', 0);
    scenario.owner = () => owner;
    expect(scenario.ask('b', 'y')).toEqual({ kind: 'over' });
  });
});

describe('detection switched off by the run', () => {
  const off = { detect: false, victim: 'youngest' } as const;

  it('lets them wait for each other', () => {
    const scenario = almost(undefined, off);
    expect([scenario.ask('b', 'x', false).kind, kindOf(scenario, 'b', 'x')]).toEqual(['busy', 'waiting']);
    expect(scenario.decide()).toEqual([]);
  });

  it('holds also for attempts that an earlier run has left', () => {
    const scenario = almost().startRun({}, runId('run-2'), undefined, off);
    expect(kindOf(scenario, 'b', 'x')).toBe('waiting');
  });
});

describe('while one of the cycle is being stopped', () => {
  it('another request of the same cycle only waits', () => {
    // b waits for a and is stopped for another reason; a closes the cycle.
    const scenario = running().lock('a', 'x').lock('b', 'y').lock('b', 'x').doom('b', { kind: 'stop' });
    expect(asked(scenario, 'a', 'y')).toEqual(['waiting', ['lock-waiting a#1']]);
    expect(scenario.decide()).toEqual([]);
  });

  it('a try is told that it is busy: waiting would end', () => {
    const scenario = running().lock('a', 'x').lock('b', 'y').lock('b', 'x').doom('b', { kind: 'stop' });
    expect(asked(scenario, 'a', 'y', false)).toEqual(['busy', ['lock-tried a#1']]);
  });
});

it('names people by what they call themselves', () => {
  expect(nameOf(running().lock('a', 'x').state, '#1')).toBe('a#1');
});

it('says the plan too where two have the same task', () => {
  const one = running('a');
  const two = log(planOf('a', { path: 'two.md' }), one.state).load();
  two.startRun({}, runId('run-2')).schedule('a').start('a').lock('a', 'y');
  one.lock('a', 'x').lock('ann', 'z').lock('a', 'z').lock('ann', 'q');
  expect(['#1', '#2', 'ann'].map((owner) => nameOf(one.state, owner))).toEqual(['plan.md a#1', 'two.md a#1', 'ann']);
  one.lock('a', 'y');
  expect(two.ask('a', 'x')).toMatchObject({
    kind: 'victim',
    words: 'two.md a#1 holds y and waits for x, held by plan.md a#1, which waits for y',
  });
  expect(one.events.concat(two.events).find(({ type }) => type === 'deadlock-detected')).toMatchObject({
    cycle: ['two.md a#1', 'plan.md a#1'],
    blocker: 'plan.md a#1',
    victim: 'a#1',
  });
  two.end('a', 1);
  two.release('ann', 'z');
  expect(nameOf(one.state, 'ann')).toBe('ann');
});

describe('somebody whom Signalbox did not start', () => {
  it.each([
    ['a time', { until: 99 }, { until: 99, process: null }],
    ['a process', { process: here }, { until: 0, process: here }],
  ])('keeps what it waited for no longer than one who got it at once: %s', (_, lease, kept) => {
    const scenario = running().lock('a', 'x');
    const record = (event: Event) => void scenario.record(event);
    const request = { owner: scenario.owner('ann'), wants: [{ key: 'x', mode: 'exclusive' as const }], queue: true };
    requestLocks(
      scenario.state,
      { ...request, now: 0, process: here, lease },
      { record, watched: new Set(scenario.state.plans.keys()) },
    );
    scenario.release('a', 'x').settle();
    expect(scenario.locks()).toBe('ann x');
    expect(scenario.state.locks.owners.get('ann')).toMatchObject(kept);
  });
});
