// Attempts that have ended and are not judged yet: what their files were before is needed for a review, and for putting them back.
import type { PlanPath, TaskId } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';

export class Unjudged {
  readonly #tasks = new Map<number, { readonly plan: PlanPath; readonly task: TaskId }>();

  #hasBegun = false;

  /** What earlier runs of the plan left to be judged; looked for once. */
  begin(plan: PlanState): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    plan.plan.tasks.forEach(({ id }, i) => {
      const { token, ended } = plan.tasks[i]!;
      if (ended !== null) this.#tasks.set(token, { plan: plan.path, task: id });
    });
  }

  /** Its end is about to be recorded. */
  add(state: State, token: number): void {
    const live = state.live.get(token);
    if (live?.job.kind === 'attempt') this.#tasks.set(token, { plan: live.plan, task: live.task });
  }

  delete(token: number): void {
    this.#tasks.delete(token);
  }

  /** Those about which nothing is left to find out. */
  judged(state: State): number[] {
    const judged: number[] = [];
    for (const [token, { plan: path, task }] of this.#tasks) {
      const plan = state.plans.get(path);
      const at = plan?.index.get(task);
      if (!isOpen(state, token, at === undefined ? undefined : plan!.tasks[at]!)) judged.push(token);
    }
    return judged;
  }
}

const isOpen = (state: State, token: number, task: { token: number; ended: unknown } | undefined): boolean =>
  state.live.has(token) || state.salvage.has(token) || (task?.token === token && task.ended !== null);

/** Every attempt of the workspace whose files of before may still be asked for. */
export function openTokens(state: State): Set<number> {
  const open = new Set([...state.live.keys(), ...state.salvage.keys()]);
  for (const plan of state.plans.values()) {
    for (const { token, ended } of plan.tasks) if (ended !== null) open.add(token);
  }
  return open;
}
