// What the log claims about deadlocks and their ends. There was one. One attempt of it was stopped, and the right one. Every step follows
// the one before. It costs the task nothing. The added need ends.
import type { StoredEvent } from '../../../src/core/model/event.ts';
import type { DeadlockRules } from '../../../src/core/model/run-event.ts';
import type { Attempt, PlanLedger } from './ledger.ts';
import type { LockBook } from './lock-book.ts';
import type { LockClaimParts } from './lock-claims.ts';

type Stored<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;

/** What is known of one task over all its attempts. */
interface Past {
  firstStartedAt: number;
  deadlocks: number;
  after: { readonly owner: string; readonly resource: string } | null;
}

const mostTimes = 3;

export class ResolutionClaims {
  private readonly parts: LockClaimParts;
  private readonly book: LockBook;
  private readonly ownerOf: (name: string) => string;
  private readonly pasts = new Map<string, Past>();
  /** Attempts that ended half way and hold something: how far they are. */
  private readonly salvage = new Map<number, { attempt: Attempt; since: number; saved: boolean }>();
  private readonly salvaged = new Map<number, readonly string[]>();
  /** Victims until their deadlock is resolved. */
  readonly victims = new Map<number, { readonly attempt: Attempt; readonly since: number }>();
  private readonly refusedTickets = new Set<number>();
  /** The edges of cycles that only the next request makes. */
  private owed: { readonly from: string; readonly to: string }[] = [];

  constructor(parts: LockClaimParts, book: LockBook, ownerOf: (name: string) => string) {
    this.parts = parts;
    this.book = book;
    this.ownerOf = ownerOf;
  }

  isBeingSalvaged(token: number): boolean {
    return this.salvage.has(token);
  }

  wasSalvaged(token: number): boolean {
    return this.salvaged.has(token);
  }

  isLeft(token: number, key: string): boolean {
    return this.salvaged.get(token)?.includes(key) ?? false;
  }

  /** Of a plan, those under way. */
  salvagesOf(plan: string): { attempt: Attempt; since: number }[] {
    return [...this.salvage.values()].filter(({ attempt }) => attempt.plan === plan);
  }

  /** After a deadlock: its blocker has not let go. */
  isHeldBack(plan: string, task: string): boolean {
    const after = this.pasts.get(`${plan} ${task}`)?.after;
    return after != null && this.holds(after);
  }

  claim(event: StoredEvent, ahead: readonly StoredEvent[]): void {
    switch (event.type) {
      case 'deadlock-detected':
        return this.detected(event, ahead);
      case 'lock-refused':
        return this.refused(event);
      case 'attempt-ended':
        return this.ended(event);
      case 'work-saved':
        return this.saved(event);
      case 'files-put-back':
        return this.putBack(event);
      case 'need-added':
        return this.needAdded(event, ahead);
      case 'retry-scheduled':
        return this.retried(event);
      case 'deadlock-resolved':
        return this.resolved(event);
      default:
        return;
    }
  }

  scheduled({ plan, task, attempt, at }: Stored<'attempt-scheduled'>): void {
    const { demand } = this.parts;
    const past = this.pastOf(plan, task);
    demand(!past.after || !this.holds(past.after), 'not before its blocker lets go', attempt);
    past.after = null;
    if (past.firstStartedAt === 0) past.firstStartedAt = at;
  }

  queued({ owner, wants, seq: ticket }: Stored<'lock-waiting'>): void {
    const { owed } = this;
    this.owed = [];
    const inTheWay = this.book.inTheWay({ owner, wants, ticket });
    for (const { from, to } of owed) {
      const isEdge = from === owner && inTheWay.includes(to);
      this.parts.demand(isEdge, 'a true deadlock', `${from} does not wait for ${to}`);
    }
  }

  /** The transaction is over, and so is every request that was made in it. */
  settled(): void {
    const [owed] = this.owed;
    this.parts.demand(owed === undefined, 'a true deadlock', `${owed?.from} does not wait for ${owed?.to}`);
    for (const [token, { attempt }] of this.victims) {
      const isOpen = !attempt.ended || this.salvage.has(token);
      this.parts.demand(isOpen, 'every deadlock is resolved', `that of ${attempt.id} is over and not told so`);
    }
  }

  isRefused(ticket: number): boolean {
    return this.refusedTickets.has(ticket);
  }

