// The wait-for graph of the workspace: a function of the lock state alone. Who neither waits nor is in anybody's way is not in it.
import { inWords } from '../../core/commands/lock-request.ts';
import { People } from '../../core/rules/locks/people-as-owners.ts';
import type { LockOwner } from '../../core/state/lock-state.ts';
import type { State } from '../../core/state/state.ts';
import type { OwnerId } from '../../locks/lock-table.ts';
import type { WaitEdge, WaitParty, WaitReport } from '../reports/locks.ts';

export function waitReport(state: State): WaitReport {
  const { table, owners, waiting } = state.locks;
  const people = new People(state);
  const edges: Omit<WaitEdge, 'inCycle'>[] = [];
  const waitsFor = new Map<OwnerId, WaitParty['waitsFor'][number][]>();
  for (const request of table.requests()) {
    const obstacles = people.obstaclesOf(request);
    const before = new Set(obstacles.flatMap(({ ticket }) => ticket ?? []));
    const own = waitsFor.get(request.owner) ?? [];
    waitsFor.set(request.owner, own);
    own.push({
      resources: request.wants.map(({ key }) => key),
      since: new Date(waiting.get(request.ticket)!.since).toISOString(),
      place: before.size + 1,
    });
    for (const { owner, want, theirs, kind } of obstacles) {
      const how = kind === 'holds' ? 'held' : 'behind';
      edges.push({ waiter: request.owner, blocker: owner, resource: want, theirs, how });
    }
  }
  // A task that somebody works on by hand waits with them.
  const person = (owner: OwnerId) => people.allOf(owner)[0]!;
  const knots = knotsOf(edges.map(({ waiter, blocker }) => ({ waiter: person(waiter), blocker: person(blocker) })));
  const isInCycle = (waiter: OwnerId, blocker: OwnerId) =>
    knots.has(person(waiter)) && knots.get(person(waiter)) === knots.get(person(blocker));
  const ids = new Set([...waitsFor.keys(), ...edges.flatMap(({ waiter, blocker }) => [waiter, blocker])]);
  const parties = [...ids].map(
    (id): WaitParty => ({
      id,
      ...who(state, owners.get(id), id),
      holds: table.holdsOf(id).map(({ key, mode }) => ({ resource: key, mode })),
      waitsFor: waitsFor.get(id) ?? [],
      inCycle: edges.some(({ waiter, blocker }) => [waiter, blocker].includes(id) && isInCycle(waiter, blocker)),
    }),
  );
  return {
    parties,
    waits: edges.map((edge) => ({ ...edge, inCycle: isInCycle(edge.waiter, edge.blocker) })),
    deadlocks: deadlocksInWords(state),
  };
}

/** Each cycle once, however many are in it. */
export function deadlocksInWords(state: State): string[] {
  const { table } = state.locks;
  const people = new People(state);
  const words = new Set<string>();
  const told = new Set<OwnerId>();
  for (const { owner } of table.requests()) {
    if (told.has(owner)) continue;
    const cycle = people.findDeadlock(owner);
    for (const step of cycle ?? []) told.add(step.owner);
    if (cycle) words.add(inWords(state, cycle).words);
  }
  return [...words];
}

function who(state: State, owner: LockOwner | undefined, id: OwnerId) {
  const plan = owner === undefined ? undefined : state.plans.get(owner.plan);
  const at = owner?.task == null ? undefined : plan?.index.get(owner.task);
  const live = state.live.get(owner?.token ?? 0);
  return {
    name: owner?.name ?? id,
    task: owner?.task ?? null,
    plan: owner && owner.plan !== '' ? owner.plan : null,
    title: at === undefined ? null : plan!.plan.tasks[at]!.title,
    ending: live !== undefined && live.doom !== null,
  };
}

type Wait = Pick<WaitEdge, 'waiter' | 'blocker'>;

/** By everybody who waits, however far around, for themselves: the first of those who wait for each other. */
function knotsOf(edges: readonly Wait[]): Map<OwnerId, OwnerId> {
  const onward = neighbours(edges, ({ waiter, blocker }) => [waiter, blocker]);
  const back = neighbours(edges, ({ waiter, blocker }) => [blocker, waiter]);
  const knots = new Map<OwnerId, OwnerId>();
  for (const start of onward.keys()) {
    if (knots.has(start)) continue;
    const waitsForIt = reach(start, back);
    if (!waitsForIt.has(start)) continue;
    for (const id of reach(start, onward)) if (waitsForIt.has(id)) knots.set(id, start);
  }
  return knots;
}

function neighbours(edges: readonly Wait[], ends: (edge: Wait) => readonly [OwnerId, OwnerId]) {
  const map = new Map<OwnerId, Set<OwnerId>>();
  for (const edge of edges) {
    const [from, to] = ends(edge);
    map.set(from, (map.get(from) ?? new Set()).add(to));
  }
  return map;
}

/** Without the start itself, unless a way leads back to it. */
function reach(start: OwnerId, next: ReadonlyMap<OwnerId, ReadonlySet<OwnerId>>): Set<OwnerId> {
  const seen = new Set(next.get(start) ?? []);
  for (const id of seen) for (const further of next.get(id) ?? []) seen.add(further);
  return seen;
}
