// A person under several names. What somebody takes by `lock` is theirs by name; what the tasks have that they work on by hand, the
// tasks have. The table knows these as owners of their own, so that each has its end: a task's locks go with the task. But whoever
// waits for one of them waits for the person, and so for what the person waits for. Here they are one:
//
//   what another of them holds or waits for                  is not in the way
//   an earlier request that waits for any of them            may be passed: it cannot go on before the person does
//   a circle through any of them                             is a circle through the person
//
// A task that was handed in is not theirs any more: it lets go by itself. Who neither asks nor waits closes no circle, so that nearly
// always there is nobody to look at, and every answer is that of the table.
import type { AskedRequest, DeadlockStep, Grant, LockTable, Obstacle, OwnerId, Request } from '../locks/lock-table.ts';
import type { State } from './state.ts';

/** Who goes by this name, as the table knows them. Nobody, where it could be taken for an attempt. */
export const ownerNamed = (name: string): OwnerId => (name.startsWith('#') ? '' : name);

export class People {
  private readonly table: LockTable;
  /** By each of their owners, all of them: the name first. */
  private readonly owners = new Map<OwnerId, OwnerId[]>();

  /** @param asking somebody who may not wait yet. */
  constructor({ hands, locks }: Pick<State, 'hands' | 'locks'>, asking?: OwnerId) {
    this.table = locks.table;
    if (hands.size === 0) return;
    for (const { owner, token, by } of locks.owners.values()) {
      const name = ownerNamed(by ?? '');
      if (name === '' || !hands.has(token) || (name !== asking && this.table.waitsOf(name).length === 0)) continue;
      const all = this.owners.get(name) ?? [name];
      all.push(owner);
      this.owners.set(name, all).set(owner, all);
    }
  }

  /** As the table's, without what is only in the way of one of the person's owners. */
  obstaclesOf(asked: AskedRequest): Obstacle[] {
    const all = this.allOf(asked.owner);
    const [own, ...others] = all.map((owner) => this.table.obstaclesOf({ ...asked, owner })) as [
      Obstacle[],
      ...Obstacle[][],
    ];
    return own.filter((obstacle) => others.every((list) => list.some((other) => isSame(other, obstacle))));
  }

  /** Of a request that nothing is in the way of. */
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
    return [...new Set([...this.table.knots(), ...[...this.owners.values()].map(([name]) => name!)])];
  }

  findDeadlock(owner: OwnerId, without: readonly OwnerId[] = []): DeadlockStep[] | null {
    if (this.owners.size === 0) return this.table.findDeadlock(owner, without);
    return this.circle(owner, this.waitsOf(owner), without);
  }

  /** As if the request were queued last. */
  wouldDeadlock(asked: Omit<AskedRequest, 'ticket'>, without: readonly OwnerId[] = []): DeadlockStep[] | null {
    if (this.owners.size === 0) return this.table.wouldDeadlock(asked, without);
    return this.circle(asked.owner, [asked], without);
  }

  /** The owner that all of a person's are known by. */
  private personOf(owner: OwnerId): OwnerId {
    return this.allOf(owner)[0]!;
  }

  /** All owners of the person that this is one of. */
  allOf(owner: OwnerId): readonly OwnerId[] {
    return this.owners.get(owner) ?? [owner];
  }

  private waitsOf(owner: OwnerId): Request[] {
    return this.allOf(owner).flatMap((one) => this.table.waitsOf(one));
  }

  /** The shortest through this owner, and always the same: it goes by the order of requests and of what is in their way. */
  private circle(owner: OwnerId, first: readonly AskedRequest[], without: readonly OwnerId[]): DeadlockStep[] | null {
    const start = this.personOf(owner);
    const ending = new Set(without);
    const ways = new Map<OwnerId, Way | null>([[start, null]]);
    // A map that grows while it is gone through goes on with what was added.
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
