// One party as several lock owners. Locks taken with `lock` belong to the person's name; locks of a task started by hand belong to the
// task, and end with it. A check or a review has a token of its own; the files it looks at are locked by its attempt. The lock table knows
// each as an owner of its own. But waiting for one of them means waiting for the person, or for the check. So here they are one:
//
//   a hold or request of another of them                     is not in the way
//   an earlier request that waits for any of them            may be passed: it cannot go on before the party does
//   a circle through any of them                             is a circle through the party
//
// A task that was handed in is no longer theirs: it releases its locks itself. A person or check that neither asks nor waits closes no
// circle. So there is nearly always nobody to look at, and the table answers alone.
//
// Who polls with `try` waits too, where circles are looked for, and only there (polls.ts).
import type { AskedRequest, DeadlockStep, Grant, LockTable, Obstacle, OwnerId } from '../../../locks/lock-table.ts';
import { attemptOfJob } from '../../state/attempts.ts';
import { ownerOfToken } from '../../state/lock-state.ts';
import type { State } from '../../state/state.ts';

/** The owner of this name in the table. Empty if the name looks like an attempt's. */
export const ownerNamed = (name: string): OwnerId => (name.startsWith('#') ? '' : name);

export class People {
  private readonly table: LockTable;
  /** From each owner of a party to all of them, the one who asks or waits first. */
  private readonly owners = new Map<OwnerId, OwnerId[]>();
  private readonly polls: readonly AskedRequest[];

  /**
   * @param asking an owner that counts although it does not wait yet.
   * @param polls of those who wait without a place in the queue; for questions about circles.
   */
  constructor(state: State, asking?: OwnerId, polls: readonly AskedRequest[] = []) {
    const { hands, jobs, locks } = state;
    this.table = locks.table;
    this.polls = polls;
    const isIn = (owner: OwnerId) =>
      owner === asking || this.table.waitsOf(owner).length > 0 || polls.some((poll) => poll.owner === owner);
    for (const token of jobs) {
      const [job, attempt] = [ownerOfToken(token), attemptOfJob(state, token)];
      if (attempt !== null && isIn(job)) this.join(job, ownerOfToken(attempt));
    }
    if (hands.size === 0) return;
    for (const { owner, token, by } of locks.owners.values()) {
      const name = ownerNamed(by ?? '');
      if (name !== '' && hands.has(token) && isIn(name)) this.join(name, owner);
    }
  }

  private join(first: OwnerId, other: OwnerId): void {
    const all = this.owners.get(first) ?? [first];
    all.push(other);
    this.owners.set(first, all).set(other, all);
  }

  /** The table's obstacles, but only those in the way of all the party's owners. */
  obstaclesOf(asked: AskedRequest): Obstacle[] {
    const all = this.allOf(asked.owner);
    const [own, ...others] = all.map((owner) => this.table.obstaclesOf({ ...asked, owner })) as [
      Obstacle[],
      ...Obstacle[][],
    ];
    return own.filter((obstacle) => others.every((list) => list.some((other) => isSame(other, obstacle))));
  }

  /** For a request without obstacles. */
  passesOf(asked: AskedRequest): number[] {
    const all = this.allOf(asked.owner);
    const passed = new Set(all.flatMap((owner) => this.table.passesOf({ ...asked, owner })));
    const isOther = (ticket: number) => !all.includes(this.table.request(ticket)!.owner);
    return [...passed].filter(isOther).sort((a, b) => a - b);
  }

  nextGrant(): Grant | null {
    const grant = this.table.nextGrant();
    if (grant !== null || this.owners.size === 0) return grant;
    for (const request of this.table.requests()) {
      const isFree = this.owners.has(request.owner) && this.obstaclesOf(request).length === 0;
      if (isFree) return { request, passes: this.passesOf(request) };
    }
    return null;
  }

  /** Every circle goes through one of these. */
  knots(): OwnerId[] {
    const polling = this.polls.map(({ owner }) => this.personOf(owner));
    return [...new Set([...this.table.knots(), ...[...this.owners.values()].map(([name]) => name!), ...polling])];
  }

  findDeadlock(owner: OwnerId, without: readonly OwnerId[] = []): DeadlockStep[] | null {
    if (this.owners.size === 0) return this.table.withPolls(this.polls, () => this.table.findDeadlock(owner, without));
    return this.circle(owner, this.waitsOf(owner), without);
  }

  /** As if the request were queued last. */
  wouldDeadlock(asked: Omit<AskedRequest, 'ticket'>, without: readonly OwnerId[] = []): DeadlockStep[] | null {
    if (this.owners.size === 0) return this.table.withPolls(this.polls, () => this.table.wouldDeadlock(asked, without));
    return this.circle(asked.owner, [asked], without);
  }

  /** The first owner stands for all owners of a party. */
  private personOf(owner: OwnerId): OwnerId {
    return this.allOf(owner)[0]!;
  }

  /** All owners of the same party. */
  allOf(owner: OwnerId): readonly OwnerId[] {
    return this.owners.get(owner) ?? [owner];
  }

  private waitsOf(owner: OwnerId): AskedRequest[] {
    const all = this.allOf(owner);
    const queued = all.flatMap((one) => this.table.waitsOf(one));
    return [...queued, ...this.polls.filter((poll) => all.includes(poll.owner))];
  }

  /** The shortest circle through this owner. Always the same one: the search follows the order of requests and obstacles. */
  private circle(owner: OwnerId, first: readonly AskedRequest[], without: readonly OwnerId[]): DeadlockStep[] | null {
    const start = this.personOf(owner);
    const ending = new Set(without);
    const ways = new Map<OwnerId, Way | null>([[start, null]]);
    // The loop also visits what is added to the map meanwhile.
    for (const [person, way] of ways) {
      for (const request of person === start ? first : this.waitsOf(person)) {
        for (const obstacle of this.obstaclesOf(request)) {
          const next = this.personOf(obstacle.owner);
          if (ending.has(obstacle.owner) || (next !== start && ways.has(next))) continue;
          const onward = { step: stepOf(request, obstacle), from: way };
          if (next === start) return stepsOf(onward);
          ways.set(next, onward);
        }
      }
    }
    return null;
  }
}

interface Way {
  readonly step: DeadlockStep;
  readonly from: Way | null;
}

function stepsOf(last: Way): DeadlockStep[] {
  const steps: DeadlockStep[] = [];
  for (let way: Way | null = last; way !== null; way = way.from) steps.push(way.step);
  return steps.reverse();
}

const stepOf = (
  { owner, ticket = 0 }: AskedRequest,
  { owner: heldBy, want, theirs, kind }: Obstacle,
): DeadlockStep => ({
  owner,
  ticket,
  waitsFor: want,
  heldBy,
  theirs,
  kind,
});

const isSame = (a: Obstacle, b: Obstacle) => a.owner === b.owner && a.theirs === b.theirs && a.kind === b.kind;