  /** Of those in a cycle who want deadlocks found. */
  private rulesIn(cycle: readonly string[]): DeadlockRules[] {
    const { attempts, plans } = this.parts;
    const rules = cycle.map((owner) => {
      const attempt = owner.startsWith('#') ? attempts.byToken.get(Number(owner.slice(1))) : undefined;
      return attempt ? plans.get(attempt.plan)!.run!.deadlock : ({ detect: true, victim: 'youngest' } as const);
    });
    return rules.filter(({ detect }) => detect);
  }

  /**
   * All in it have switched it off; or nobody may be stopped, and those who want it found only poll: they are told with the next `try`; or a runner
   * does not know yet whether what an earlier one left is alive.
   */
  mayStay(cycle: readonly string[], by: { plan: string; isTurn: boolean }): boolean {
    const { attempts, plans } = this.parts;
    if (this.rulesIn(cycle).length === 0) return true;
    const told = cycle.filter((owner) => this.rulesIn([owner]).length > 0);
    const isQueued = this.book.queue.some((request) => {
      const at = cycle.indexOf(this.book.personOf(request.owner));
      return told.includes(cycle[at]!) && this.book.inTheWay(request).includes(cycle[(at + 1) % cycle.length]!);
    });
    if (!isQueued && this.eligible(cycle).length === 0) return true;
    return cycle.some((owner) => {
      const attempt = owner.startsWith('#') ? attempts.byToken.get(Number(owner.slice(1))) : undefined;
      return by.isTurn && attempt?.plan === by.plan && attempt.run !== plans.get(by.plan)!.run!.run;
    });
  }

  /** Those of a cycle that may be stopped. */
  eligible(cycle: readonly string[]): Attempt[] {
    const { attempts, plans } = this.parts;
    return cycle.flatMap((owner) => {
      const attempt = owner.startsWith('#') ? attempts.byToken.get(Number(owner.slice(1))) : undefined;
      if (!attempt || attempt.ended || attempt.doom) return [];
      const isOurs = hasRunner(plans.get(attempt.plan)!);
      return isOurs && this.pastOf(attempt.plan, attempt.task).deadlocks < mostTimes ? [attempt] : [];
    });
  }

  private pastOf(plan: string, task: string): Past {
    const name = `${plan} ${task}`;
    let past = this.pasts.get(name);
    if (!past) {
      past = { firstStartedAt: 0, deadlocks: 0, after: null };
      this.pasts.set(name, past);
    }
    return past;
  }

  private holds({ owner, resource }: { owner: string; resource: string }): boolean {
    return this.book.holdsOf(owner).some(({ key }) => key === resource);
  }

  private detected(event: Stored<'deadlock-detected'>, ahead: readonly StoredEvent[]): void {
    const { demand, attempts, clock } = this.parts;
    const victim = attempts.byToken.get(event.token)!;
    const owners = this.ownersOf(event.cycle, victim);
    const own = `#${event.token}`;
    demand(owners.includes(own), 'one victim of its cycle', `${event.victim} is not in ${event.cycle}`);
    const isNew = owners.every((owner) => {
      const attempt = attempts.byToken.get(Number(owner.slice(1)));
      return !owner.startsWith('#') || (attempt !== undefined && !attempt.ended && attempt.doom === null);
    });
    demand(isNew, 'one victim of its cycle', `${event.cycle}: one of it is being ended already`);
    this.isCycle(owners, own);
    const choices = this.eligible(owners);
    const times = this.pastOf(victim.plan, victim.task).deadlocks;
    demand(times < mostTimes, 'three times at most', `${event.victim} was stopped ${times} times`);
    const ageOf = ({ plan, task }: Attempt) => this.pastOf(plan, task).firstStartedAt;
    const policies = this.rulesIn(owners).map((rules) => rules.victim);
    demand(policies.length > 0, 'nobody is stopped where it is switched off', event.victim);
    const isFirst = (by: (attempt: Attempt) => number) => by(victim) === Math.max(...choices.map(by));
    const isRight =
      choices.includes(victim) &&
      ((policies.includes('youngest') && isFirst(ageOf)) ||
        (policies.includes('least-progress') && isFirst(({ scheduledAt }) => scheduledAt)));
    demand(isRight, 'the right one is stopped', `${event.victim}, of ${choices.map(({ id }) => id)} by ${policies}`);
    demand(event.reason !== '', 'the reason is told', event.victim);
    const next = ahead[1];
    const isDoomed = next?.type === 'attempt-doomed' && next.token === event.token && next.doom.kind === 'deadlock';
    demand(isDoomed, 'one victim of its cycle', `${event.victim} is not doomed`);
    this.victims.set(event.token, { attempt: victim, since: clock.now() });
    this.pastOf(victim.plan, victim.task).deadlocks++;
  }

