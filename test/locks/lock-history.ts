// Random histories of a lock table beside the plain one. A step is drawn from numbers, so that one seed is one history; what every
// question answers is compared after every step, and what must never be is looked for.
import { isDeepStrictEqual } from 'node:util';
import { type DeadlockStep, LockTable, type Mode, type Want } from '../../src/locks/lock-table.ts';
import { PlainLocks, shortestCycle } from './plain-locks.ts';

export const verbs = [
  'ask',
  'try',
  'poll',
  'grant',
  'release',
  'release-all',
  'withdraw',
  'kill',
  'pass',
  'repeat',
  'force',
] as const;

export interface Step {
  readonly verb: (typeof verbs)[number];
  readonly owner: string;
  readonly wants: readonly Want[];
  /** Picks one of what there is. */
  readonly pick: number;
}

export interface History {
  /** Everybody keeps to the rules: nothing is held that was not granted, and a deadlock ends with the death of one in it. */
  readonly isOrderly: boolean;
  readonly steps: readonly Step[];
}

export const ownerNames = ['A', 'B', 'C', 'D', 'E'];
export const keyNames = ['a', 'b', 'a/b', 'a/b.ts', 'a/*', '**/b', '{a/c,b}/*', 'b/c/d', 'db:x', 'db:y'];
export const modes: readonly Mode[] = ['exclusive', 'shared'];

/** Throws where the two differ. */
export class HistoryRun {
  private readonly quick = new LockTable();
  private readonly plain = new PlainLocks();
  private readonly isOrderly: boolean;
  /** Those who ask again and again, and wait without a place in the queue. */
  private polls: { readonly owner: string; readonly wants: readonly Want[] }[] = [];
  private ticket = 0;
  private fence = 0;
  private step: Step | null = null;
  /** What happened, for knowing that it does happen. */
  readonly seen = { grants: 0, passes: 0, deadlocks: 0, foreseen: 0, longest: 0, waits: 0, polled: 0 };

  constructor(isOrderly: boolean) {
    this.isOrderly = isOrderly;
  }

  static of({ isOrderly, steps }: History): HistoryRun {
    const run = new HistoryRun(isOrderly);
    for (const step of steps) run.take(step);
    run.end();
    return run;
  }

  take(step: Step): void {
    this.step = step;
    this.apply(step);
    this.compare(step);
    if (this.isOrderly) this.resolve(step);
  }

  /** Everybody goes, and nothing is left. */
  end(): void {
    this.compareWithCopy();
    for (const owner of ownerNames) this.kill(owner);
    this.same('the end', [this.quick.isEmpty, [...this.quick.owners()]], [true, []]);
  }

  private apply({ verb, owner, wants, pick }: Step): void {
    const waiting = this.plain.places[pick % Math.max(1, this.plain.places.length)];
    switch (verb) {
      case 'ask':
        this.queue(owner, wants);
        break;
      case 'try':
        if (this.quick.obstaclesOf({ owner, wants }).length === 0)
          this.give(owner, wants, this.quick.passesOf({ owner, wants }));
        break;
      case 'poll':
        // Now and then all of them stop.
        this.polls = pick === 0 ? [] : [...this.polls, { owner, wants }];
        break;
      case 'grant':
        this.grantAll();
        break;
      case 'release':
        this.drop(owner, this.quick.holdsOf(owner)[pick % 3]?.key ?? wants[0]!.key);
        break;
      case 'release-all':
        for (const { key } of this.quick.holdsOf(owner)) this.drop(owner, key);
        break;
      case 'withdraw':
        if (waiting !== undefined) this.unqueue(waiting.ticket);
        break;
      case 'kill':
        this.kill(owner);
        break;
      case 'pass':
        // As if many had come by.
        if (waiting !== undefined) for (let i = 0; i < 1 + (pick % 8); i++) this.pass(waiting.ticket);
        break;
      case 'repeat':
        for (const hold of [...this.quick.holds()]) this.quick.hold(hold.owner, hold.key, 'shared', 0);
        for (const { ticket, wants: same } of [...this.quick.requests()])
          this.quick.queue({ ticket, owner, wants: same });
        this.quick.drop(owner, 'nobody/has/this');
        this.quick.unqueue(this.ticket + 1);
        this.quick.pass([this.ticket + 1]);
        break;
      case 'force':
        if (this.isOrderly) this.grantAll();
        else this.hold(owner, wants[0]!);
        break;
    }
  }

