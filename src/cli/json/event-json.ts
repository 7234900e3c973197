// An event as programs read it: `type`, `seq` and `at` first, times as ISO strings, without our internal version and without
// the whole definition of a plan.
import type { StoredEvent } from '../../core/model/event.ts';
import { isoTime } from './iso-time.ts';

export function eventJson(event: StoredEvent): object {
  const { type, seq, at, v: _internal, ...fields } = event;
  return { type, seq, at: isoTime(at), ...readable(fields) };
}

/** A definition may be megabytes; how many tasks it has is what a reader of the stream wants. Counts count leaves. */
function readable(fields: Record<string, unknown>): object {
  const { definition, notBefore, deadline, ...rest } = fields as Times & { definition?: Definition };
  return {
    ...rest,
    ...(notBefore === undefined ? {} : { notBefore: isoTime(notBefore) }),
    ...(deadline === undefined ? {} : { deadline: isoTime(deadline) }),
    ...(definition === undefined ? {} : { tasks: definition.tasks.filter((task) => !task.group).length }),
  };
}

interface Times {
  readonly notBefore?: number;
  readonly deadline?: number;
}

interface Definition {
  readonly tasks: readonly { readonly group?: true }[];
}
