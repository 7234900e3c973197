import { describe, expect, it } from 'vitest';
import { ownNow } from '../../test/own-time.ts';
import { LockTable, type Mode, type Want } from './lock-table.ts';

/** `a b!`: shared on a, exclusive on b. */
function wants(text: string): Want[] {
  return text
    .split(' ')
    .map((word) => ({ key: word.replace('!', ''), mode: word.endsWith('!') ? 'exclusive' : 'shared' }));
}

/** Each line is a fact: `A has a!`, `B asks a! b`, `B asks a! b passed 8`. Tickets count from 1. */
function table(...facts: string[]): LockTable {
  const locks = new LockTable();
  let ticket = 0;
  let fence = 0;
  for (const fact of facts) {
    const [, owner, verb, keys, passed] = /^(\S+) (has|asks) (.*?)(?: passed (\d+))?$/.exec(fact)!;
    if (verb === 'asks')
      locks.queue({ ticket: ++ticket, owner: owner!, wants: wants(keys!), passed: Number(passed ?? 0) });
    else for (const { key, mode } of wants(keys!)) locks.hold(owner!, key, mode, ++fence);
  }
  return locks;
}

const inTheWay = (locks: LockTable, ticket: number) =>
  locks.obstaclesOf(locks.request(ticket)!).map(({ owner, kind, theirs }) => `${owner} ${kind} ${theirs}`);

describe('what stands in the way of the last request', () => {
  it.each<[string, string[], string[]]>([
    ['nothing', ['A asks a!'], []],
    ['an exclusive hold of what it wants to share', ['A has a!', 'B asks a'], ['A holds a']],
    ['a shared hold of what it wants alone', ['A has a', 'B asks a!'], ['A holds a']],
    ['nothing where both share', ['A has a', 'B asks a'], []],
    [
      'each of several holders',
      ['B has a', 'A has a', 'C has a', 'D asks a!'],
      ['A holds a', 'B holds a', 'C holds a'],
    ],
    ['a folder above it', ['A has src!', 'B asks src/a.ts'], ['A holds src']],
    ['a pattern', ['A has src/*.ts!', 'B asks src/a.ts'], ['A holds src/*.ts']],
    ['nothing with another name', ['A has db:test!', 'B asks db:prod!'], []],
    ['only what others hold of many', ['A has a!', 'B has b!', 'B asks c! b! a!'], ['A holds a']],
    ['not its own hold', ['A has a!', 'A asks a!'], []],
    ['not its own wider hold', ['A has src!', 'A asks src/a.ts!'], []],
    ['not its own earlier request', ['A has a!', 'B asks a!', 'B asks a!'], ['A holds a']],
    ['not the other sharers of an upgrade twice', ['A has a', 'B has a', 'A asks a!'], ['B holds a']],
    ['an earlier request for the same', ['A has a', 'B asks a!', 'C asks a'], ['B waits a']],
    ['no earlier request that shares', ['A has a!', 'B asks a', 'C asks a'], ['A holds a']],
    ['each earlier request', ['A asks a!', 'B asks a!', 'C asks a'], ['A waits a', 'B waits a']],
    ['not a later request', ['A has b', 'B asks a b! passed 8', 'A asks c'], []],
    ['the part of many that others hold', ['A has a', 'B asks a! b!', 'C asks a'], ['B waits a']],
    ['no free part of many', ['A has a', 'B asks a! b!', 'C asks b!'], []],
    ['no free part of many that was passed seven times', ['A has a', 'B asks a! b! passed 7', 'C asks b!'], []],
    [
      'a free part of many that was passed eight times',
      ['A has a', 'B asks a! b! passed 8', 'C asks b!'],
      ['B waits b'],
    ],
    ['the held part beside the free one', ['A has a', 'B asks a! b!', 'C asks b! a'], ['B waits a']],
    ['one resource named twice, which is not many', ['A has b', 'B asks a! a b! b', 'C asks a'], []],
    ['one resource named twice, which is one', ['A has a', 'B asks a! a', 'C asks a'], ['B waits a']],
    ['nobody who waits for this very owner', ['A has a', 'B asks a!', 'A asks a!'], []],
    ['nobody who waits for it, however often passed', ['A has a', 'B asks a! b! passed 8', 'A asks b!'], []],
    ['nobody who waits for it elsewhere', ['A has a', 'X has b', 'B asks a! b!', 'A asks b'], []],
    ['nobody who stands behind its owner', ['D has a!', 'A asks a!', 'C asks a!', 'A asks a!'], ['D holds a']],
    ['not even with many', ['D has a!', 'A asks a!', 'C asks a! b! passed 8', 'A asks b!'], []],
    [
      'who stands behind its owner elsewhere only in name',
      ['D has a!', 'A asks b! c!', 'C asks a! b!', 'A asks a!'],
      ['D holds a', 'C waits a'],
    ],
    ['an upgrade before an upgrade', ['A has a', 'B has a', 'A asks a!', 'B asks a!'], ['A holds a']],
    ['a holder that also waits, once', ['A has a', 'A asks a!', 'B asks a!'], ['A holds a']],
    ['an earlier request that waits for another', ['A has a', 'B asks a!', 'C has b', 'C asks a'], ['B waits a']],
    ['names that only look like keys', ['A has {!', 'B asks { a'], ['A holds {']],
  ])('%s', (_, facts, expected) => {
    const locks = table(...facts);
    const last = [...locks.requests()].at(-1)!;
    expect(inTheWay(locks, last.ticket)).toEqual(expected);
    const fresh = table(...facts);
    fresh.unqueue(last.ticket);
    const { owner, wants: wanted } = last;
    expect(fresh.obstaclesOf({ owner, wants: wanted }), 'the same before it is queued').toEqual(
      locks.obstaclesOf(last),
    );
  });

  it('tells what is wanted, and the ticket of who is before', () => {
    const locks = table('A has src/a.ts!', 'B asks lib!', 'C asks src lib/b.ts!');
    expect(locks.obstaclesOf(locks.request(2)!)).toEqual([
      { owner: 'A', want: 'src', theirs: 'src/a.ts', kind: 'holds' },
      { owner: 'B', want: 'lib/b.ts', theirs: 'lib', kind: 'waits', ticket: 1 },
    ]);
  });

  it('is in an order that does not depend on the way there', () => {
    const one = table('A has a', 'C has a', 'B has a/x', 'B has a', 'D asks a!');
    const other = table('B has a', 'B has a/x', 'C has a', 'A has a', 'D asks a!');
    expect(inTheWay(one, 1)).toEqual(['A holds a', 'B holds a', 'B holds a/x', 'C holds a']);
    expect(inTheWay(other, 1)).toEqual(inTheWay(one, 1));
  });
});

