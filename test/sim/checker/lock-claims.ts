// What the log claims about locks, compared with a book of our own and with what is true on the machine: who may hold, in which order,
// and that a lock moves only from somebody who can change nothing any more.
import type { StoredEvent } from '../../../src/core/model/event.ts';
import type { ProcessIdentity } from '../../../src/core/model/ids.ts';
import type { LockTable } from '../../../src/locks/lock-table.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimDisc } from '../machine/sim-disc.ts';
import type { VirtualClock } from '../machine/virtual-clock.ts';
import { HandClaims, handPlan } from '../people/hand-workers.ts';
import type { AttemptClaims, Demand } from './attempt-claims.ts';
import type { Attempt, PlanLedger } from './ledger.ts';
import { cycleThrough, declaredBy, LockBook, meets, mostPasses, triesCountFor, type Wanted } from './lock-book.ts';
import { ResolutionClaims } from './resolution-claims.ts';

type Stored<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;

/** The truth about processes. `seen`: somebody on the machine as it is now could find out that it is dead. */
export interface ProcessTruth {
  isAlive(process: ProcessIdentity): boolean;
  isSeenDead(process: ProcessIdentity): boolean;
  diedAt(process: ProcessIdentity): number;
}

export interface LockClaimParts {
  readonly plans: ReadonlyMap<string, PlanLedger>;
  readonly attempts: AttemptClaims;
  readonly clock: VirtualClock;
  readonly machine: () => Machine;
  readonly disc: () => SimDisc;
  readonly processes: ProcessTruth;
  /** Whether a command with this owner really asked for that. */
  readonly isAsked: (owner: string, what: string) => boolean;
  readonly demand: Demand;
}

/** Somebody whom Signalbox did not start. */
interface Guest {
  /** By true time, which nobody sets: how long it may be silent, since when, and in which boot. 0: for ever. */
  leaseMs: number;
  since: number;
  boot: number;
  process: ProcessIdentity | null;
}

export class LockClaims {
  readonly hands = new HandClaims();
  readonly book = new LockBook((owner) => this.hands.personOf(owner));
  readonly resolutions: ResolutionClaims;
  private readonly parts: LockClaimParts;
  private readonly guests = new Map<string, Guest>();
  private readonly names = new Map<string, string>();
  private readonly fences = new Map<string, number>();
  /** A run began in this transaction: what it finds it breaks in its turns. */
  private isBeginning = false;
  /** How many events of the grant that was checked as a whole are still to come. */
  private ofGrant = 0;

  constructor(parts: LockClaimParts) {
    this.parts = parts;
    this.resolutions = new ResolutionClaims(parts, this.book, (name) => this.names.get(name) ?? name);
  }

  /** @param ahead the events of the same transaction from this one on. */
  claim(event: StoredEvent, ahead: readonly StoredEvent[]): void {
    this.book.timed(event);
    this.hands.claim(event);
    switch (event.type) {
      case 'lock-acquired':
        return this.acquired(event, ahead);
      case 'lock-waiting':
        return this.waiting(event);
      case 'lock-wait-ended':
        return this.waitEnded(event);
      case 'lock-released':
        return this.released(event);
      case 'lock-tried':
        return this.tried(event);
      case 'lock-renewed': {
        const guest = this.guests.get(event.owner);
        if (guest) Object.assign(guest, this.leaseFrom(event.until - event.at));
        return;
      }
      case 'run-started':
        this.isBeginning = true;
        return;
      case 'attempt-scheduled':
        this.names.set(event.attempt, `#${event.token}`);
        return this.scheduled(event, ahead);
      default:
        return this.resolutions.claim(event, ahead);
    }
  }

