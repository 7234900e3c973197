// Where agents ask for locks: one transaction for each request, in which the deadlock that it would close is found. A request that
// waits stays in the queue; whoever releases hands the lock over, and the waiting process only has to notice.
import { identify, thisProcess } from '../../agents/process/process-identity.ts';
import type { LockAnswer } from '../../core/commands/lock-request.ts';
import { lockWaitMs } from '../../core/model/defaults.ts';
import type { ProcessIdentity } from '../../core/model/ids.ts';
import { People } from '../../core/rules/locks/people-as-owners.ts';
import type { LockOwner } from '../../core/state/lock-state.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Want } from '../../locks/lock-table.ts';
import { anythingToReap, isGone, reapEveryMs } from '../../runner/reap-locks.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import type { World } from '../act/act.ts';
import { Refusal } from '../refusal.ts';
import type { LockReport, ReleaseReport } from '../reports/locks.ts';
import { Bell } from '../run/bell.ts';
import { stayAlive } from '../run/stay-alive.ts';
import type { LockOptions, LockWaitOptions, ReleaseOptions } from './lock-door.ts';
import { type Identity, ownerFor, whoAsks } from './lock-identity.ts';
import { keyWithoutLinks, lockKey } from './lock-key.ts';
import {
  type Ask,
  askForLocks,
  dropLocks,
  dropsOf,
  endOfWait,
  forcedDropsOf,
  forceLocks,
  giveUpWait,
  heldKeys,
  isDue,
  type LetGo,
  leaveLocks,
  lookAtWait,
  mayDrop,
  refusalIn,
  signOfLife,
} from './lock-steps.ts';
import { holderOf } from './lock-view.ts';

export interface DeskParts {
  readonly store: Store;
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: string;
  readonly isRunning: (plan: PlanState) => boolean;
  /** Keeps what the files are now, before the attempt that got them changes them. */
  readonly keepBeforeImage: (token: number, keys: readonly string[]) => Promise<void>;
  /** Notes that they are not the attempt's own any more, before others can have them. */
  readonly letGoOfImage: (letGo: LetGo) => Promise<void>;
}

/**
 * Every commit wakes all who wait, and a look for the dead takes longer the more there are. So a hundred who wait take turns, and
 * together look as often as a few do.
 */
const waitersPerReap = 8;

export class LockDesk {
  private readonly parts: DeskParts;
  private readonly world: World;

  constructor(parts: DeskParts) {
    this.parts = parts;
    this.world = { isRunning: parts.isRunning, isGone };
  }

  async try(resources: readonly string[], options: LockOptions): Promise<LockReport> {
    const ask = this.ask(resources, options);
    const { answer, owner, holders, release } = await this.request(ask, false);
    if (answer.kind === 'granted') await this.keep(ask, owner);
    return { ...this.report(ask, owner.name, answer, holders, 0), release };
  }