describe('the next grant', () => {
  it.each<[string, string[], number | null, number[]]>([
    ['of nothing', [], null, []],
    ['first come, first served', ['A asks a!', 'B asks a!'], 1, []],
    ['goes by tickets, past those that cannot', ['X has a', 'A asks a!', 'B asks b!', 'C asks c!'], 2, []],
    ['is nobody while all wait', ['X has a', 'A asks a!', 'B asks a'], null, []],
    ['gives all or none', ['X has b', 'A asks a! b!'], null, []],
    ['takes a free part from before one that waits for more', ['X has a', 'A asks a! b!', 'B asks b!'], 2, [1]],
    ['does so for every one that it passes', ['X has a', 'A asks a! b', 'B asks a! b', 'C asks b!'], 3, [1, 2]],
    ['counts only who loses by it', ['X has a', 'A asks a! b', 'B asks b'], 2, []],
    ['lets a lone sharer upgrade', ['A has a', 'B asks a!', 'A asks a!'], 2, [1]],
    ['passes nobody by asking for what one has', ['A has a!', 'B asks a! b', 'A asks a!'], 2, []],
    ['passes nobody by sharing what one has alone', ['A has a!', 'B asks a! b', 'A asks a'], 2, []],
    ['passes no request of its own', ['X has a', 'A asks a! b!', 'A asks b!'], 2, []],
  ])('%s', (_, facts, ticket, passes) => {
    const locks = table(...facts);
    const grant = locks.nextGrant();
    expect(grant?.request.ticket ?? null).toBe(ticket);
    expect(grant?.passes ?? []).toEqual(passes);
  });

  it('is not passed a ninth time', () => {
    const locks = table('X has a', 'A asks a! b!');
    for (let ticket = 2; ticket < 10; ticket++) {
      locks.queue({ ticket, owner: `later${ticket}`, wants: wants('b!') });
      const grant = locks.nextGrant()!;
      expect(grant).toMatchObject({ request: { ticket }, passes: [1] });
      locks.pass(grant.passes);
      locks.unqueue(ticket);
    }
    expect(locks.request(1)!.passed).toBe(8);
    locks.queue({ ticket: 10, owner: 'ninth', wants: wants('b!') });
    expect(locks.nextGrant()).toBeNull();
    expect(inTheWay(locks, 10)).toEqual(['A waits b']);
    expect(locks.passesOf(locks.request(10)!)).toEqual([]);
  });
});