  /** The transaction is over. @param table as the product folds it. */
  settled(by: { plan: string; isTurn: boolean }, table: LockTable): void {
    const { demand } = this.parts;
    const told = Array.from(table.holds(), ({ owner, key, mode, fence }) => `${owner} ${key} ${mode} ${fence}`);
    const known = this.book.holds.map(({ owner, key, mode, fence }) => `${owner} ${key} ${mode} ${fence}`);
    const isSame = told.sort().join() === known.sort().join();
    demand(isSame, 'the table is what the log says', `${told} for ${known}`);
    for (const request of this.book.queue) {
      if (this.isEnding(request.owner)) continue;
      const isFree = this.book.inTheWay(request).length === 0;
      demand(!isFree, 'what is free is granted', `${request.ticket} of ${request.owner} waits for nobody`);
    }
    for (const { owner, key } of this.book.holds) {
      const attempt = this.attemptOf(owner);
      const isKept = !attempt?.ended || this.resolutions.isBeingSalvaged(attempt.token);
      const isKnown = attempt !== undefined || !owner.startsWith('#') || this.hands.isAtWork(owner);
      demand(isKept && isKnown, 'nobody who has ended holds', `${owner} holds ${key}`);
      const guest = this.guests.get(owner);
      const endsOnce = !guest || guest.leaseMs > 0 || guest.process !== null;
      demand(endsOnce, 'every lock ends by itself', `${owner} would hold ${key} for ever`);
    }
    const edges = this.book.edges((owner) => this.isEnding(owner));
    this.resolutions.settled();
    if (!this.isBeginning) {
      for (const owner of edges.keys()) {
        const cycle = cycleThrough(owner, edges);
        const isFound = cycle === null || this.resolutions.mayStay(cycle, by);
        demand(isFound, 'a deadlock is found when it closes', `${cycle?.join(' → ')} and nobody said so`);
      }
    }
    this.isBeginning = false;
  }

  /** Somebody is in the way of these locks, or might be: then nothing is demanded. */
  isContended(wants: readonly Wanted[]): boolean {
    return meets(wants, [...this.book.holds, ...this.book.queue.flatMap((request) => request.wants)]);
  }

  /** Whose process has been dead for so long that they should be gone; null: nobody. */
  lateToReap(isLate: (since: number) => boolean): string | null {
    const { processes } = this.parts;
    for (const { process, ticket, owner } of this.book.queue) {
      if (processes.isSeenDead(process) && isLate(processes.diedAt(process)))
        return `${ticket} of ${owner}, which is dead`;
    }
    for (const { owner } of this.book.holds) {
      const process = this.guests.get(owner)?.process;
      if (process && processes.isSeenDead(process) && isLate(processes.diedAt(process)))
        return `${owner}, which is dead`;
    }
    return null;
  }

  private attemptOf(owner: string): Attempt | undefined {
    return owner.startsWith('#') ? this.parts.attempts.byToken.get(Number(owner.slice(1))) : undefined;
  }

  private isEnding(owner: string): boolean {
    const attempt = this.attemptOf(owner);
    return attempt !== undefined && (attempt.ended || attempt.doom !== null);
  }

  /** What the plan declares is taken with the start, all of it. */
  private scheduled(event: Stored<'attempt-scheduled'>, ahead: readonly StoredEvent[]): void {
    const { demand, plans } = this.parts;
    const leaf = plans.get(event.plan)!.leaves.get(event.task)!;
    const wants = declaredBy(leaf.task.keys);
    const taken = ahead.slice(1, wants.length + 1);
    const isTaken = wants.every(({ key, mode }) =>
      taken.some(
        (next) =>
          next.type === 'lock-acquired' && next.token === event.token && next.resource === key && next.mode === mode,
      ),
    );
    demand(isTaken, 'declared locks are taken with the start', event.attempt);
    this.resolutions.scheduled(event);
  }

  private acquired(event: Stored<'lock-acquired'>, ahead: readonly StoredEvent[]): void {
    const { demand } = this.parts;
    const { owner, resource: key, mode, ticket } = event;
    const inTheWay = this.book.holdersInTheWay(owner, [{ key, mode }]);
    demand(inTheWay.length === 0, 'no two hold what conflicts', `${owner} got ${key}, ${inTheWay} has it`);
    if (this.ofGrant === 0) this.ofGrant = this.granted(event, ahead);
    this.ofGrant--;
    demand(event.seq > (this.fences.get(key) ?? 0), 'fences grow', `${key}: ${event.seq}`);
    this.fences.set(key, event.seq);
    const declared = ticket === undefined && this.isDeclared(event);
    const held = this.book.holdsOf(owner).find((hold) => hold.key === key);
    if (held) Object.assign(held, { mode: held.mode === 'exclusive' ? held.mode : mode, fence: event.seq });
    else this.book.holds.push({ owner, key, mode, fence: event.seq, declared });
    this.book.tries = this.book.tries.filter((one) => one.owner !== owner || one.wants.every((w) => w.key !== key));
    if (event.token === undefined) this.welcome(owner, event, event.process);
  }

