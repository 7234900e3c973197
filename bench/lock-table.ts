// What locks cost in memory, without any store: looking for a cycle at every wait, and taking and giving back. Bundled by run.mjs.
import { LockTable, type Want } from '../src/locks/lock-table.ts';

const row = (what: string, text: string) => console.log(`${what.padEnd(48)} ${text}`);
const alone = (key: string): Want[] => [{ key, mode: 'exclusive' }];
const at = (sorted: number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)]!;
const path = (i: number) => `src/part${i % 100}/file${i}.ts`;

/** Sorted, in microseconds. */
function timesOf(rounds: number, work: (round: number) => void): number[] {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    work(round);
    times.push((performance.now() - started) * 1_000);
  }
  return times.sort((a, b) => a - b);
}

const micros = (n: number) => `${n < 10 ? n.toFixed(2) : Math.round(n).toLocaleString('en')} µs`;
const spread = (times: number[]) =>
  `median ${micros(at(times, 0.5))}, p99 ${micros(at(times, 0.99))}, most ${micros(at(times, 1))}`;

/** Each holds a path of its own and waits for one of another: everything that happens when an agent has to wait. */
function agents(count: number, sharers: number): void {
  const locks = new LockTable();
  let fence = 0;
  // Only what comes later is waited for, so that there is no cycle and every search goes as far as it can.
  const mode = sharers > 1 ? 'shared' : 'exclusive';
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < sharers; k++) locks.hold(`o${Math.min(count - 1, i + k)}`, path(i), mode, ++fence);
  }
  let random = 1;
  const later = (i: number) => {
    random = (random * 48_271) % 2_147_483_647;
    return i + 1 + (random % (count - i - 1));
  };
  for (let i = 0; i < count - 1; i++) locks.queue({ ticket: i, owner: `o${i}`, wants: alone(path(later(i))) });
  const checks: number[] = [];
  const waits: number[] = [];
  let ticket = count;
  for (let round = 0; round < 20_000; round++) {
    const i = (round * 7) % (count - 1);
    locks.unqueue(locks.waitsOf(`o${i}`)[0]!.ticket);
    const wants = alone(path(later(i)));
    const started = performance.now();
    locks.queue({ ticket: ++ticket, owner: `o${i}`, wants });
    const queued = performance.now();
    if (locks.findDeadlock(`o${i}`) !== null) throw new Error('there is none');
    checks.push((performance.now() - queued) * 1_000);
    waits.push((queued - started) * 1_000);
  }
  const who = sharers > 1 ? `, ${sharers} holders each` : '';
  const sum = checks.reduce((a, b) => a + b) / checks.length;
  row(
    `cycle check at ${count.toLocaleString('en')} agents${who}`,
    `mean ${micros(sum)}, ${spread(checks.sort((a, b) => a - b))}`,
  );
  row(`  queueing the wait`, spread(waits.sort((a, b) => a - b)));
}

/** The first waits for the second, and so on to the last, who waits for nobody. */
function chain(length: number, sharers: number): void {
  const locks = new LockTable();
  const mode = sharers > 1 ? 'shared' : 'exclusive';
  for (let i = 0; i < length; i++) {
    for (let k = 0; k < sharers; k++) locks.hold(`o${Math.min(length - 1, i + k)}`, path(i), mode, i);
  }
  for (let i = 1; i < length - 1; i++) locks.queue({ ticket: i, owner: `o${i}`, wants: alone(path(i + 1)) });
  locks.queue({ ticket: length, owner: 'o0', wants: alone(path(1)) });
  const who = sharers > 1 ? `, ${sharers} holders each` : '';
  row(
    `cycle check on a chain of ${length.toLocaleString('en')}${who}`,
    spread(timesOf(300, () => locks.findDeadlock('o0'))),
  );
  // Somebody waits for the first, so that its way has to be gone to the end.
  locks.queue({ ticket: length + 1, owner: 'x', wants: alone(path(0)) });
  row('  and somebody waits for the first', spread(timesOf(300, () => locks.findDeadlock('o0'))));
  locks.queue({ ticket: length + 2, owner: `o${length - 1}`, wants: alone(path(0)) });
  const times = timesOf(5, () => {
    if (locks.findDeadlock(`o${length - 1}`) === null) throw new Error('there is one');
  });
  row('  and the last closes it: naming every party', spread(times));
}

/** From the request that closes it to the whole cycle by name. */
function deadlockOfTwo(): void {
  const locks = new LockTable();
  for (let i = 0; i < 1_000; i++) locks.hold(`o${i}`, path(i), 'exclusive', i);
  locks.queue({ ticket: 1, owner: 'o1', wants: alone(path(2)) });
  const times = timesOf(2_000, (round) => {
    locks.queue({ ticket: round + 2, owner: 'o2', wants: alone(path(1)) });
    if (locks.findDeadlock('o2')?.length !== 2) throw new Error('there is one');
    locks.unqueue(round + 2);
  });
  row('a deadlock of two: queued, found and named', spread(times));
}

function manyWaiters(count: number): void {
  const locks = new LockTable();
  locks.hold('holder', 'src/a.ts', 'exclusive', 0);
  const queueing = timesOf(count, (i) => {
    locks.queue({ ticket: i + 1, owner: `o${i}`, wants: alone('src/a.ts') });
    locks.findDeadlock(`o${i}`);
  });
  row(`${count.toLocaleString('en')} waiters for one key: queue and check`, spread(queueing));
  let holder = 'holder';
  const handing = timesOf(500, (i) => {
    locks.drop(holder, 'src/a.ts');
    const { request } = locks.nextGrant()!;
    locks.unqueue(request.ticket);
    holder = request.owner;
    locks.hold(holder, 'src/a.ts', 'exclusive', i + 1);
  });
  row('  handing it to the next', spread(handing));
  locks.hold(holder, 'src/b.ts', 'exclusive', 0);
  locks.queue({ ticket: count + 1, owner: 'last', wants: alone('src/a.ts') });
  row('  cycle check of the holder', spread(timesOf(100, () => locks.findDeadlock(holder))));
  row(
    '  what is in the way of the last',
    spread(timesOf(20, () => locks.obstaclesOf({ owner: 'z', wants: alone('src/a.ts') }))),
  );
  locks.hold('last', 'src/c.ts', 'exclusive', 0);
  locks.queue({ ticket: count + 2, owner: holder, wants: alone('src/c.ts') });
  row('  a deadlock through all of them', spread(timesOf(20, () => locks.findDeadlock(holder))));
}

function pairs(held: number): void {
  const locks = new LockTable();
  for (let i = 0; i < held; i++) locks.hold(`other${i}`, `lib/part${i % 100}/file${i}.ts`, 'exclusive', i);
  const count = 200_000;
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    const owner = `o${i % 100}`;
    const key = path(i % 1_000);
    if (locks.obstaclesOf({ owner, wants: alone(key) }).length > 0) throw new Error('nobody has it');
    locks.hold(owner, key, 'exclusive', i);
    locks.drop(owner, key);
  }
  const seconds = (performance.now() - started) / 1_000;
  row(
    `ask, hold and drop beside ${held.toLocaleString('en')} holds`,
    `${Math.round(count / seconds).toLocaleString('en')} pairs per second, ${micros((seconds / count) * 1e6)} each`,
  );
}

agents(1_000, 1);
agents(1_000, 3);
chain(1_000, 1);
chain(100_000, 1);
chain(100_000, 3);
deadlockOfTwo();
manyWaiters(10_000);
for (const held of [0, 1_000, 100_000]) pairs(held);
