// What agents do with locks while they run: a few steps at random, one after the other or side by side. Those whom Signalbox did
// not start do the same under a name of their own.

import type { Mode, Wanted } from '../checker/lock-book.ts';
import type { Slip } from '../machine/machine.ts';
import type { SimProcess } from '../machine/sim-process.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { startByHand } from './hand-workers.ts';
import { type Caller, force, type Heard, type LockWish, lock, release } from './lock-client.ts';

/** Few enough that agents meet, and overlapping in every way. */
export const keysOfPlans = [
  'src/a.ts',
  'src/b.ts',
  'src/c/d.ts',
  'src/',
  'src/*',
  'src/**/*.ts',
  'lib/x.ts',
  'lib/*',
  'docs/',
  'docs/{a,b}.md',
  'db:test',
  'port:5432',
] as const;
/** What agents ask for while they run: all over the place, or all the same few. */
export const keysOfAgents = [
  ['src/a.ts', 'src/b.ts', 'src/c/d.ts', 'src/**', 'src/*', 'lib/x.ts', 'docs/a.md', 'db:test', 'port:5432'],
  ['src/a.ts', 'src/b.ts', 'db:test'],
  ['src/a.ts', 'src/b.ts', 'lib/x.ts'],
] as const;

export const randomKeys = (random: Random, from: readonly string[], most: number): string[] => [
  ...new Set(Array.from({ length: random.int(1, most) }, () => random.pick(from))),
];

/** An agent of an attempt has started. Ends when the agent does, whatever it is doing then. */
export function agentLocks(world: World, slip: Slip, declared: readonly string[]): Caller {
  const { token } = slip;
  const random = world.random.fork(`locks ${token}`);
  const caller: Caller = { identity: { token, name: `agent-${token}` }, processes: new Set(), frozen: false };
  world.changeFiles(token, declared);
  if (random.chance(world.lockiness)) {
    const script = new LockScript(world, random, caller, () => slip.agent?.endedAt === null);
    // Where all want the same few they also hold on to them: one that is stopped is soon in the next deadlock.
    world.promise(script.perform(random.int(1, world.isHot ? 9 : 5)));
  }
  return caller;
}

/** Somebody comes whom Signalbox did not start. */
export async function guestLocks(world: World): Promise<void> {
  const name = world.nextName('guest');
  const random = world.random.fork(name);
  const caller: Caller = { identity: { token: 0, name }, processes: new Set(), frozen: false };
  const self = world.newProcess();
  world.guests.set(name, self);
  const isBound = random.chance(0.6);
  world.tally.fired(isBound ? 'guest-bound' : 'guest-with-lease');
  self.onDeath(() => {
    for (const process of [...caller.processes]) process.die();
  });
  if (random.chance(0.4)) {
    self.after(random.spread(100, 20_000), () => {
      if (world.isCalm) return;
      world.tally.fired('guest-died');
      self.die();
    });
  }
  const script = new LockScript(world, random, caller, () => self.alive, isBound ? self : null);
  const byHand = world.random.fork(`${name} by hand`);
  const tasks = byHand.pick([0, 0, 1, 1, 2]);
  const steps = random.int(1, 4);
  // Before they take locks, and between.
  if (tasks > 0) await startByHand(world, byHand, { name, self });
  await script.perform(tasks > 1 ? 1 : steps);
  if (tasks > 1 && self.alive && !caller.frozen) {
    await startByHand(world, byHand, { name, self });
    await script.perform(steps);
  }
  if (caller.frozen) {
    // Somebody notices in the end, and ends it.
    await new Promise<void>((resolve) => void world.clock.after(random.spread(1_000, 60_000), resolve));
    return self.die();
  }
  if (!self.alive) return;
  await self.sleep(random.spread(10, 10_000));
  // A command that fails is called again.
  for (let heard: Heard = 'dead'; heard !== 'done'; ) heard = await release(world, caller, null);
  self.die();
}

/** Somebody sees that a guest is gone, and does not wait for the end of its lease. */
export async function tidyUp(world: World): Promise<void> {
  const { book } = world.auditor.locks;
  const person: Caller = { identity: { token: 0, name: 'person' }, processes: new Set(), frozen: false };
  for (const { owner, key } of [...book.holds]) {
    if (owner.startsWith('#') || world.guests.get(owner)?.alive || world.lockRandom.chance(0.1)) continue;
    world.tally.fired('lock-forced');
    await force(world, person, [key]);
  }
}

class LockScript {
  private readonly world: World;
  private readonly random: Random;
  private readonly polling: Random;
  private readonly caller: Caller;
  private readonly isAlive: () => boolean;
  private readonly bound: SimProcess | null;
  /** What it knows to have. */
  private readonly has = new Map<string, Mode>();

  constructor(world: World, random: Random, caller: Caller, isAlive: () => boolean, bound: SimProcess | null = null) {
    this.world = world;
    this.random = random;
    this.polling = random.fork('polling');
    this.caller = caller;
    this.isAlive = isAlive;
    this.bound = bound;
  }