  private queue(owner: string, wants: readonly Want[]): void {
    this.ticket += 1 + (wants.length % 2);
    this.quick.queue({ ticket: this.ticket, owner, wants });
    this.plain.queue(this.ticket, owner, wants);
  }

  private unqueue(ticket: number): void {
    this.quick.unqueue(ticket);
    this.plain.unqueue(ticket);
  }

  private drop(owner: string, key: string): void {
    this.quick.drop(owner, key);
    this.plain.drop(owner, key);
  }

  private hold(owner: string, { key, mode }: Want): void {
    this.fence++;
    this.quick.hold(owner, key, mode, this.fence);
    this.plain.hold(owner, key, mode, this.fence);
  }

  private pass(ticket: number): void {
    this.quick.pass([ticket]);
    this.plain.pass(ticket);
  }

  private kill(owner: string): void {
    this.polls = this.polls.filter((poll) => poll.owner !== owner);
    for (const { ticket } of this.quick.waitsOf(owner)) this.unqueue(ticket);
    for (const { key } of this.quick.holdsOf(owner)) this.drop(owner, key);
  }

  private give(owner: string, wants: readonly Want[], passes: readonly number[]): void {
    this.seen.grants++;
    this.seen.passes += passes.length;
    for (const want of wants) this.hold(owner, want);
    for (const ticket of passes) this.pass(ticket);
  }

  private grantAll(): void {
    for (let grant = this.quick.nextGrant(); grant !== null; grant = this.quick.nextGrant()) {
      const { request, passes } = grant;
      this.same('the next grant', { ticket: request.ticket, passes: [...passes] }, this.plain.nextGrant());
      this.unqueue(request.ticket);
      this.give(request.owner, request.wants, passes);
    }
    this.same('no grant', null, this.plain.nextGrant());
  }

  private compare({ owner, wants }: Step): void {
    const { quick, plain } = this;
    const byName = (a: { owner: string; key: string }, b: { owner: string; key: string }) =>
      a.owner < b.owner || (a.owner === b.owner && a.key < b.key) ? -1 : 1;
    this.same('holds', [...quick.holds()].sort(byName), [...plain.possessions].sort(byName));
    this.same('requests', [...quick.requests()], plain.places);
    this.same('owners', [...quick.owners()].sort(), plain.owners());
    const next = quick.nextGrant();
    this.same('the next grant', next && { ticket: next.request.ticket, passes: [...next.passes] }, plain.nextGrant());
    for (const request of plain.places) {
      const obstacles = plain.obstacles(request);
      this.seen.waits += obstacles.length;
      this.same(`what is in the way of ${request.ticket}`, quick.obstaclesOf(request), obstacles);
      this.same(`whom ${request.ticket} passes`, quick.passesOf(request), plain.passes(request));
    }
    const asked = { owner, wants };
    const obstacles = plain.obstacles(asked);
    this.same('what would be in the way', quick.obstaclesOf(asked), obstacles);
    this.same('whom it would pass', quick.passesOf(asked), plain.passes(asked));
    const edges = plain.waitsFor();
    for (const one of [...edges.keys(), 'nobody']) {
      const length = shortestCycle(edges, one, edges.get(one) ?? []);
      this.checkCycle(quick.findDeadlock(one), one, length);
      if (length > 0) this.seen.deadlocks++;
      this.seen.longest = Math.max(this.seen.longest, length);
    }
    const foreseen = shortestCycle(
      edges,
      owner,
      obstacles.map((obstacle) => obstacle.owner),
    );
    if (foreseen > 0) this.seen.foreseen++;
    this.checkCycle(quick.wouldDeadlock(asked), owner, foreseen, asked);
    this.comparePolls(asked);
    this.same('requests after asking', [...quick.requests()], plain.places);
    this.same('owners after asking', [...quick.owners()].sort(), plain.owners());
    if (this.isOrderly) this.checkSafety();
  }

