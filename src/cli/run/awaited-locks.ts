// Which tasks of a run wait for locks, kept event by event. An attempt that waits is not running.
import type { StoredLockEvent } from '../text/describe/describe-lock-event.ts';

/** Of a wait that began before anybody watched. */
const unknownTicket = 0;

export class AwaitedLocks {
  /** By task, then by the ticket of the request: what it waits for first. */
  private readonly waits = new Map<string, Map<number, string>>();

  /** Null: it waits for none. */
  of(task: string): string | null {
    return this.waits.get(task)?.values().next().value ?? null;
  }

  learn(task: string, resource: string): void {
    this.begin(task, unknownTicket, resource);
  }

  apply(event: StoredLockEvent): void {
    if (!('task' in event) || event.task === undefined) return;
    const { task } = event;
    if (event.type === 'lock-waiting') this.begin(task, event.seq, event.resource);
    else if ('ticket' in event && event.ticket !== undefined) this.end(task, event.ticket);
  }

  /** Its attempt has ended, and with it all of its requests. */
  forget(task: string): void {
    this.waits.delete(task);
  }

  private begin(task: string, ticket: number, resource: string): void {
    const own = this.waits.get(task) ?? new Map<number, string>();
    // What was learned may be told again by its event.
    if (own.get(unknownTicket) === resource) own.delete(unknownTicket);
    own.set(ticket, resource);
    this.waits.set(task, own);
  }

  private end(task: string, ticket: number): void {
    const own = this.waits.get(task);
    if (own && !own.delete(ticket)) own.delete(unknownTicket);
  }
}
