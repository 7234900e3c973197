// One lock command in the simulation: a process of its own that makes the transactions of `LockDesk` with the same steps, waits as
// it does, and may die at any moment.
import type { Identity } from '../../../src/api/locks/lock-identity.ts';
import {
  type Ask,
  askForLocks,
  dropLocks,
  endOfWait,
  forceLocks,
  giveUpWait,
  isDue,
  lookAtWait,
  refusalIn,
} from '../../../src/api/locks/lock-steps.ts';
import type { LockAnswer } from '../../../src/core/commands/lock-request.ts';
import type { ProcessIdentity } from '../../../src/core/model/ids.ts';
import type { LockOwner } from '../../../src/core/state/lock-state.ts';
import { anythingToReap, reapEveryMs } from '../../../src/runner/reap-locks.ts';
import { Outage } from '../../../src/store/outage.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Wanted } from '../checker/lock-book.ts';
import type { SimProcess } from '../machine/sim-process.ts';
import type { World } from '../world.ts';

export type Heard = LockAnswer['kind'] | 'timeout' | 'given-up' | 'done' | 'dead' | 'outage';

export interface LockWish {
  readonly wants: readonly Wanted[];
  /** Null: it does not wait. */
  readonly timeoutMs: number | null;
  /** Somebody ends the command, which then gives up in order. */
  readonly interruptAfterMs?: number | undefined;
  readonly bound?: ProcessIdentity | null | undefined;
}

/** Who calls: their processes end with them. */
export interface Caller {
  readonly identity: Identity;
  readonly processes: Set<SimProcess>;
  /** Stopped, but not gone: nothing of it goes on until it is ended. */
  frozen: boolean;
}

const ownerNamed = ({ token, name }: Identity) => (token === 0 ? name : `#${token}`);

export async function lock(world: World, caller: Caller, wish: LockWish): Promise<Heard> {
  return command(world, caller, async (store, process) => {
    const ask: Ask = { identity: caller.identity, wants: wish.wants, bound: wish.bound ?? null };
    const bell = new SimBell();
    const unwatch = store.watch(() => bell.ring());
    try {
      const { answer, owner } = await store.transact((tx) =>
        askForLocks(tx, ask, wish.timeoutMs !== null, process.identity, world.acting),
      );
      const end =
        answer.kind === 'waiting' ? await wait(world, process, store, { ask, owner, answer, wish, bell }) : null;
      const kind = end ?? answer.kind;
      if (kind === 'granted') await keep(world, process, caller, wish);
      return kind;
    } finally {
      unwatch();
    }
  });
}

/** A person takes them from whoever has them. */
export function force(world: World, caller: Caller, keys: readonly string[]): Promise<Heard> {
  for (const key of keys) world.asked.add(`anybody force ${key}`);
  return command(world, caller, async (store) => {
    await store.transact((tx) => forceLocks(tx, keys, caller.identity.name, 'its owner is gone', world.acting));
    return 'done';
  });
}

export function release(world: World, caller: Caller, keys: readonly string[] | null): Promise<Heard> {
  world.asked.add(`${ownerNamed(caller.identity)} release`);
  return command(world, caller, async (store) => {
    await store.transact((tx) => dropLocks(tx, caller.identity, keys, world.acting));
    return 'done';
  });
}

async function wait(
  world: World,
  process: SimProcess,
  store: Store,
  {
    ask,
    owner,
    answer,
    wish,
    bell,
  }: { ask: Ask; owner: LockOwner; answer: { ticket: number }; wish: LockWish; bell: SimBell },
): Promise<Heard> {
  const { ticket } = answer;
  const deadline = world.clock.now() + wish.timeoutMs!;
  const interruptAt = world.clock.now() + (wish.interruptAfterMs ?? Number.POSITIVE_INFINITY);
  for (;;) {
    const rung = bell.next();
    process.after(Math.min(reapEveryMs, Math.max(1, deadline - world.clock.now())), () => bell.ring());
    const seen = await store.read((state, now) => ({
      end: endOfWait(state, owner, ask.wants, ticket),
      reap: anythingToReap(state, now, world.isGone) || isDue(state, owner, now),
    }));
    let { end } = seen;
    if (end === null && seen.reap) {
      end = await store.transact((tx) => lookAtWait(tx, ask, owner, ticket, world.acting));
    }
    if (end !== null) return heardIn(store, ticket, end);
    const because = world.clock.now() >= interruptAt ? 'given-up' : world.clock.now() >= deadline ? 'timeout' : null;
    if (because !== null) {
      world.asked.add(`${owner.owner} ${because} ${ticket}`);
      const left = await store.transact((tx) => giveUpWait(tx, ask, owner, ticket, because, world.acting));
      return 'inTheWay' in left ? because : heardIn(store, ticket, left);
    }
    await rung;
  }
}

const heardIn = async (store: Store, ticket: number, { kind }: LockAnswer): Promise<Heard> =>
  kind === 'over' ? (refusalIn(await store.events({ after: ticket }), ticket)?.kind ?? kind) : kind;

/** What the files are is kept before anybody changes them; only then the caller hears that it may. */
async function keep(world: World, process: SimProcess, { identity }: Caller, { wants }: LockWish): Promise<void> {
  const keys = wants.filter(({ mode }) => mode === 'exclusive').map(({ key }) => key);
  if (identity.token === 0 || keys.length === 0) return;
  await process.sleep(world.lockRandom.int(0, 10));
  world.disc.keep(identity.token, keys);
}

/** Hears `dead` when the process dies on the way. */
function command(
  world: World,
  caller: Caller,
  body: (store: Store, process: SimProcess) => Promise<Heard>,
): Promise<Heard> {
  const process = world.newProcess();
  caller.processes.add(process);
  return new Promise((resolve, reject) => {
    process.onDeath(() => {
      caller.processes.delete(process);
      resolve('dead');
    });
    const store = world.openStore(process, { plan: '', isTurn: false });
    body(store, process)
      .catch((error): Heard => {
        if (error instanceof Outage) return 'outage';
        throw error;
      })
      .then(async (heard) => {
        // A command that is stopped with its caller says nothing, and stays as it is.
        if (caller.frozen) return;
        resolve(heard);
        await store.close();
        process.die();
      })
      .catch(reject);
  });
}

class SimBell {
  private waiter: (() => void) | null = null;
  private rung = false;

  ring(): void {
    this.rung = true;
    this.waiter?.();
  }

  next(): Promise<void> {
    this.rung = false;
    return new Promise((resolve) => {
      this.waiter = resolve;
      if (this.rung) resolve();
    });
  }
}
