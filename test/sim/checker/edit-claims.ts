// What the log claims about edits of a plan while it runs: only what its author has saved is loaded, nothing that was done or is running is
// lost by it, and no run is over before everybody could know of the edit.
import type { StoredEvent } from '../../../src/core/model/event.ts';
import type { Plan, Task } from '../../../src/core/model/plan.ts';
import type { Saved } from '../machine/sim-plan-file.ts';
import type { AttemptClaims, Demand } from './attempt-claims.ts';
import type { PlanLedger } from './ledger.ts';

export interface EditClaimParts {
  readonly plans: ReadonlyMap<string, PlanLedger>;
  readonly attempts: AttemptClaims;
  readonly demand: Demand;
  readonly guard: (check: () => void) => void;
}

export class EditClaims {
  readonly #parts: EditClaimParts;
  /** By run: the revisions that were told and not taken. */
  readonly #told = new Set<string>();

  constructor(parts: EditClaimParts) {
    this.#parts = parts;
  }

  told({ run, revision, result, by }: StoredEvent & { type: 'plan-edited' }, askedFor: (by: string) => void): void {
    if (by !== undefined) askedFor(by);
    if (result !== 'taken') this.#told.add(`${run} ${revision}`);
  }

  /** The plan that counts from now on: as it was saved, and what had ended before it was removed. */
  loaded(known: PlanLedger, written: Plan, loaded: Plan): Plan {
    const { attempts, demand } = this.#parts;
    const ids = new Set(loaded.tasks.map(({ id }) => id));
    for (const { task, status, attempts: tries } of known.leaves.values()) {
      const isDone = status === 'completed' && tries > 0;
      demand(!isDone || ids.has(task.id), 'nothing done is lost by an edit', `${task.id} is completed, and gone`);
    }
    for (const { plan, task, id } of attempts.open) {
      const isThere = plan !== loaded.path || ids.has(task as Task['id']);
      demand(isThere, 'nothing that runs is lost by an edit', `${id} lives, and its task is gone`);
    }
    const own = new Set(written.tasks.map(({ id }) => id));
    const kept = loaded.tasks.filter(({ id }) => !own.has(id));
    for (const { id } of kept) {
      const status = known.leaves.get(id)?.status ?? 'unknown';
      const hasEnded = ['completed', 'failed', 'skipped'].includes(status);
      demand(hasEnded, 'removed ones go', `${id} is ${status}, and was removed by its author`);
    }
    return { ...written, tasks: [...written.tasks, ...kept] };
  }

  /** @param isLeft the report of the run says that the file is another. */
  runOver(run: string, { plan, revision }: Saved, isLeft: boolean): void {
    const known = this.#parts.plans.get(plan.path)!;
    const isMentioned = isLeft || this.#told.has(`${run} ${revision}`) || isSame(known.plan, plan);
    this.#parts.guard(() =>
      this.#parts.demand(isMentioned, 'every edit is mentioned', `${run} is over, and nobody was told of ${revision}`),
    );
  }
}

/** What the author of the file wants done is what was loaded. */
function isSame(loaded: Plan, file: Plan): boolean {
  const meaning = ({ id, title, needs, prefers, keys }: Task) => JSON.stringify([id, title, needs, prefers, keys]);
  const known = new Set(loaded.tasks.map(meaning));
  return file.tasks.every((task) => known.has(meaning(task)));
}