  /** Everything that one request got at once. Says of how many events it is made. */
  private granted(event: Stored<'lock-acquired'>, ahead: readonly StoredEvent[]): number {
    const { demand, processes } = this.parts;
    const { owner, ticket } = event;
    const attempt = this.attemptOf(owner);
    demand(!this.isEnding(owner), 'nothing for who is being ended', `${owner} got ${event.resource}`);
    const isKnown = event.token === undefined || attempt !== undefined || this.hands.isAtWork(owner);
    demand(isKnown, 'nothing for who is being ended', `${owner} is nobody`);
    const request = this.book.queue.find((waiting) => waiting.ticket === ticket);
    demand(ticket === undefined || request?.owner === owner, 'a grant ends a wait', `${ticket} of ${owner}`);
    let count = 1;
    for (const next of ahead.slice(1)) {
      if (next.type !== 'lock-acquired' || next.owner !== owner || next.ticket !== ticket || next.passes) break;
      count++;
    }
    const wants = ahead.slice(0, request?.wants.length ?? count).flatMap((next): Wanted[] => {
      return next.type === 'lock-acquired' ? [{ key: next.resource, mode: next.mode }] : [];
    });
    const isAll = !request || JSON.stringify(request.wants) === JSON.stringify(wants);
    demand(isAll, 'all or none', `${owner} waited for ${JSON.stringify(request?.wants)}`);
    const isKnownDead = request !== undefined && processes.isSeenDead(request.process);
    demand(!isKnownDead, 'nothing for the dead', `${owner} got ${event.resource}, and nobody waits for it`);
    const place = ticket ?? Number.POSITIVE_INFINITY;
    const before = this.book.inTheWay({ owner, wants, ticket: place });
    demand(before.length === 0, 'nobody barges', `${owner} got ${event.resource} before ${before}`);
    const passed = this.book.passedBy(owner, wants, place);
    const told = [...(event.passes ?? [])].sort((a, b) => a - b);
    demand(String(told) === String(passed), 'who is passed is told', `${owner} passed [${passed}], told [${told}]`);
    for (const one of this.book.queue) {
      if (!passed.includes(one.ticket)) continue;
      one.passed++;
      const isForced = this.book.holdsOfPerson(owner).length > 0;
      demand(one.passed <= mostPasses || isForced, 'nobody barges', `${one.ticket} was passed ${one.passed} times`);
    }
    if (request) this.book.queue = this.book.queue.filter((waiting) => waiting !== request);
    return wants.length;
  }

  private isDeclared({ plan, task, token, resource }: Stored<'lock-acquired'>): boolean {
    const leaf = task === undefined ? undefined : this.parts.plans.get(plan)?.leaves.get(task);
    if (!leaf || leaf.live?.token !== token) return false;
    return declaredBy(leaf.task.keys).some(({ key }) => key === resource);
  }

  private welcome(owner: string, { until, at }: { until?: number; at: number }, process?: ProcessIdentity): void {
    const known = this.guests.get(owner);
    const lease = until === undefined && known ? known : this.leaseFrom(until === undefined ? 0 : until - at);
    this.guests.set(owner, { ...lease, process: process ?? known?.process ?? null });
  }

  private leaseFrom(leaseMs: number) {
    return { leaseMs, since: this.parts.clock.now(), boot: this.parts.machine().boot };
  }

  private waiting(event: Stored<'lock-waiting'>): void {
    const { demand } = this.parts;
    const { owner, wants, process, seq: ticket } = event;
    demand(!this.isEnding(owner), 'nothing for who is being ended', `${owner} may wait`);
    const inTheWay = this.book.inTheWay({ owner, wants, ticket });
    demand(inTheWay.length > 0, 'what is free is granted', `${owner} waits for ${event.resource}`);
    this.book.queue.push({ ticket, owner, wants, process, passed: 0 });
    if (event.token === undefined) this.welcome(owner, event, event.boundTo);
    this.resolutions.queued(event);
  }

  /** One refusal is remembered, the second makes it a wait, and after that only that it goes on. */
  private tried({ owner, wants, resource }: Stored<'lock-tried'>): void {
    const { demand } = this.parts;
    demand(!this.isEnding(owner), 'nothing for who is being ended', `${owner} tried ${resource}`);
    const inTheWay = this.book.inTheWay({ owner, wants, ticket: Number.POSITIVE_INFINITY });
    demand(inTheWay.length > 0, 'what is free is granted', `${owner} was refused ${resource}`);
    demand(this.book.holdsOfPerson(owner).length > 0, 'a try is recorded where it matters', `${owner} holds nothing`);
    const before = this.book.lastTry(owner, wants);
    const isNews = !before?.waits || this.book.now - before.at >= triesCountFor / 3;
    demand(isNews, 'a try is recorded where it matters', `${owner} asks for ${resource} again and again`);
    this.book.note(owner, wants);
  }