  /** They make cycles, and nothing else. */
  private comparePolls(asked: { readonly owner: string; readonly wants: readonly Want[] }): void {
    const { quick, plain, polls } = this;
    const edges = plain.waitsFor(polls);
    const lengthOf = (steps: DeadlockStep[] | null) => steps?.length ?? 0;
    for (const [one, first] of edges) {
      const length = shortestCycle(edges, one, first);
      if (length > 0 && polls.length > 0) this.seen.polled++;
      this.same(
        `the cycle of polls through ${one}`,
        lengthOf(quick.withPolls(polls, () => quick.findDeadlock(one))),
        length,
      );
    }
    const obstacles = plain.obstacles(asked).map(({ owner }) => owner);
    const foreseen = quick.withPolls(polls, () => quick.wouldDeadlock(asked));
    this.same('the cycle with polls', lengthOf(foreseen), shortestCycle(edges, asked.owner, obstacles));
  }

  /** A table that was told only what is so now, and backwards, answers the same to the letter: the way there does not matter. */
  private compareWithCopy(): void {
    const { quick } = this;
    const copy = new LockTable();
    for (const { owner, key, mode, fence } of [...quick.holds()].reverse()) copy.hold(owner, key, mode, fence);
    for (const request of [...quick.requests()].reverse()) copy.queue(request);
    this.same('requests of a copy', [...copy.requests()], [...quick.requests()]);
    this.same('the next grant of a copy', copy.nextGrant(), quick.nextGrant());
    for (const request of quick.requests()) {
      this.same('obstacles of a copy', copy.obstaclesOf(request), quick.obstaclesOf(request));
    }
    for (const owner of quick.owners()) {
      this.same('holds of a copy', copy.holdsOf(owner), quick.holdsOf(owner));
      this.same('the cycle of a copy', copy.findDeadlock(owner), quick.findDeadlock(owner));
    }
  }

  /** Every step is a wait that the plain table knows too. */
  private checkCycle(
    steps: DeadlockStep[] | null,
    owner: string,
    length: number,
    asked?: { owner: string; wants: readonly Want[] },
  ) {
    this.same(`the cycle through ${owner}`, steps?.length ?? 0, length);
    if (steps === null) return;
    this.same('its first', steps[0]!.owner, owner);
    for (const [i, step] of steps.entries()) {
      this.same('the next of it', step.heldBy, steps[(i + 1) % steps.length]!.owner);
      this.same('the ticket', step.ticket === 0, i === 0 && asked !== undefined);
      const request = step.ticket === 0 ? asked! : this.plain.places.find(({ ticket }) => ticket === step.ticket)!;
      this.same('who waits', request.owner, step.owner);
      const { waitsFor: want, theirs, kind, heldBy } = step;
      const isKnown = this.plain
        .obstacles(request)
        .some((one) => one.owner === heldBy && one.want === want && one.theirs === theirs && one.kind === kind);
      this.same(`${step.owner} waits for ${heldBy}`, isKnown, true);
    }
  }

  /** No two hold what conflicts: who would be in the way of a hold, were it asked for now? */
  private checkSafety(): void {
    for (const { owner, key, mode } of this.plain.possessions) {
      const obstacles = this.plain.obstacles({ owner, wants: [{ key, mode }], ticket: 0 });
      this.same(`${owner} holds ${key} beside others`, obstacles, []);
    }
  }

  /** A deadlock is seen through everybody in it (`compare`), some of them are knots, and it ends when one in it does. */
  private resolve(step: Step): void {
    for (;;) {
      const edges = this.plain.waitsFor();
      if (![...edges].some(([owner, first]) => shortestCycle(edges, owner, first) > 0)) return;
      const knots = this.quick.knots();
      const cycle = knots.map((owner) => this.quick.findDeadlock(owner)).find((found) => found !== null);
      if (cycle === undefined) this.fail('a deadlock through no knot', knots, [...edges]);
      this.kill(cycle![step.pick % cycle!.length]!.owner);
      this.compare(step);
    }
  }

  private same(what: string, quick: unknown, plain: unknown): void {
    if (quick === plain || isDeepStrictEqual(quick, plain)) return;
    this.fail(what, quick, plain);
  }

  private fail(what: string, quick: unknown, plain: unknown): never {
    throw new Error(
      `after ${JSON.stringify(this.step)}: ${what}\nquick ${JSON.stringify(quick)}\nplain ${JSON.stringify(plain)}`,
    );
  }
}