describe('a deadlock', () => {
  const cycle = (locks: LockTable, owner: string) =>
    locks.findDeadlock(owner)?.map((step) => `${step.owner} ${step.waitsFor} ${step.kind} ${step.heldBy}`) ?? null;

  it.each<[string, string[], string, string[] | null]>([
    ['needs somebody who waits', ['A has a!'], 'A', null],
    ['needs somebody who is there', [], 'A', null],
    ['is not one wait', ['A has a!', 'B asks a!'], 'B', null],
    ['of two', ['A has a!', 'B has b!', 'A asks b!', 'B asks a!'], 'B', ['B a holds A', 'A b holds B']],
    [
      'of three',
      ['A has a!', 'B has b!', 'C has c!', 'A asks b!', 'B asks c!', 'C asks a!'],
      'C',
      ['C a holds A', 'A b holds B', 'B c holds C'],
    ],
    ['is not one that somebody else is in', ['A has a!', 'B has b!', 'A asks b!', 'B asks a!', 'C asks a!'], 'C', null],
    [
      'of two who share and both upgrade',
      ['A has a', 'B has a', 'A asks a!', 'B asks a!'],
      'B',
      ['B a holds A', 'A a holds B'],
    ],
    ['is not one upgrade', ['A has a', 'B has a', 'B asks a!'], 'B', null],
    [
      'by one of several sharers',
      ['A has a', 'B has a', 'C has a', 'D has d!', 'C asks d!', 'D asks a!'],
      'D',
      ['D a holds C', 'C d holds D'],
    ],
    [
      'by the order of the queue',
      ['X has a', 'B has b!', 'A asks a!', 'X asks b!', 'B asks a'],
      'B',
      ['B a waits A', 'A a holds X', 'X b holds B'],
    ],
    ['does not come from re-entrance', ['A has a!', 'B asks a!', 'A asks a!'], 'A', null],
    ['does not come from a lone upgrade', ['A has a', 'B asks a!', 'A asks a!'], 'A', null],
    [
      'takes the shortest way',
      ['A has a', 'B has a', 'C has b', 'B asks b!', 'C asks d!', 'A has d', 'A asks b!', 'C has c', 'B asks c!'],
      'A',
      ['A b holds C', 'C d holds A'],
    ],
    [
      'takes the first name among ways of one length',
      ['A has a', 'C has b', 'B has b', 'C asks a!', 'B asks a!', 'A asks b!'],
      'A',
      ['A b holds B', 'B a holds A'],
    ],
    [
      'by the second request of somebody',
      ['A has a!', 'B has b!', 'X has x!', 'A asks x!', 'A asks b!', 'B asks a!'],
      'B',
      ['B a holds A', 'A b holds B'],
    ],
  ])('%s', (_, facts, owner, expected) => {
    expect(cycle(table(...facts), owner)).toEqual(expected);
  });

  it('names every wait with its ticket', () => {
    const locks = table('A has a!', 'B has b/c!', 'A asks b!', 'B asks a/d!');
    expect(locks.findDeadlock('B')).toEqual([
      { owner: 'B', ticket: 2, waitsFor: 'a/d', heldBy: 'A', theirs: 'a', kind: 'holds' },
      { owner: 'A', ticket: 1, waitsFor: 'b', heldBy: 'B', theirs: 'b/c', kind: 'holds' },
    ]);
  });

  it('is foreseen without queueing', () => {
    const locks = table('A has a!', 'B has b!', 'A asks b!');
    expect(locks.wouldDeadlock({ owner: 'B', wants: wants('a!') })).toEqual([
      { owner: 'B', ticket: 0, waitsFor: 'a', heldBy: 'A', theirs: 'a', kind: 'holds' },
      { owner: 'A', ticket: 1, waitsFor: 'b', heldBy: 'B', theirs: 'b', kind: 'holds' },
    ]);
    expect([...locks.requests()].map(({ ticket }) => ticket)).toEqual([1]);
    expect(locks.wouldDeadlock({ owner: 'C', wants: wants('a!') })).toBeNull();
    expect(locks.wouldDeadlock({ owner: 'B', wants: wants('c!') })).toBeNull();
    expect([...locks.owners()].sort()).toEqual(['A', 'B']);
  });

  it('that is there already is not one of a request that has no part in it', () => {
    const locks = table('A has a!', 'B has b!', 'A asks b!', 'B asks a!', 'X has x!');
    expect(locks.wouldDeadlock({ owner: 'B', wants: wants('x!') })).toBeNull();
  });

  it('is not made by two requests of one owner with another between', () => {
    const locks = table('D has a!', 'A asks a!', 'C asks a!', 'A asks a!');
    for (const owner of ['A', 'C', 'D']) expect(locks.findDeadlock(owner)).toBeNull();
  });

  it('goes past those who share with the waiter in the same queue, and not through them', () => {
    const locks = table('H has x!', 'D has y!', 'B asks x!', 'C asks x', 'D asks x', 'E asks x!', 'H asks y!');
    expect(cycle(locks, 'D')).toEqual(['D x holds H', 'H y holds D']);
    const behind = table('H has x', 'D has y!', 'B asks x!', 'C asks x', 'D asks x', 'B asks y!');
    expect(cycle(behind, 'D')).toEqual(['D x waits B', 'B y holds D']);
  });

  it('can be closed by a grant, through somebody who had no part in it', () => {
    const locks = table('D asks a!', 'C has x!', 'A has b!', 'C asks a b!', 'A asks x!', 'A asks a!');
    expect(cycle(locks, 'C')).not.toBeNull();
    const free = table('C has z!', 'D has y!', 'D asks x! z!', 'B asks y');
    expect(cycle(free, 'D')).toBeNull();
    // A part of D that was free is held now.
    free.hold('B', 'x', 'shared', 9);
    expect(cycle(free, 'D')).toEqual(['D x holds B', 'B y holds D']);
    expect(free.knots()).toEqual(['D', 'B']);
  });

  it('can be closed by a drop: who had something that others wait for stands behind them without it', () => {
    const locks = table('A has p', 'X has p', 'Y has q', 'A has z', 'B asks p!', 'A asks p/x q!', 'X asks z!');
    expect(cycle(locks, 'A')).toBeNull();
    locks.drop('A', 'p');
    expect(cycle(locks, 'A')).toEqual(['A p/x waits B', 'B p holds X', 'X z holds A']);
    // B only stands in a queue, with one request.
    expect(locks.knots()).toEqual(['A', 'X']);
  });

  it('can be closed by a withdrawal: who was before others with one request is behind them with the next', () => {
    const locks = table('Y has k q', 'W has m', 'A has z', 'A asks k!', 'B asks k! m!', 'A asks m q!', 'W asks z!');
    expect(cycle(locks, 'A')).toBeNull();
    locks.unqueue(1);
    expect(cycle(locks, 'A')).toEqual(['A m waits B', 'B m holds W', 'W z holds A']);
  });

  it.each([200, 5_000])('of %i is found, and ends when one of them goes', (parties) => {
    const locks = new LockTable();
    for (let i = 0; i < parties; i++) locks.hold(`o${i}`, `k${i}`, 'exclusive', i);
    for (let i = 0; i < parties; i++) {
      expect(locks.findDeadlock(`o${i}`)).toBeNull();
      locks.queue({ ticket: i, owner: `o${i}`, wants: wants(`k${(i + 1) % parties}!`) });
    }
    expect(locks.findDeadlock(`o${parties - 1}`)).toHaveLength(parties);
    locks.unqueue(7);
    expect(locks.findDeadlock(`o${parties - 1}`)).toBeNull();
  });
});