  async wait(resources: readonly string[], options: LockWaitOptions): Promise<LockReport> {
    const { store } = this.parts;
    const ask = this.ask(resources, options);
    const start = process.hrtime.bigint();
    const waitedMs = () => Number((process.hrtime.bigint() - start) / 1_000_000n);
    const deadline = options.timeoutMs ?? lockWaitMs;
    const bell = new Bell();
    const ring = () => bell.ring();
    const unwatch: (() => void)[] = [];
    const leave = stayAlive();
    let beats = 0;
    const heartbeat = setInterval(() => {
      beats++;
      ring();
    }, reapEveryMs);
    options.signal?.addEventListener('abort', ring);
    let timer: NodeJS.Timeout | null = null;
    try {
      // Many requests at once keep the database busy for longer than a command usually waits. Here the caller said how long.
      const patient = <T>(work: () => Promise<T>): Promise<T> =>
        work().catch((error: unknown) => {
          const isBusy = error instanceof Outage && error.kind === 'busy';
          if (!isBusy || options.signal?.aborted || waitedMs() >= deadline) throw error;
          return patient(work);
        });
      const first = await patient(() => this.request(ask, true));
      const { owner, holders } = first;
      let { answer, release } = first;
      if (answer.kind === 'waiting') {
        const { ticket } = answer;
        // Watching begins before the look, so no hand-over between the two is missed. A request that is granted at once needs no watch,
        // which takes its time. The watch does not see commits of this process, and another of its callers may hand the lock over.
        unwatch.push(store.watch(ring), store.subscribe(ring));
        timer = setTimeout(ring, deadline);
        let ownTurn = 1;
        for (;;) {
          const rung = bell.next();
          const isDue = beats >= ownTurn;
          const { end: now, crowd } = await patient(() => this.look(ask, owner, ticket, isDue));
          if (now !== null) {
            answer = now;
            break;
          }
          if (isDue) {
            beats = 0;
            ownTurn = Math.ceil(crowd / waitersPerReap);
          }
          if (options.signal?.aborted || waitedMs() >= deadline) {
            const because = options.signal?.aborted ? 'given-up' : 'timeout';
            const end = await store.transact((tx) => giveUpWait(tx, ask, owner, ticket, because, this.world));
            if ('inTheWay' in end) return this.report(ask, owner.name, because, end.inTheWay, waitedMs());
            answer = end;
            break;
          }
          await rung;
        }
        if (answer.kind === 'over') {
          // Seldom enough to look it up.
          answer = refusalIn(await store.events({ after: ticket }), ticket) ?? answer;
          if (answer.kind === 'deadlock') release = await store.read((state) => inTheWayOf(state, owner, ask.wants));
        }
      }
      if (answer.kind === 'granted') await this.keep(ask, owner);
      return { ...this.report(ask, owner.name, answer, holders, waitedMs()), release };
    } finally {
      clearInterval(heartbeat);
      if (timer) clearTimeout(timer);
      for (const stop of unwatch) stop();
      leave();
      options.signal?.removeEventListener('abort', ring);
    }
  }

  async release(resources: readonly string[], options: ReleaseOptions): Promise<ReleaseReport> {
    const keys = await this.keysHeld(resources, options);
    if (options.force) return this.force(keys, options.force.reason);
    return this.drop(options, keys);
  }

  releaseAll(options: Pick<ReleaseOptions, 'agent'>): Promise<ReleaseReport> {
    return this.drop(options, null);
  }

  /** Whether the lease was renewed. If it cannot be written, the next call tries again: half of the lease is left for that. */
  async signOfLife({ agent }: Pick<LockOptions, 'agent'>): Promise<boolean> {
    const { store } = this.parts;
    const identity = this.whoAsks(agent);
    const isWorthIt = (state: State, now: number) => isDue(state, ownerFor(state, identity), now);
    if (!(await store.read(isWorthIt))) return false;
    try {
      await store.transact((tx) => signOfLife(tx, identity, this.world));
    } catch (error) {
      if (error instanceof Outage) return false;
      throw error;
    }
    return store.read((state) => state.locks.owners.has(ownerFor(state, identity).owner));
  }

  leave({ agent }: Pick<ReleaseOptions, 'agent'>): Promise<ReleaseReport> {
    const identity = this.whoAsks(agent);
    return this.parts.store.transact((tx) => leaveLocks(tx, identity, this.world));
  }

  /** A file that was locked before a link came into its path is released by the key it was locked by. */
  private async keysHeld(resources: readonly string[], { agent, force }: ReleaseOptions): Promise<string[]> {
    const names = resources.map((text) => {
      const key = lockKey(text, this.parts);
      return { key, before: keyWithoutLinks(text, this.parts) ?? key };
    });
    // Most lead through no link, and are not looked up.
    if (names.every(({ key, before }) => key === before)) return names.map(({ key }) => key);
    const who = force ? null : this.whoAsks(agent);
    const held = await this.parts.store.read((state) => heldKeys(state, who));
    return names.map(({ key, before }) => (!held.has(key) && held.has(before) ? before : key));
  }

  private async drop({ agent }: Pick<ReleaseOptions, 'agent'>, keys: readonly string[] | null): Promise<ReleaseReport> {
    const { store, letGoOfImage } = this.parts;
    const identity = this.whoAsks(agent);
    const drops = identity.token === 0 ? [] : await store.read((state) => dropsOf(state, identity, keys));
    for (const one of drops) await letGoOfImage(one);
    return store.transact((tx) => dropLocks(tx, identity, keys, this.world));
  }

