// The wait-for graph as boxes and lines: a box for each party, and one for each held lock with a queue, between its holder and those who
// wait. Queue order is a line from each to the one before.
import type { WaitEdge, WaitParty, WaitReport } from '../reports/locks.ts';

const nobodyWaits = 'Nobody waits for a lock.';

export interface WaitPicture {
  readonly boxes: readonly WaitBox[];
  readonly lines: readonly WaitLine[];
}

export interface WaitBox {
  readonly id: string;
  readonly kind: WaitLook | 'lock';
  readonly name: string;
  /** What there is to say about it, one thing each. */
  readonly remarks: readonly string[];
  readonly inCycle: boolean;
}

/** Somebody who only holds goes on working. */
export type WaitLook = 'works' | 'waits';

/** `from` waits for `to`; or `from` is a lock, and `to` has it. */
export interface WaitLine {
  readonly from: string;
  readonly to: string;
  readonly kind: 'waits' | 'held' | 'behind';
  readonly inCycle: boolean;
}

export function waitPicture({ parties, waits }: WaitReport): WaitPicture {
  const severalPlans = new Set(parties.flatMap(({ plan }) => plan ?? [])).size > 1;
  const boxes = new Map<string, WaitBox>(parties.map((party) => [party.id, boxOf(party, severalPlans)]));
  const lines = new Map<string, WaitLine>();
  const draw = (line: WaitLine) => {
    const key = JSON.stringify([line.from, line.to, line.kind]);
    lines.set(key, { ...line, inCycle: line.inCycle || (lines.get(key)?.inCycle ?? false) });
  };
  for (const edge of waits) {
    const { waiter, blocker, theirs, inCycle } = edge;
    if (edge.how === 'behind') {
      if (!isImplied(edge, waits)) draw({ from: waiter, to: blocker, kind: 'behind', inCycle });
      continue;
    }
    // Not the id of anybody: names of agents have no line break at their start.
    const lock = `\n${JSON.stringify([blocker, theirs])}`;
    const red = inCycle || (boxes.get(lock)?.inCycle ?? false);
    boxes.set(lock, { id: lock, kind: 'lock', name: theirs, remarks: [], inCycle: red });
    draw({ from: waiter, to: lock, kind: 'waits', inCycle });
    draw({ from: lock, to: blocker, kind: 'held', inCycle });
  }
  return { boxes: [...boxes.values()], lines: [...lines.values()] };
}

/** In a queue of ten, each has a line only to the one before; the rest follows. */
function isImplied({ waiter, blocker }: WaitEdge, waits: readonly WaitEdge[]): boolean {
  const isBehind = (a: string, b: string) =>
    waits.some((edge) => edge.how === 'behind' && edge.waiter === a && edge.blocker === b);
  return waits.some(
    (edge) =>
      edge.how === 'behind' && edge.waiter === waiter && edge.blocker !== blocker && isBehind(edge.blocker, blocker),
  );
}

function boxOf(party: WaitParty, severalPlans: boolean): WaitBox {
  const { id, name, task, plan, title, holds, waitsFor, ending, inCycle } = party;
  const held = holds.map(({ resource, mode }) => (mode === 'shared' ? `${resource} (shared)` : resource));
  return {
    id,
    kind: waitsFor.length > 0 ? 'waits' : 'works',
    name,
    remarks: [
      task === null ? 'not started by Signalbox' : (title ?? task),
      ...(severalPlans && plan !== null ? [`in ${plan}`] : []),
      ...(held.length > 0 ? [`holds ${someOf(held)}`] : []),
      ...waitsFor.map(({ resources, place }) => `waits for ${someOf(resources)}${inLine(place)}`),
      ...(ending ? ['is being stopped'] : []),
    ],
    inCycle,
  };
}

const inLine = (place: number) => (place === 1 ? '' : `, number ${place} in line`);

/** A box is no list: what is left out stands in `--json`. */
const someOf = (names: readonly string[]) =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;

/** Under the heading: how bad it is. */
export function waitWords({ parties, deadlocks }: WaitReport): string {
  const waiting = parties.filter(({ waitsFor }) => waitsFor.length > 0).length;
  if (waiting === 0) return nobodyWaits;
  const stuck = parties.filter(({ inCycle }) => inCycle).length;
  const words = `${waiting} ${waiting === 1 ? 'waits' : 'wait'}`;
  return deadlocks.length === 0 ? words : `${words} · deadlock: ${stuck} wait for each other`;
}