describe('facts', () => {
  const state = (locks: LockTable) => ({ holds: [...locks.holds()], requests: [...locks.requests()] });

  it('are told once', () => {
    const locks = table('A has a!', 'B asks a! b');
    const before = state(locks);
    locks.hold('A', 'a', 'exclusive', 1);
    locks.hold('A', 'a', 'shared', 0);
    locks.drop('A', 'b');
    locks.drop('Z', 'a');
    locks.queue({ ticket: 1, owner: 'C', wants: wants('z!') });
    locks.unqueue(9);
    locks.pass([9]);
    expect(state(locks)).toEqual(before);
    expect(before.holds).toEqual([{ owner: 'A', key: 'a', mode: 'exclusive', fence: 1 }]);
    expect(before.requests).toEqual([{ ticket: 1, owner: 'B', wants: wants('a! b'), passed: 0 }]);
  });

  it.each<[Mode, number, Mode, number, Mode, number]>([
    ['shared', 1, 'exclusive', 2, 'exclusive', 2],
    ['exclusive', 1, 'shared', 2, 'exclusive', 2],
    ['shared', 3, 'shared', 2, 'shared', 3],
    ['exclusive', 3, 'exclusive', 4, 'exclusive', 4],
  ])('keep the stronger mode and the greater fence: %s %i, %s %i', (first, f1, second, f2, mode, fence) => {
    const locks = new LockTable();
    locks.hold('A', 'a', first, f1);
    locks.hold('A', 'a', second, f2);
    expect(locks.holdsOf('A')).toEqual([{ owner: 'A', key: 'a', mode, fence }]);
    expect(locks.obstaclesOf({ owner: 'B', wants: wants('a') })).toHaveLength(mode === 'exclusive' ? 1 : 0);
  });

  it('leave nothing behind', () => {
    const locks = table('A has a!', 'A has b', 'B asks a!', 'B asks b!', 'C asks {x,y}/*');
    expect(locks.isEmpty).toBe(false);
    expect(locks.waitsOf('B').map(({ ticket }) => ticket)).toEqual([1, 2]);
    expect(locks.waitsOf('A')).toEqual([]);
    expect(locks.holdsOf('Z')).toEqual([]);
    expect(locks.waitsOf('Z')).toEqual([]);
    expect([...locks.owners()].sort()).toEqual(['A', 'B', 'C']);
    for (const { owner, key } of locks.holdsOf('A')) locks.drop(owner, key);
    expect(locks.isEmpty).toBe(false);
    for (const { ticket } of [...locks.requests()]) locks.unqueue(ticket);
    expect(locks.isEmpty).toBe(true);
    expect([...locks.owners()]).toEqual([]);
  });

  it('keep the order of tickets, in whatever order they are told', () => {
    const locks = new LockTable();
    for (const ticket of [3, 1, 2]) locks.queue({ ticket, owner: `o${ticket}`, wants: wants('a!') });
    expect([...locks.requests()].map(({ ticket }) => ticket)).toEqual([1, 2, 3]);
    expect(locks.nextGrant()!.request.ticket).toBe(1);
    expect(inTheWay(locks, 3)).toEqual(['o1 waits a', 'o2 waits a']);
  });

  it('can be about nothing', () => {
    const locks = new LockTable();
    locks.queue({ ticket: 1, owner: 'A', wants: [] });
    expect(locks.nextGrant()).toEqual({ request: { ticket: 1, owner: 'A', wants: [], passed: 0 }, passes: [] });
  });
});

