import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { living, PoolRig, path, until } from '../../../test/rigs/pool-rig.ts';
import { TreeKill } from './kill-tree.ts';
import { identify, thisHost } from './process-identity.ts';
import { ProcessTable, withDescendants } from './process-table.ts';

let rig: PoolRig;
beforeEach(() => {
  rig = new PoolRig();
});
afterEach(() => rig.close());

/** Starts a sleeper through the given words and writes its pid down. */
const sleeper = (words = ''): string => `${words} sh -c 'echo $$ >> pids; exec sleep 1000'`;

/** A program that does so when it is asked to end. */
const listener = (does: string): string =>
  `perl -e '$SIG{TERM} = sub { ${does} }; open P, ">>pids"; print P "$$\\n"; close P; sleep 1 while 1'`;

/** Until the test says so. */
const untilGo = 'while [ ! -e go ]; do sleep 0.01; done';

describe('stopping an attempt', () => {
  it('asks politely and keeps the exit code as one that proves nothing', async () => {
    const order = rig.start(`exec ${listener('print "bye\\n"; exit 0')}`);
    const processes = await rig.processes('pids', 1);
    rig.host.stop(order.token, 5000);
    expect(await rig.ended(order.token)).toEqual({ kind: 'killed', code: 0 });
    expect(living(processes)).toBe(0);
    expect(rig.text('1-t1.1.log')).toContain('bye\n');
  });

  it('kills what ignores the question, not before the grace is over', async () => {
    const order = rig.start("trap '' TERM; echo $$ > pids; while :; do sleep 0.01; done");
    const processes = await rig.processes('pids', 1);
    const began = performance.now();
    rig.host.stop(order.token, 300);
    expect(await rig.ended(order.token)).toEqual({ kind: 'killed', code: 137 });
    expect(performance.now() - began).toBeGreaterThanOrEqual(299);
    expect(performance.now() - began).toBeLessThan(2000);
    expect(living(processes)).toBe(0);
  });

  it('asked again with less patience, kills at once; with more, changes nothing', async () => {
    const order = rig.start("trap '' TERM; echo $$ > pids; while :; do sleep 0.01; done");
    await rig.processes('pids', 1);
    const began = performance.now();
    rig.host.stop(order.token, 60_000);
    rig.host.stop(order.token, 90_000);
    rig.host.stop(order.token, 0);
    expect(await rig.ended(order.token)).toEqual({ kind: 'killed', code: 137 });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('reaches those that left the group, the session and their parents', async () => {
    const parts = [
      `${sleeper()} &`,
      `${sleeper('setsid')} &`,
      `(${sleeper('setsid')} &)`,
      `setsid sh -c "(${sleeper('setsid').replaceAll('$', '\\$')} &) & exit" &`,
      `(${sleeper('nohup setsid')} </dev/null >/dev/null 2>&1 &)`,
    ];
    const order = rig.start(`${parts.join('\n')}\nwhile :; do sleep 0.01; done`);
    const processes = await rig.processes('pids', 5);
    expect(living(processes)).toBe(5);
    rig.host.stop(order.token, 1000);
    expect(await rig.ended(order.token)).toMatchObject({ kind: 'killed' });
    expect(living(processes)).toBe(0);
  });

  it('reaches one that cleared its environment and lost its parents (with a subreaper)', async () => {
    const order = rig.start(`(${sleeper('setsid env -i')} &); while :; do sleep 0.01; done`);
    const processes = await rig.processes('pids', 1);
    rig.host.stop(order.token, 1000);
    await rig.ended(order.token);
    expect(living(processes)).toBe(0);
  });

  it('outruns a fork storm', async () => {
    const script = `f() { echo x >> storm; i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $1 -lt 5 ] && (setsid sh -c "$body" f $(($1+1)) &); done; sleep 1000; }; f $1`;
    const order = rig.start(`export body='${script.replaceAll("'", `'\\''`)}'; sh -c "$body" f 1`);
    await until(() => rig.text('storm').split('\n').length > 40);
    rig.host.stop(order.token, 0);
    expect(await rig.ended(order.token)).toMatchObject({ kind: 'killed' });
    const marked = (await new ProcessTable().snapshot()).filter(
      (row) => row.marker === `${rig.workspace}:${order.token}`,
    );
    expect(marked).toEqual([]);
    const size = rig.text('storm').length;
    expect((await rig.run('true')).end).toEqual({ kind: 'exited', code: 0 });
    expect(rig.text('storm').length).toBe(size);
  });

  it('goes on although the attempt has stopped itself and its worker', async () => {
    const order = rig.start('echo $$ > pids; kill -STOP 0');
    const processes = await rig.processes('pids', 1);
    const { pid } = await rig.started(order.token);
    await until(() => stateOf(pid) === 'T');
    rig.host.stop(order.token, 100);
    expect(await rig.ended(order.token)).toMatchObject({ kind: 'killed' });
    expect(living(processes)).toBe(0);
    expect((await rig.run('exit 2')).end).toEqual({ kind: 'exited', code: 2 });
  });

  it('calls back an order that has not been taken yet, and never both calls back and runs', async () => {
    for (let round = 0; round < 20; round++) {
      const order = rig.start(`echo ${round} >> ran; sleep 1000`);
      rig.host.stop(order.token, 0);
      const end = await rig.ended(order.token);
      if (end.kind === 'never-started') expect(rig.text('ran')).not.toMatch(new RegExp(`^${round}$`, 'm'));
      else expect(end).toEqual({ kind: 'killed', code: 137 });
    }
  });

  it('does not call an attempt killed that had ended by itself', async () => {
    const order = rig.start('exit 8');
    await rig.ended(order.token);
    rig.host.stop(order.token, 0);
    await rig.run('true');
    expect(rig.observations.filter((o) => o.token === order.token && o.kind === 'ended')).toEqual([
      { kind: 'ended', token: order.token, end: { kind: 'exited', code: 8 } },
    ]);
  });

  it('given up by closing the pool, leaves nothing frozen', async () => {
    const stubborn = new PoolRig();
    const order = stubborn.start("trap '' TERM; echo $$ > pids; while :; do sleep 0.01; done");
    const [program] = await stubborn.processes('pids', 1);
    stubborn.host.stop(order.token, 60_000);
    await stubborn.host.close();
    expect(living([program!])).toBe(1);
    expect(stateOf(program!.pid)).not.toBe('T');
    const next = new PoolRig({}, stubborn);
    next.host.adopt([{ ...order, supervisor: null }]);
    next.host.stop(order.token, 0);
    expect(await next.ended(order.token)).toEqual({ kind: 'killed', code: 137 });
    await next.close();
  });

  it('ends many at once without holding up the loop', async () => {
    const orders = Array.from({ length: 12 }, () =>
      rig.start("trap '' TERM; echo $$ >> pids; while :; do sleep 0.1; done"),
    );
    const processes = await rig.processes('pids', 12);
    let longest = 0;
    let last = ownNow();
    const timer = setInterval(() => {
      longest = Math.max(longest, ownNow() - last);
      last = ownNow();
    }, 1);
    for (const { token } of orders) rig.host.stop(token, 50);
    for (const { token } of orders) expect(await rig.ended(token)).toEqual({ kind: 'killed', code: 137 });
    clearInterval(timer);
    expect(living(processes)).toBe(0);
    expect(longest).toBeLessThan(250);
  });
});

describe('a script that is stopped in the middle of a command', () => {
  const first = `sh -c 'echo $$ >> pids; sleep 1000; echo >> ran-on'`;
  const next = 'echo >> ran-on';

  it.each([
    ['lines', `${first}\n${next}`],
    ['a pipeline', `echo | ${first} | cat\n${next}`],
    ['a loop', `while :; do ${first}; ${next}; done`],
    ['subshells', `( ( ${first}; ${next} ); ${next} ); ${next}`],
    ['something in the background', `( ${first}; ${next} ) & wait; ${next}`],
    ['a session of its own', `setsid sh -c "${first.replaceAll('$', '\\$')}; ${next}" & wait; ${next}`],
    ['a trap that ends it', `trap 'exit 1' TERM; ${first}; ${next}`],
    ['a trap that returns', `trap 'rm -f none' TERM; ${first}; ${next}`],
    [
      'a trap that returns, in bash',
      `exec bash -c 'trap true TERM HUP; ${first.replaceAll("'", '"').replaceAll('$', '\\$')}; ${next}'`,
    ],
    ['a loop with a trap', `trap true TERM; for i in 1 2; do ${first}; ${next}; done`],
    ['a trap while it waits', `trap true TERM; ${first} & wait; ${next}`],
    ['traps in each other', `trap true TERM; ( trap true TERM; ${first}; ${next} ); ${next}`],
  ])('never begins the next one: %s', async (_, script) => {
    for (let round = 0; round < 3; round++) {
      const order = rig.start(script);
      const processes = await rig.processes('pids', round + 1);
      rig.host.stop(order.token, 5000);
      expect(await rig.ended(order.token)).toMatchObject({ kind: 'killed' });
      expect(living(processes)).toBe(0);
      expect(rig.text('ran-on')).toBe('');
    }
  });

  it('does not use the grace to go on when it ignores the question', async () => {
    const order = rig.start(`trap '' TERM; ${listener('open F, ">heard"; exit')} & ${untilGo}; ${next}`);
    const processes = await rig.processes('pids', 1);
    rig.host.stop(order.token, 1000);
    await until(() => rig.has('heard'));
    rig.append('go', '');
    expect(await rig.ended(order.token)).toEqual({ kind: 'killed', code: 137 });
    expect(living(processes)).toBe(0);
    expect(rig.text('ran-on')).toBe('');
  });

  it('has the grace for what it does about the question, with those that it looks after', async () => {
    const deaf = `trap "" TERM; echo $$ >> pids; while [ ! -e enough ]; do sleep 0.01; done`;
    const program = `exec perl -e '$SIG{TERM} = sub { system("echo > enough"); wait; system("echo tidy >> tidied"); exit 0 };
      unless (fork) { exec "sh", "deaf.sh" } sleep 1 while 1'`;
    rig.append('deaf.sh', deaf);
    const order = rig.start(program);
    await rig.processes('pids', 1);
    rig.host.stop(order.token, 5000);
    expect(await rig.ended(order.token)).toEqual({ kind: 'killed', code: 0 });
    expect(rig.text('tidied')).toBe('tidy\n');
  });

  it.each(['EXIT', 'EXIT INT TERM'])('tidies up in bash with a trap for %s, and ends', async (signals) => {
    const tidying = 'cleanup() { echo tidy >> tidied; }';
    rig.append('script.sh', `${tidying}; trap cleanup ${signals}\n${first}\n${next}`);
    const order = rig.start(['/bin/bash', 'script.sh']);
    await rig.processes('pids', 1);
    rig.host.stop(order.token, 5000);
    expect(await rig.ended(order.token)).toMatchObject({ kind: 'killed' });
    expect([rig.text('tidied'), rig.text('ran-on')]).toEqual(['tidy\n', '']);
  });

  it('ends by itself when it catches the question, also in a group of its own', async () => {
    const agent = listener('open F, ">>said"; print F "bye\\n"; exit 0');
    for (let round = 1; round <= 5; round++) {
      const order = rig.start(['/bin/bash', '-c', `set -m; ${agent} & wait; ${next}`]);
      await rig.processes('pids', round);
      rig.host.stop(order.token, 5000);
      await rig.ended(order.token);
      expect(rig.text('said')).toBe('bye\n'.repeat(round));
    }
    expect(rig.text('ran-on')).toBe('');
  });
});

describe('leftovers of an attempt that ended', () => {
  it.each([
    ['with a subreaper', {}],
    ['by marker alone', { subreaper: false }],
    ['by marker, through ps', { subreaper: false, processSource: 'ps' }],
  ] as const)('are swept before its end is observed, %s', async (_, options) => {
    const other = new PoolRig(options);
    const order = other.start(`(${sleeper('setsid')} &) ; ${sleeper()} & ${untilGo}; exit 3`);
    const processes = await other.processes('pids', 2);
    expect(living(processes)).toBe(2);
    other.append('go', '');
    expect(await other.ended(order.token)).toEqual({ kind: 'exited', code: 3 });
    expect(living(processes)).toBe(0);
    expect((await other.run('exit 5')).end).toEqual({ kind: 'exited', code: 5 });
    await other.close();
  });

  it('that do not listen are killed after a short grace', async () => {
    const other = new PoolRig({ sweepGraceMs: 100 });
    const stubborn = `sh -c 'trap "" TERM; echo $$ >> pids; while :; do sleep 0.01; done'`;
    const order = other.start(`${stubborn} & ${untilGo}; exit 0`);
    const processes = await other.processes('pids', 1);
    other.append('go', '');
    expect(await other.ended(order.token)).toEqual({ kind: 'exited', code: 0 });
    expect(living(processes)).toBe(0);
    await other.close();
  });

  it('are not mistaken: what another attempt runs is left alone', async () => {
    const other = rig.start('echo $$ > other; while :; do sleep 0.01; done');
    const [bystander] = await rig.processes('other', 1);
    const order = rig.start(`${sleeper()} & exit 0`);
    await rig.ended(order.token);
    expect(living([bystander!])).toBe(1);
    rig.host.stop(other.token, 0);
    await rig.ended(other.token);
  });
});

describe('without a worker', () => {
  it('finds by marker, spares whoever has none, and is done at once when there is nothing', async () => {
    const marker = `m${process.pid}:1`;
    const marked = spawn('/bin/sleep', ['1000'], { env: { PATH: path, SIGNALBOX_TOKEN: marker } });
    const similar = spawn('/bin/sleep', ['1000'], { env: { PATH: path, SIGNALBOX_TOKEN: `${marker}0` } });
    await Promise.all([once(marked, 'spawn'), once(similar, 'spawn')]);
    const target = { marker, worker: null, isQuiet: () => true, insist: true };
    const kill = new TreeKill(new ProcessTable(), target, 1000);
    await Promise.all([kill.done, once(marked, 'exit')]);
    expect(kill.signalled).toBe(true);
    expect(identify(similar.pid!)).not.toBeNull();
    const nothing = new TreeKill(new ProcessTable(), target, 1000);
    await nothing.done;
    expect(nothing.signalled).toBe(false);
    similar.kill('SIGKILL');
    await once(similar, 'exit');
  });

  it('does not touch a process whose pid is right and whose start time is not', async () => {
    const child = spawn('/bin/sleep', ['1000']);
    await once(child, 'spawn');
    const worker = { host: thisHost().id, pid: process.pid, startTime: '1' };
    const kill = new TreeKill(new ProcessTable(), { marker: 'none', worker, isQuiet: () => true, insist: true }, 0);
    await kill.done;
    expect(kill.signalled).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('takes nobody for a child who is older than the parent', () => {
    const row = (pid: number, ppid: number, startTime: string) => ({ pid, ppid, startTime, marker: null });
    const found = withDescendants([row(10, 1, '100'), row(11, 10, '100'), row(12, 10, '99'), row(13, 11, '500')], [10]);
    expect([...found.keys()].sort()).toEqual([10, 11, 13]);
  });
});

const stateOf = (pid: number): string | undefined => /\) (\w)/.exec(readStat(pid))?.[1];
const readStat = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'latin1');
