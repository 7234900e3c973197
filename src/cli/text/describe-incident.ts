// What changed outside of an attempt's tree while it worked, as one clause.
import type { Incident } from '../../core/model/failure.ts';

export function describeIncident({ kind, what, saved }: Incident): string {
  if (kind === 'checkout') return `while it worked, ${what} (that may be your own work)`;
  return `while it worked, ${what}${saved === undefined ? '' : `; before and after: ${saved}`}`;
}