describe('costs', () => {
  // The quickest round, for a busy machine; what is guarded against is a thousand times slower.
  const quickest = (rounds: number, work: (round: number) => void) => {
    const times = Array.from({ length: rounds }, (_, round) => {
      const started = ownNow();
      work(round);
      return ownNow() - started;
    });
    return Math.min(...times);
  };

  it('no more for a long chain than walking along it', () => {
    const locks = new LockTable();
    const length = 30_000;
    for (let i = 0; i < length; i++) locks.hold(`o${i}`, `k${i}`, 'exclusive', i);
    for (let i = 0; i < length - 1; i++) locks.queue({ ticket: i, owner: `o${i}`, wants: wants(`k${i + 1}!`) });
    locks.queue({ ticket: length, owner: 'x', wants: wants('k0!') });
    expect(quickest(20, () => locks.findDeadlock('o0'))).toBeLessThan(3);
  });

  it('little for a long queue', () => {
    const locks = new LockTable();
    const waiters = 3_000;
    locks.hold('h', 'a', 'exclusive', 0);
    for (let i = 1; i <= waiters; i++) locks.queue({ ticket: i, owner: `o${i}`, wants: wants('a!') });
    locks.queue({ ticket: waiters + 1, owner: 'h', wants: wants('b!') });
    locks.hold('x', 'b', 'exclusive', 1);
    locks.queue({ ticket: waiters + 2, owner: 'x', wants: wants('c!') });
    locks.hold(`o${waiters}`, 'c', 'exclusive', 2);
    expect(quickest(10, () => expect(locks.findDeadlock('h')).toHaveLength(3))).toBeLessThan(50);
    let holder = 'h';
    const handOn = () => {
      locks.drop(holder, 'a');
      const { request } = locks.nextGrant()!;
      locks.unqueue(request.ticket);
      holder = request.owner;
      locks.hold(holder, 'a', 'exclusive', request.ticket);
    };
    expect(quickest(10, handOn)).toBeLessThan(50);
    expect(holder).toBe('o10');
  });
});
