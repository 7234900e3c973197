// What the lock commands print for people: one thing, one line, whatever names and keys contain.
import { describe, expect, it } from 'vitest';
import { CliRig, startOfTime } from '../../../test/rigs/cli-rig.ts';
import type { LockDoor } from '../../api/locks/lock-door.ts';
import type { LockListReport, LockReport } from '../../api/reports/locks.ts';
import { displayWidth } from '../terminal/display-width.ts';

const iso = (ms: number) => new Date(startOfTime + ms).toISOString();
const door = (locks: Partial<LockDoor>, options?: ConstructorParameters<typeof CliRig>[1]) =>
  new CliRig({ locks: async () => locks as LockDoor }, options);
const holder = (more: object = {}) => ({
  ...{ owner: 'bob', task: null, plan: null, resource: 'src/b.ts', does: 'holds' as const, since: iso(-12_000) },
  ...more,
});
const answer = (more: Partial<LockReport>): LockReport => ({
  ...{ answer: 'granted', owner: 'ann', resources: ['src/a.ts'], holders: [], reason: null, release: [], waitedMs: 0 },
  ...more,
});

describe('lock wait', () => {
  it.each<[string, Partial<LockReport>, number, string[]]>([
    ['at once', {}, 0, ['ann holds src/a.ts']],
    ['after a while', { waitedMs: 4600 }, 0, ['ann holds src/a.ts, after 4.6 s']],
    [
      'nobody lets go',
      { answer: 'timeout', waitedMs: 3000, holders: [holder(), holder({ owner: 'cid', does: 'waits', since: null })] },
      1,
      [
        'ann waited 3 s for src/a.ts and gave up',
        'src/b.ts has been held by bob for 12 s',
        'cid came first and waits for src/b.ts',
      ],
    ],
    ['interrupted', { answer: 'interrupted' }, 1, ['ann no longer waits for src/a.ts']],
    [
      'a deadlock',
      { answer: 'deadlock', reason: 'it is a circle', release: ['src/my file.ts'] },
      5,
      [
        'refused: waiting for src/a.ts would never end, because it is a circle',
        "release it first, then ask again: signalbox lock release 'src/my file.ts' --agent ann",
      ],
    ],
    [
      'stopped',
      { answer: 'victim', reason: 'it is a circle' },
      5,
      ['ann is being stopped to end a deadlock: it is a circle', 'nothing is lost: its task runs again by itself'],
    ],
    ['over', { answer: 'over' }, 5, ['ann gets no more locks: its attempt has ended or is being stopped']],
  ])('%s', async (_, more, code, lines) => {
    const rig = door({ wait: async () => answer(more) });
    expect(await rig.run('lock', 'wait', 'src/a.ts', '--agent', 'ann')).toBe(code);
    expect((rig.out + rig.err).trimEnd().split('\n')).toEqual(lines);
  });
});

it('lock try tells who has it', async () => {
  const rig = door({ try: async () => answer({ answer: 'busy', holders: [holder()] }) });
  expect(await rig.run('lock', 'try', 'src/b.ts')).toBe(1);
  expect([rig.out, rig.err]).toEqual(['', 'src/b.ts has been held by bob for 12 s\n']);
});

it.each([
  [['src/a.ts'], [], 'released src/a.ts\n', ''],
  [['src/a.ts'], ['src/b.ts'], 'released src/a.ts\n', 'not held by ann: src/b.ts\n'],
  [[], ['src/b.ts'], '', 'not held by ann: src/b.ts\n'],
  [[], [], 'ann holds nothing\n', ''],
])('lock release: %j released, %j not', async (released, notHeld, out, err) => {
  const rig = door({ release: async () => ({ owner: 'ann', released, notHeld }) });
  expect(await rig.run('lock', 'release', 'src/a.ts')).toBe(0);
  expect([rig.out, rig.err]).toEqual([out, err]);
});

describe('lock list', () => {
  const who = { task: null, plan: null };
  const list: LockListReport = {
    holds: [
      {
        ...who,
        resource: 'src/a.ts',
        mode: 'exclusive',
        owner: '张三',
        since: iso(-3000),
        fence: 1,
        heldMs: 3_000,
        until: iso(-60_000),
        leftMs: 60_000,
      },
      {
        ...who,
        resource: 'docs/**',
        mode: 'shared',
        owner: '1.1#1',
        task: '1.1',
        since: iso(-90_000),
        fence: 2,
        heldMs: 90_000,
        until: null,
        leftMs: null,
      },
    ],
    waits: [
      {
        ...who,
        resources: ['src/a.ts', 'docs'],
        owner: 'bob',
        since: iso(-500),
        waitedMs: 500,
        blockedBy: ['张三', '1.1#1'],
      },
    ],
    deadlocks: [],
  };

  it('says so when there is nothing', async () => {
    const rig = door({ list: async () => ({ holds: [], waits: [], deadlocks: [] }) });
    await rig.run('lock', 'list');
    expect(rig.out).toBe('Nobody holds a lock.\n');
  });

  it('is a table, aligned also with wide characters', async () => {
    const rig = door({ list: async () => list });
    await rig.run('lock', 'list');
    expect(rig.out).toBe(
      [
        '张三   holds  src/a.ts        for 3 s         expires in 1 min',
        '1.1#1  reads  docs/**         for 1 min 30 s',
        'bob    waits  src/a.ts, docs  for 0 s         behind 张三 and 1.1#1',
        '',
      ].join('\n'),
    );
  });

  it.each([20, 40, 60])('is not wider than a terminal of %i columns, whatever names there are', async (columns) => {
    const evil = `\x1b[31mx\r\n${'long '.repeat(40)}`;
    const [hold] = list.holds;
    const report = { ...list, holds: [{ ...hold!, owner: evil, resource: evil }] };
    const rig = door({ list: async () => report }, { columns });
    await rig.run('lock', 'list');
    expect(rig.out).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    for (const line of rig.out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(rig.out).toMatch(/ (holds|hol)/);
  });

  it('ends with the deadlocks', async () => {
    const rig = door({ list: async () => ({ ...list, deadlocks: ['a waits for b'] }) });
    await rig.run('lock', 'list');
    expect(rig.out).toMatch(/deadlock: a waits for b\n$/);
  });
});
