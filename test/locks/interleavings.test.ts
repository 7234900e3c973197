// Two and three clients with short programs, in every order of their steps, on the memory store and on SQLite: nobody is ever stuck,
// a deadlock stops exactly one, by the word of a plain oracle, and both stores tell the same story. Where there are hundreds of orders,
// `npm test` plays every fourth of them on SQLite too, and `npm run prove -- lock-orders` all.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mode, Want } from '../../src/locks/lock-table.ts';
import { MemoryLog } from '../../src/store/memory/memory-log.ts';
import { openMemory } from '../../src/store/memory/open-memory.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { Choices, everyOrder } from './interleave.ts';
import { type Case, Players, type Step } from './lock-players.ts';

const isLong = process.env.SIGNALBOX_LONG === '1';
const many = 200;

let folder: string;
const stores: Store[] = [];

beforeAll(async () => {
  // In memory where that is possible: thousands of commits, and none of them has to survive.
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'signalbox-interleavings-'));
  const clock = { now: () => Date.now() };
  stores.push(openMemory(new MemoryLog(), clock));
  stores.push((await openSqlite({ folder: join(folder, '.signalbox'), create: true, programVersion: '0.2.0' }))!);
});
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** `x` exclusive, `x?` shared, `x+y` both at once, `.` gives all back; so does the end. */
function program(text: string): Step[] {
  return text.split(' ').map((word): Step => {
    if (word === '.') return 'release';
    const wants = word.split('+').map((name): Want => {
      const mode: Mode = name.endsWith('?') ? 'shared' : 'exclusive';
      return { key: name.replace('?', ''), mode };
    });
    return { lock: wants };
  });
}

const cases: [name: string, programs: string[], overlapping?: [string, string][]][] = [
  ['two in opposite order', ['x y', 'y x']],
  ['two who upgrade', ['x? x', 'x? x']],
  ['two who read one and write the other', ['x? y', 'y? x']],
  ['two who only read', ['x? y?', 'y? x?']],
  ['two who take both at once', ['x+y', 'y+x', 'x']],
  ['two who take one and then two', ['x y+z', 'y x+z']],
  [
    'two in opposite order through patterns',
    ['src/** docs/a', 'docs/** src/b'],
    [
      ['src/**', 'src/b'],
      ['docs/**', 'docs/a'],
    ],
  ],
  ['two who come again', ['x y . x', 'y x . y']],
  ['a ring of three', ['x y', 'y z', 'z x']],
  ['three of whom one stands in the queue of another', ['x? y', 'x', 'y x?']],
  ['three who upgrade', ['x? x', 'x? x', 'x? x']],
  ['two in opposite order and one who wants both', ['x y', 'y x', 'x+y']],
  ['two who upgrade and one who writes', ['x? x', 'x? x', 'x']],
];

describe.each(['agents', 'attempts'] as const)('%s:', (kind) => {
  it.each(cases)('%s, in every order', async (name, texts, overlapping) => {
    const kase: Case = { name, kind, programs: texts.map(program), ...(overlapping ? { overlapping } : {}) };
    let deadlocks = 0;
    let played = 0;
    const orders = await everyOrder(async (choices) => {
      const stories: string[] = [];
      const isOnBoth = isLong || played++ < many || played % 4 === 0;
      for (const [i, store] of stores.slice(0, isOnBoth ? 2 : 1).entries()) {
        const players = new Players(store, kase);
        await players.play(i === 0 ? choices : new Choices(choices.taken));
        expect(players.wrong, players.told.join('; ')).toEqual([]);
        deadlocks += players.deadlocks;
        stories.push(players.told.join('; '));
      }
      if (isOnBoth) expect(stories[1]).toBe(stories[0]);
    });
    expect(orders).toBeGreaterThan(5);
    expect(deadlocks > 0, `${deadlocks} deadlocks in ${orders} orders`).toBe(!/only read|both at once/.test(name));
  });
});