  async perform(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.pause();
      if (!this.isAlive() || this.caller.frozen) return;
      await this.step();
    }
  }

  private pause(): Promise<void> {
    const most = this.world.isQuarrel ? 50 : this.random.chance(0.7) ? 300 : 5_000;
    const ms = this.random.spread(1, most);
    return new Promise((resolve) => void this.world.clock.after(ms, resolve));
  }

  private async step(): Promise<void> {
    const { random, world } = this;
    if (this.polling.chance(0.15)) return this.poll();
    if (world.isQuarrel) return this.ask({ ...this.wish(true, 'exclusive'), timeoutMs: 30_000 });
    const what = random.weighted({
      wait: 10,
      side: 1.5,
      try: 3,
      upgrade: 1.5,
      release: world.isHot ? 0.2 : 2,
      all: 0.5,
      freeze: 0.3,
      crash: 0.5,
    });
    switch (what) {
      case 'wait':
        return this.ask(this.wish(true));
      case 'side':
        world.tally.fired('waits-side-by-side');
        return void (await Promise.all(Array.from({ length: random.int(2, 3) }, () => this.ask(this.wish(true)))));
      case 'try':
        return this.ask(this.wish(false));
      case 'upgrade': {
        const shared = [...this.has].filter(([, mode]) => mode === 'shared').map(([key]) => key);
        if (shared.length === 0) return this.ask(this.wish(true, 'shared'));
        world.tally.fired('upgrade');
        return this.ask({ ...this.wish(true), wants: [{ key: random.pick(shared), mode: 'exclusive' }] });
      }
      case 'release':
        return this.drop([...this.has.keys()].filter(() => random.chance(0.6)));
      case 'all':
        return this.drop(null);
      case 'freeze':
        world.tally.fired('agent-stopped');
        // Also with a request on its way, or waiting.
        if (random.chance(0.6)) world.promise(this.ask(this.wish(true)));
        await this.pause();
        this.caller.frozen = true;
        return;
      case 'crash': {
        world.promise(this.ask(this.wish(true)));
        await this.pause();
        for (const process of [...this.caller.processes]) {
          world.tally.fired('lock-command-killed');
          process.die();
        }
      }
    }
  }

  /** The same with `try` again and again, as scripts do; some do not care that it would be a deadlock. */
  private async poll(): Promise<void> {
    const { polling, world } = this;
    const wish = this.wish(false);
    const cares = polling.chance(0.3);
    for (let left = polling.int(2, 30); left > 0 && this.isAlive() && !this.caller.frozen; left--) {
      const heard = await lock(world, this.caller, wish);
      world.tally.fired('polls');
      if (heard === 'victim') world.tally.fired('polls-in-a-deadlock');
      if (heard !== 'busy' && (heard !== 'deadlock' || cares)) return this.hear(heard, wish);
      await new Promise<void>((resolve) => void world.clock.after(polling.spread(10, 20_000), resolve));
    }
  }

  private wish(waits: boolean, mode?: Mode): LockWish {
    const { random } = this;
    const shared = random.chance(0.35) ? 'shared' : 'exclusive';
    const wants = randomKeys(random, this.world.keysOfAgents, random.chance(0.65) ? 1 : 3).map(
      (key): Wanted => ({ key, mode: mode ?? shared }),
    );
    return {
      wants,
      timeoutMs: waits ? random.spread(100, 40_000) : null,
      interruptAfterMs: random.chance(0.1) ? random.spread(10, 3_000) : undefined,
      bound: this.bound?.identity ?? null,
    };
  }

  private async ask(wish: LockWish): Promise<void> {
    await this.hear(await lock(this.world, this.caller, wish), wish);
  }

  private async hear(heard: Heard, wish: LockWish): Promise<void> {
    const { world, caller, random } = this;
    if (!this.isAlive()) return;
    if (heard === 'granted') {
      for (const { key, mode } of wish.wants) if (this.has.get(key) !== 'exclusive') this.has.set(key, mode);
      const own = wish.wants.filter(({ mode }) => mode === 'exclusive').map(({ key }) => key);
      if (caller.identity.token !== 0) world.changeFiles(caller.identity.token, own);
    } else if (heard === 'timeout') world.tally.fired('lock-timeout');
    else if (heard === 'given-up') world.tally.fired('lock-given-up');
    else if (heard === 'deadlock') {
      world.tally.fired('deadlock-refused');
      await this.drop([...this.has.keys()]);
    } else if (heard === 'victim') {
      world.tally.fired('deadlock-victim');
      // As a script does that cleans up behind itself.
      if (random.chance(0.4)) await this.drop(null);
    }
  }

  private async drop(keysToDrop: readonly string[] | null): Promise<void> {
    for (const key of keysToDrop ?? [...this.has.keys()]) this.has.delete(key);
    if (keysToDrop?.length === 0) return;
    await release(this.world, this.caller, keysToDrop);
  }
}