  private refused({ cycle, owner, ticket }: Stored<'lock-refused'>): void {
    const { attempts, demand } = this.parts;
    const asking = owner.startsWith('#') ? attempts.byToken.get(Number(owner.slice(1))) : undefined;
    const owners = this.ownersOf(cycle, asking);
    this.isCycle(owners, owner);
    const choices = this.eligible(owners);
    demand(choices.length === 0, 'refused only when nobody may be stopped', `${choices.map(({ id }) => id)}`);
    if (ticket === undefined) return;
    const waits = this.book.queue.filter((request) => owners.includes(request.owner));
    const isOwn = waits.some((request) => request.owner === owner && request.ticket === ticket);
    // Of those who want it found: where it is switched off, nobody is told.
    const isQueued = (one: string) => waits.some((request) => request.owner === one);
    const told = owners.filter((one) => this.rulesIn([one]).length > 0 && isQueued(one));
    const isLast = told.every((one) => waits.some((request) => request.owner === one && request.ticket <= ticket));
    demand(isOwn && isLast, 'who asked last is refused', `${ticket} of ${owner} in ${owners.join(' → ')}`);
    this.refusedTickets.add(ticket);
  }

  /** Two plans may have attempts of one name: of those that it could be, who makes most of a cycle. */
  private ownersOf(names: readonly string[], known: Attempt | undefined): string[] {
    const open = [...this.parts.attempts.open];
    const edges = this.book.edges(() => false);
    let choices: string[][] = [[]];
    for (const name of names) {
      const named = open
        .filter(({ id, plan }) => id === name || `${plan} ${id}` === name)
        .map(({ token }) => `#${token}`);
      const owners = named.length > 0 ? named : [this.ownerOf(name)];
      choices = choices.flatMap((before) =>
        owners.filter((one) => !before.includes(one)).map((one) => [...before, one]),
      );
    }
    const right = choices.filter((owners) => !known || owners.includes(`#${known.token}`));
    right.sort((a, b) => missingIn(a, edges).length - missingIn(b, edges).length);
    return right[0] ?? [];
  }

  /** Everybody waits for the next; only of one, who asks just now, the request is not in the book yet. */
  private isCycle(owners: readonly string[], asking: string): void {
    const missing = missingIn(
      owners,
      this.book.edges(() => false),
    );
    const isRight = owners.length > 1 && missing.length <= 1;
    this.parts.demand(isRight, 'a true deadlock', `${owners.join(' → ')}: ${JSON.stringify(missing)}`);
    if (missing[0] && missing[0].from !== asking) this.owed.push(missing[0]);
  }

  private ended(event: Stored<'attempt-ended'>): void {
    const { attempts, clock, disc } = this.parts;
    const attempt = attempts.byToken.get(event.token)!;
    const isHalfDone =
      attempt.doom?.kind === 'deadlock' || attempt.doom?.kind === 'withdrawn' || event.end.kind === 'lost';
    if (isHalfDone && this.book.holdsOf(`#${event.token}`).length > 0) {
      this.salvage.set(event.token, { attempt, since: clock.now(), saved: false });
    } else disc().finish(event.token);
  }

  private saved({ token, attempt }: Stored<'work-saved'>): void {
    const { demand, machine, disc } = this.parts;
    const salvage = this.salvage.get(token);
    demand(salvage !== undefined && !salvage.saved, 'step by step', `${attempt} was saved`);
    demand(!machine().isAlive(machine().slip(token)), 'dead before its files are touched', attempt);
    demand(disc().hasSaved(token), 'step by step', `${attempt} is said to be saved`);
    salvage!.saved = true;
  }