  private waitEnded({ ticket, owner, because }: Stored<'lock-wait-ended'>): void {
    const { demand, processes, isAsked } = this.parts;
    const request = this.book.queue.find((waiting) => waiting.ticket === ticket);
    demand(request?.owner === owner, 'one end of a wait', `${ticket} of ${owner} ended, ${because}`);
    const reasons: Record<typeof because, () => boolean> = {
      died: () => !processes.isAlive(request!.process) || this.leaseIsOver(owner) !== null,
      ended: () => this.isEnding(owner),
      deadlock: () => this.attemptOf(owner)?.doom?.kind === 'deadlock' || this.resolutions.isRefused(ticket),
      timeout: () => isAsked(owner, `timeout ${ticket}`),
      'given-up': () => isAsked(owner, `given-up ${ticket}`),
    };
    demand(reasons[because](), 'a wait ends for a reason', `${ticket} of ${owner}: ${because}`);
    this.book.queue = this.book.queue.filter((waiting) => waiting !== request);
    this.forget(owner);
  }

  private released({ plan, owner, resource, because }: Stored<'lock-released'>): void {
    const { demand, isAsked, disc } = this.parts;
    const hold = this.book.holdsOf(owner).find(({ key }) => key === resource);
    demand(hold !== undefined, 'one release', `${owner} does not hold ${resource}`);
    const attempt = this.attemptOf(owner);
    const reasons: Record<typeof because, () => boolean> = {
      released: () => isAsked(this.hands.personOf(owner), 'release') && !this.isEnding(owner),
      ended: () => (attempt ? attempt.ended : plan === handPlan && !this.hands.isAtWork(owner)),
      deadlock: () => attempt?.ended === true && attempt.doom?.kind === 'deadlock',
      expired: () => this.leaseIsOver(owner) === 'expired',
      died: () => this.leaseIsOver(owner) === 'died',
      forced: () => isAsked('anybody', `force ${resource}`),
    };
    demand(reasons[because](), 'a lock moves for a reason', `${resource} of ${owner}: ${because}`);
    const isEarly = because === 'released' && hold!.declared;
    demand(!isEarly, 'declared locks are held to the end', `${owner} gave ${resource} back`);
    if (attempt && because !== 'released' && because !== 'forced') this.canMove(attempt, resource);
    if (attempt && because === 'released') disc().finish(attempt.token, [resource]);
    this.book.holds = this.book.holds.filter((other) => other !== hold);
    this.forget(owner);
  }

  /** Its processes are dead, and what it had half done is put back. */
  private canMove(attempt: Attempt, resource: string): void {
    const { demand, machine, disc } = this.parts;
    demand(!machine().isAlive(machine().slip(attempt.token)), 'dead before its locks move', `${attempt.id} lives`);
    const isOver = !this.resolutions.isBeingSalvaged(attempt.token);
    demand(isOver, 'put back before its locks move', `${attempt.id} loses ${resource}`);
    const left = disc()
      .changesOf(attempt.token)
      .filter((key) => !this.resolutions.isLeft(attempt.token, key));
    const isRight = !this.resolutions.wasSalvaged(attempt.token) || left.length === 0;
    demand(isRight, 'put back before its locks move', `${attempt.id} has left ${left}`);
  }

  private leaseIsOver(owner: string): 'died' | 'expired' | null {
    const { clock, machine } = this.parts;
    const guest = this.guests.get(owner);
    if (!guest) return null;
    if (guest.process && this.parts.processes.isSeenDead(guest.process)) return 'died';
    if (guest.process && this.parts.processes.isAlive(guest.process)) return null;
    // No clock is common to two boots: then the wall clock counts, wherever it stands.
    const isOver = clock.now() - guest.since >= guest.leaseMs || machine().boot !== guest.boot;
    return guest.leaseMs > 0 && isOver ? 'expired' : null;
  }

  private forget(owner: string): void {
    const isThere = this.book.holdsOf(owner).length > 0 || this.book.queue.some((request) => request.owner === owner);
    if (!isThere) this.guests.delete(owner);
  }
}
