// The plan file of a run in the simulation: what its author has saved last. Authors save in several steps, so it may be half written.
import type { Plan } from '../../../src/core/model/plan.ts';
import type { PlanFile, PlanText } from '../../../src/runner/machine.ts';

export interface Saved {
  readonly plan: Plan;
  readonly revision: string;
}

/** Nobody edits it. */
export const untouchedFile: PlanFile = {
  watch: () => () => undefined,
  read: () => ({ ...textOf({ plan: null as never, revision: '' }), isRevision: () => true }),
};

export class SimPlanFile implements PlanFile {
  #saved: Saved;
  readonly #hints = new Set<() => void>();
  #isHalf = false;

  constructor(saved: Saved) {
    this.#saved = saved;
  }

  get saved(): Saved {
    return this.#saved;
  }

  /** The first half of a save: nothing of it may ever be taken. */
  saveHalf(): void {
    this.#isHalf = true;
    this.#hint();
  }

  save(saved: Saved): void {
    this.#isHalf = false;
    this.#saved = saved;
    this.#hint();
  }

  watch(hint: () => void): () => void {
    const own = () => hint();
    this.#hints.add(own);
    return () => this.#hints.delete(own);
  }

  read(): PlanText {
    const { plan, revision } = this.#saved;
    // The last task is still missing: valid, and not what the author means.
    if (this.#isHalf) return textOf({ plan: { ...plan, tasks: plan.tasks.slice(0, 1) }, revision: `half ${revision}` });
    return textOf(this.#saved);
  }

  #hint(): void {
    for (const hint of [...this.#hints]) hint();
  }
}

const textOf = ({ plan, revision }: Saved): PlanText => ({
  id: revision,
  revision,
  isRevision: (known) => known === revision,
  hold: null,
  plan: async () => ({ ok: true, plan }),
  unfit: () => null,
});