  private putBack({ token, attempt, left = [] }: Stored<'files-put-back'>): void {
    const { demand, disc } = this.parts;
    demand(this.salvage.get(token)?.saved === true, 'step by step', `${attempt} was put back before it was saved`);
    const forgotten = disc().changesOf(token);
    demand(forgotten.length === 0, 'files are put back', `${attempt}: ${forgotten} stay, told was ${left}`);
    this.salvaged.set(token, left);
    this.salvage.delete(token);
  }

  private needAdded(event: Stored<'need-added'>, ahead: readonly StoredEvent[]): void {
    const { demand } = this.parts;
    const next = ahead[1];
    const isPart = next?.type === 'retry-scheduled' && next.because === 'deadlock' && next.task === event.task;
    demand(isPart, 'step by step', `${event.task} needs ${event.on}`);
    demand(this.holds(event), 'a need ends with its blocker', `${event.on} does not hold ${event.resource}`);
    if (event.onTask !== undefined) {
      const closes = this.leadsTo(event.plan, event.onTask, event.task, new Set());
      demand(!closes, 'needs and waits stay without a cycle', `${event.task} needs ${event.on}`);
    }
    this.pastOf(event.plan, event.task).after = { owner: event.owner, resource: event.resource };
  }

  /** By needs that hold, own and of the groups around, by added ones, and by locks. */
  private leadsTo(plan: string, from: string, to: string, seen: Set<string>): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return this.waitsFor(plan, from).some((next) => this.leadsTo(plan, next, to, seen));
  }

  private waitsFor(path: string, id: string): string[] {
    const { plans, attempts } = this.parts;
    const ledger = plans.get(path)!;
    const leaf = ledger.leaves.get(id);
    const { tasks } = ledger.plan;
    const found: string[] = [];
    if (!leaf)
      found.push(
        ...tasks.filter(({ parent }) => parent !== undefined && tasks[parent]!.id === id).map((part) => part.id),
      );
    if (leaf?.status === 'pending') {
      for (let task = tasks.find((one) => one.id === id); task; task = tasks[task.parent ?? -1]) {
        found.push(...(task.needs ?? []));
      }
      const after = this.pasts.get(`${path} ${id}`)?.after;
      if (after && this.holds(after)) found.push(attempts.byToken.get(Number(after.owner.slice(1)))?.task ?? '');
    }
    for (const other of leaf?.live
      ? (this.book.edges(() => false, Number.POSITIVE_INFINITY).get(`#${leaf.live.token}`) ?? [])
      : []) {
      const attempt = attempts.byToken.get(Number(other.slice(1)));
      if (attempt?.plan === path) found.push(attempt.task);
    }
    return found;
  }

  private retried({ plan, task, attempt, because, failure }: Stored<'retry-scheduled'>): void {
    const { demand, plans } = this.parts;
    const unjudged = plans.get(plan)!.leaves.get(task)!.unjudged?.attempt;
    const isVictim = unjudged?.doom?.kind === 'deadlock';
    demand(isVictim === (because === 'deadlock'), 'a deadlock costs nothing', `${attempt}: again because ${because}`);
    if (!isVictim) return;
    demand(failure === undefined, 'a deadlock costs nothing', `${attempt}: ${JSON.stringify(failure)}`);
    const owner = `#${unjudged!.token}`;
    const keeps = this.book.holdsOf(owner).length + this.book.queue.filter((one) => one.owner === owner).length;
    demand(keeps === 0, 'a victim keeps nothing', `${attempt} starts again and holds or waits for ${keeps}`);
  }

  private resolved({ token, victim }: Stored<'deadlock-resolved'>): void {
    const { demand } = this.parts;
    demand(this.victims.delete(token), 'step by step', `the deadlock of ${victim} ended twice or never was`);
    const isOver = this.parts.attempts.byToken.get(token)!.ended && !this.salvage.has(token);
    demand(isOver, 'step by step', `the deadlock of ${victim} is resolved too early`);
  }
}

/** Steps of the cycle that the book does not know. */
const missingIn = (owners: readonly string[], edges: ReadonlyMap<string, ReadonlySet<string>>) =>
  owners.flatMap((from, i) => {
    const to = owners[(i + 1) % owners.length]!;
    return edges.get(from)?.has(to) ? [] : [{ from, to }];
  });

const hasRunner = ({ run }: PlanLedger) => run !== null && !run.ended && run.process.alive;
