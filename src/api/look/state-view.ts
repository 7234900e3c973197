// A look at a plan's state that creates nothing: from the store when it knows the plan, else as the plan file and status.json say it.

import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

export interface Seen {
  readonly store: Store | null;
  /** Why the store cannot be read, if that is so. */
  readonly broken?: Outage | null;
  /** Its definitions did not come from our reading of the file: it is foreign, or was, and nothing has acted on it since. */
  readonly uncompared?: 'foreign' | 'trusted' | null;
}

export async function viewPlan<T>(
  workspace: Workspace,
  { store, broken = null }: Seen,
  path: PlanPath,
  look: (state: State, plan: PlanState, now: number) => T,
  /** What lies beside the plan and could not be used, and a database that cannot. */
  warn?: (text: string) => void,
): Promise<T> {
  if (store) {
    const seen = await store.read((state, now) => {
      const plan = state.plans.get(path);
      return plan ? { result: look(state, plan, now) } : null;
    });
    if (seen) return seen.result;
  }
  const { viewFile } = await import('./view-file.ts');
  const { state, plan, now, isRead, troubles } = await viewFile(workspace, path);
  if (broken && !isRead) {
    throw new Refusal(2, `what was done of ${path} cannot be known: it has no status.json. ${broken.message}`, {
      instead: 'see what the plan says: signalbox check',
    });
  }
  if (broken) warn?.(brokenWords(broken));
  for (const text of troubles) warn?.(text);
  return look(state, plan, now);
}

/** For what only the log has. */
export function refuseUnknown({ message }: Outage, what: string): never {
  throw new Refusal(2, `${what} cannot be known without the database. ${message}`, {
    instead: 'see what status.json still says: signalbox status',
  });
}

export const brokenWords = ({ message }: Outage): string =>
  `${message.replace(/\.$/, '')}; what follows is from status.json`;
