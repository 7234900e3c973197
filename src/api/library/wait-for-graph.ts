// The lock table, for programs with locks of their own, under the name that people look for. An agent may wait for several resources
// at once, and its holds stay visible while it waits.
import { LockTable } from '../../locks/lock-table.ts';
import { parseResource } from '../../locks/resource.ts';

export interface WaitOptions {
  /** Together with others who only read. */
  readonly shared?: boolean;
}

/** Resources are paths, globs and names such as `db:test`; they are in each other's way when they overlap. */
export class WaitForGraph {
  private readonly table = new LockTable();
  private facts = 0;

  addHold(agent: string, resource: string, { shared = false }: WaitOptions = {}): void {
    const key = keyOf(resource);
    for (const request of this.table.waitsOf(agent)) {
      const rest = request.wants.filter((want) => want.key !== key);
      if (rest.length === request.wants.length) continue;
      // It no longer waits for the resource it got, but still for the others.
      this.table.unqueue(request.ticket);
      if (rest.length > 0) this.table.queue({ ...request, wants: rest });
    }
    this.table.hold(agent, key, shared ? 'shared' : 'exclusive', ++this.facts);
  }

  removeHold(agent: string, resource: string): void {
    this.table.drop(agent, keyOf(resource));
  }

  /** For all of them, together. */
  addWait(agent: string, resources: string | readonly string[], { shared = false }: WaitOptions = {}): void {
    const mode = shared ? 'shared' : 'exclusive';
    const keys = typeof resources === 'string' ? [resources] : resources;
    this.table.queue({ ticket: ++this.facts, owner: agent, wants: keys.map((text) => ({ key: keyOf(text), mode })) });
  }

  /** It got up, its time was over, or it was refused: it waits for nothing any more. */
  removeWaits(agent: string): void {
    for (const { ticket } of this.table.waitsOf(agent)) this.table.unqueue(ticket);
  }

  removeAgent(agent: string): void {
    this.removeWaits(agent);
    for (const { key } of this.table.holdsOf(agent)) this.table.drop(agent, key);
  }

  /** Everybody who has it or something that overlaps it. */
  holdersOf(resource: string): string[] {
    const asked = { owner: '', wants: [{ key: keyOf(resource), mode: 'exclusive' as const }] };
    const holders = this.table.obstaclesOf(asked).filter(({ kind }) => kind === 'holds');
    return [...new Set(holders.map(({ owner }) => owner))];
  }

  /** Agents of which each waits for the next, and the last for the first; null: there are none. */
  detectCycle(): string[] | null {
    for (const owner of [...this.table.owners()].sort()) {
      const cycle = this.table.findDeadlock(owner);
      if (cycle) return cycle.map((step) => step.owner);
    }
    return null;
  }
}

function keyOf(text: string): string {
  const read = parseResource(text);
  if (!read.ok) throw new TypeError(`not a resource: ${JSON.stringify(text)}`);
  return read.resource.key;
}