  /** For people: whoever holds it loses it, and that is recorded. */
  private async force(keys: readonly string[], reason: string): Promise<ReleaseReport> {
    if (reason.trim() === '') {
      throw new Refusal(2, 'a forced release needs a reason', { instead: 'add --reason TEXT; it is recorded' });
    }
    const { store, user, letGoOfImage } = this.parts;
    for (const one of await store.read((state) => forcedDropsOf(state, keys))) await letGoOfImage(one);
    return store.transact((tx) => forceLocks(tx, keys, user, reason, this.world));
  }

  private ask(resources: readonly string[], options: LockWaitOptions): Ask {
    const mode = options.shared ? 'shared' : 'exclusive';
    const keys = [...new Set(resources.map((text) => lockKey(text, this.parts)))];
    const bound = options.pid === undefined ? null : boundTo(options.pid);
    const wants = keys.map((key) => ({ key, mode }) as const);
    return { identity: this.whoAsks(options.agent), wants, bound, yields: options.yields };
  }

  private whoAsks(named: string | undefined): Identity {
    const { env, store } = this.parts;
    return whoAsks(env, named, store.workspace);
  }

  private async request(ask: Ask, queue: boolean) {
    const { store } = this.parts;
    const own = thisProcess();
    return store.transact((tx) => {
      const { answer, owner } = askForLocks(tx, ask, queue, own, this.world);
      const obstacles = 'obstacles' in answer ? answer.obstacles : [];
      const release = answer.kind === 'deadlock' ? inTheWayOf(tx.state, owner, ask.wants) : [];
      return { answer, owner, holders: obstacles.map((obstacle) => holderOf(tx.state, obstacle, this.world)), release };
    });
  }

  /** How the waiting has ended; null while it goes on. And how many wait. @param reap looks for the dead too. */
  private async look(ask: Ask, owner: LockOwner, ticket: number, reap: boolean) {
    const { store } = this.parts;
    const { end, act, crowd } = await store.read((state, now) => ({
      end: endOfWait(state, owner, ask.wants, ticket),
      act: reap && (anythingToReap(state, now) || isDue(state, owner, now)),
      crowd: state.locks.waiting.size,
    }));
    if (end !== null || !act) return { end, crowd };
    return { end: await store.transact((tx) => lookAtWait(tx, ask, owner, ticket, this.world)), crowd };
  }

  private async keep({ wants }: Ask, { token }: LockOwner): Promise<void> {
    const keys = wants.filter(({ mode }) => mode === 'exclusive').map(({ key }) => key);
    if (token !== 0 && keys.length > 0) await this.parts.keepBeforeImage(token, keys);
  }

  private report(
    { wants }: Ask,
    owner: string,
    answer: LockAnswer | 'timeout' | 'given-up',
    holders: LockReport['holders'],
    waitedMs: number,
  ): LockReport {
    const kind = typeof answer === 'string' ? (answer === 'timeout' ? 'timeout' : 'interrupted') : answer.kind;
    const reason = typeof answer !== 'string' && 'words' in answer ? answer.words : null;
    return {
      answer: kind === 'waiting' ? 'busy' : kind,
      owner,
      resources: wants.map(({ key }) => key),
      holders: kind === 'granted' ? [] : holders,
      reason,
      release: [],
      waitedMs,
    };
  }
}

/** The locks that others in the cycle wait for: releasing them ends the deadlock. */
function inTheWayOf(state: State, { owner }: LockOwner, wants: readonly Want[]): string[] {
  const people = new People(state, owner);
  const own = people.allOf(owner);
  const cycle = people.wouldDeadlock({ owner, wants }) ?? [];
  const inTheWay = cycle.filter(({ heldBy, kind }) => own.includes(heldBy) && kind === 'holds');
  return inTheWay.filter((step) => step.heldBy === owner || mayDrop(state, step)).map(({ theirs }) => theirs);
}

function boundTo(pid: number): ProcessIdentity {
  const found = identify(pid);
  if (found) return found;
  throw new Refusal(2, `there is no process ${pid}`, {
    instead: 'name the process that works under the lock with --pid',
  });
}
