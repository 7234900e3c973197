// The answer of a command: the events to record; or why not, and what to do instead.
import type { Event } from '../model/event.ts';

export type Answer =
  | { readonly ok: true; readonly events: readonly Event[] }
  | { readonly ok: false; readonly because: string; readonly instead: string };

export const accept = (events: readonly Event[]): Answer => ({ ok: true, events });
export const refuse = (because: string, instead: string): Answer & { readonly ok: false } => ({
  ok: false,
  because,
  instead,
});
