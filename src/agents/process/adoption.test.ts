import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { living, PoolRig, path, until } from '../../../test/rigs/pool-rig.ts';
import { hostId, runId } from '../../core/model/ids.ts';
import type { Adoptable, StartOrder } from './attempt-host.ts';
import { workerRecord } from './journal.ts';
import { identify, thisHost } from './process-identity.ts';

// Bundled once: a runner that has to strip types from twenty files takes 300 ms to come up.
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bundle-'));
const bundle = join(folder, 'worker-pool.mjs');
beforeAll(() => {
  const entryPoints = [join(import.meta.dirname, 'worker-pool.ts')];
  buildSync({ entryPoints, outfile: bundle, bundle: true, format: 'esm', platform: 'node' });
});
afterAll(() => rmSync(folder, { recursive: true }));

let rig: PoolRig;
beforeEach(() => {
  rig = new PoolRig();
});
afterEach(() => rig.close());

const adoptable = ({ token, run, outputFile }: StartOrder): Adoptable => ({ token, run, outputFile, supervisor: null });
const exited = (code: number) => ({ kind: 'exited', code });

/** The next runner in the same folder. */
const nextRig = (): PoolRig => new PoolRig({}, rig);

/** A runner of its own that is given orders, says what it observes, and is killed with -9 by the test or by itself. */
class Runner {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(orders: readonly StartOrder[], then = '') {
    const script = `
      import { openWorkerPool } from ${JSON.stringify(bundle)};
      const host = openWorkerPool({ ...${JSON.stringify({ workspace: rig.workspace, folder: rig.folder })},
        environment: { PATH: ${JSON.stringify(path)} }, onObservation: (o) => console.log(o.kind, o.token) });
      for (const order of ${JSON.stringify(orders)}) host.start(order);
      ${then}`;
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async hears(line: string): Promise<void> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the runner ended before it said ${line}`);
      if (value === line) return;
    }
  }

  async die(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.gone();
  }

  async gone(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}

describe('after kill -9 of the runner', () => {
  it('an attempt goes on, is adopted with its supervisor, and its exit code is learnt when it ends', async () => {
    const order = rig.order('echo before; while [ ! -e go ]; do sleep 0.01; done; echo after; exit 23');
    const runner = new Runner([order]);
    await runner.hears(`started ${order.token}`);
    await runner.die();
    // Nothing is polled: it is noticed by the watch.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    rig.host.adopt([adoptable(order)]);
    vi.useRealTimers();
    expect(living([await rig.started(order.token)])).toBe(1);
    expect(rig.host.lastOutputAt(order.token)).toBeDefined();
    rig.host.adopt([adoptable(order)]); // repeated: nothing happens
    rig.append('go', '');
    expect(await rig.ended(order.token)).toEqual(exited(23));
    expect(rig.text('1-t1.1.log')).toBe('before\nafter\n');
    expect(rig.observations).toHaveLength(2);
  });

  it('an attempt that ended meanwhile ended as it did, and what it left behind dies', async () => {
    const order = rig.order(
      "(setsid sh -c 'echo $$ > left; exec sleep 1000' &); while [ ! -e go ]; do sleep 0.01; done; exit 41",
    );
    const runner = new Runner([order]);
    await runner.hears(`started ${order.token}`);
    const left = await rig.processes('left', 1);
    await runner.die();
    rig.append('go', '');
    await until(() => rig.text('r1.journal').includes(`e ${order.token} 41;`));
    expect(living(left)).toBe(1);
    rig.host.adopt([adoptable(order)]);
    expect(await rig.ended(order.token)).toEqual(exited(41));
    expect(living(left)).toBe(0);
    expect(rig.observations).toHaveLength(1);
  });

  it('an adopted attempt can be stopped, with everything it started', async () => {
    const order = rig.order("(setsid env -i sh -c 'echo $$ > left; exec sleep 1000' &); while :; do sleep 0.01; done");
    const runner = new Runner([order]);
    await runner.hears(`started ${order.token}`);
    const left = await rig.processes('left', 1);
    await runner.die();
    rig.host.adopt([adoptable(order)]);
    rig.host.stop(order.token, 2000);
    expect(await rig.ended(order.token)).toEqual({ kind: 'killed', code: 143 });
    expect(living(left)).toBe(0);
  });

  it('an attempt whose worker died too is lost, and its orphans die', async () => {
    const order = rig.order(
      "setsid sh -c 'echo $$ > left; exec sleep 1000' & while [ ! -s left ]; do :; done; sleep 1000",
    );
    const runner = new Runner([order]);
    await runner.hears(`started ${order.token}`);
    const left = await rig.processes('left', 1);
    await runner.die();
    rig.host.adopt([adoptable(order)]);
    const supervisor = await rig.started(order.token);
    process.kill(supervisor.pid, 'SIGKILL');
    expect(await rig.ended(order.token)).toEqual({ kind: 'lost' });
    expect(living(left)).toBe(0);
  });

  const rounds = process.env.SIGNALBOX_LONG === '1' ? 40 : 4;
  it(`${rounds} rounds: no code is lost or wrong, nothing runs twice, and what was called back never runs`, async () => {
    for (let round = 0; round < rounds; round++) {
      const orders = Array.from({ length: 6 }, (_, i) => {
        const token = round * 10 + i + 1;
        return rig.order(`echo ${token} >> ledger; ${i % 2 ? 'sleep 0.03;' : ''} exit ${token % 200}`, { token });
      });
      // Orders still in the pipe, just taken, running, ended: by how far the runner gets before it dies.
      const suicide = "process.kill(process.pid, 'SIGKILL')";
      const runner = new Runner(orders, round % 4 === 0 ? suicide : `setTimeout(() => ${suicide}, ${(round % 4) * 4})`);
      await runner.gone();
      const next = nextRig();
      next.host.adopt(orders.map(adoptable));
      const ends = await Promise.all(orders.map(({ token }) => next.ended(token)));
      await next.host.close();
      const workers = [...rig.text('r1.journal').matchAll(/^w (\d+) (\d+)/gm)];
      await until(() => workers.every(([, pid, start]) => identify(Number(pid))?.startTime !== start));
      for (const [i, { token }] of orders.entries()) {
        const times = rig.text('ledger').match(new RegExp(`^${token}$`, 'gm'))?.length ?? 0;
        if (ends[i]!.kind === 'never-started') expect(times).toBe(0);
        else expect([times, ends[i]]).toEqual([1, exited(token % 200)]);
      }
    }
  });
});

describe('by the journal alone', () => {
  const elsewhere = { host: hostId('another-boot'), pid: 4242, startTime: '7' };
  const write = (text: string): void => writeFileSync(join(rig.folder, 'r1.journal'), text);

  it('of another boot: as it ended if that is written, else lost; called back if nobody claimed it', async () => {
    const [ended, started, claimed, free] = ['', '', '', ''].map((command) => rig.order(command));
    write(`${workerRecord(elsewhere)}s 1 4242;\ne 1 12;\ns 2 4242;\n`);
    writeFileSync(claimed!.outputFile, '');
    rig.host.adopt([ended!, started!, claimed!, free!].map(adoptable));
    expect(await rig.ended(1)).toEqual(exited(12));
    expect(await rig.ended(2)).toEqual({ kind: 'lost' });
    expect(await rig.ended(3)).toEqual({ kind: 'lost' });
    expect(await rig.ended(4)).toEqual({ kind: 'never-started' });
  });

  it('one that an earlier recovery called back is called back, whatever the journal misses', async () => {
    const order = rig.order('');
    rig.host.adopt([adoptable(order)]);
    expect(await rig.ended(order.token)).toEqual({ kind: 'never-started' });
    const next = nextRig();
    next.host.adopt([{ ...adoptable(order), supervisor: elsewhere }]);
    expect(await next.ended(order.token)).toEqual({ kind: 'never-started' });
    await next.host.close();
  });

  it('claimed but not written down: waits for a worker that may be in between, and for no other', async () => {
    const busy = identify(process.pid)!;
    const between = spawn('/bin/sleep', ['1000']);
    await once(between, 'spawn');
    const [other, order] = [rig.order(''), rig.order('')];
    write(`${workerRecord(busy)}s ${other.token} ${busy.pid};\n${workerRecord(identify(between.pid!)!)}`);
    writeFileSync(order.outputFile, '');
    rig.host.adopt([adoptable(order)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rig.observations).toEqual([]);
    between.kill('SIGKILL');
    expect(await rig.ended(order.token)).toEqual({ kind: 'never-started' });
  });

  it('a pid that was given to another process is not taken for the worker', async () => {
    const order = rig.order('');
    write(`${workerRecord({ ...identify(process.pid)!, startTime: '1' })}s 1 ${process.pid};\n`);
    rig.host.adopt([{ ...adoptable(order), supervisor: { ...identify(process.pid)!, startTime: '1' } }]);
    expect(await rig.ended(order.token)).toEqual({ kind: 'lost' });
  });

  it('without any journal: called back', async () => {
    const order = rig.order('', { run: runId('r9') });
    rig.host.adopt([{ ...adoptable(order), supervisor: { ...elsewhere, host: thisHost().id } }]);
    expect(await rig.ended(order.token)).toEqual({ kind: 'never-started' });
  });
});
