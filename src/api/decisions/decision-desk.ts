// The door to decisions, opened on a workspace: each question and answer is handed to the file that knows it.

import { attemptsFolderOf } from '../../agents/process/attempt-files.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import type { IsRunning } from '../look/reports.ts';
import { refuseUnknown, type Seen, viewPlan } from '../look/state-view.ts';
import type { SelectOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { answer } from './answer.ts';
import type { DecisionAnswer, DecisionDoor, PersonVerdict } from './decision-door.ts';
import { asItIsNow, showDecision } from './decision-view.ts';
import { findDecision, knownIn, planAsking, refuseMissing } from './find-decision.ts';
import { foundReport } from './found.ts';
import { decisionHistory } from './history.ts';
import type { PlanChange, RestructureOptions } from './restructure-plan.ts';
import { restructurePlan } from './restructure-plan.ts';
import { reviewAbout } from './review.ts';

export interface DeskParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: string;
  /** The user is an agent by its name. */
  readonly asAgent: boolean;
  readonly isRunning: IsRunning;
  /** For looking: what can be read. */
  readonly sound: () => Promise<Seen>;
  readonly warn: (text: string) => void;
  /** Null where nothing was ever run. */
  readonly existing: () => Promise<Store | null>;
  /** A store that knows the plan. */
  readonly loaded: (path: PlanPath) => Promise<Store>;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
}

function unlessOutage(error: unknown): null {
  if (error instanceof Outage) return null;
  throw error;
}

export class DecisionDesk implements DecisionDoor {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  list(plan: string | undefined) {
    return this.#view(plan, (_, found) => ({
      plan: found.path,
      decisions: [...found.decisions.values()].map((decision) =>
        asItIsNow(found, decision, this.#parts.isRunning(found)),
      ),
    }));
  }

  async show(plan: string | undefined, id: string) {
    const { workspace, sound, isRunning, warn } = this.#parts;
    const seen = await sound();
    const { store } = seen;
    const path = await this.#whichAsks(store, plan, id);
    const place = { root: workspace.root, attempts: store ? attemptsFolderOf(workspace, store) : '' };
    const look = (_: State, found: PlanState) => {
      const decision = findDecision(found, id);
      return decision ? showDecision(found, decision, place, isRunning(found)) : knownIn(found);
    };
    const shown = await viewPlan(workspace, seen, path, look, warn);
    return 'decision' in shown ? shown : refuseMissing(store, path, id, shown);
  }

  async answer(plan: string | undefined, id: string, said: DecisionAnswer) {
    return answer(await this.#answering(plan, id), id, said);
  }

  async review(plan: string | undefined, id: string, said: PersonVerdict) {
    return answer(await this.#answering(plan, id), id, said, (found) => reviewAbout(found, id));
  }

  async restructure(
    plan: string | undefined,
    id: string,
    changes: PlanChange | readonly PlanChange[],
    options: Omit<RestructureOptions, 'by' | 'asAgent'>,
  ) {
    const { by, asAgent, ...acting } = await this.#answering(plan, id);
    return restructurePlan(acting, id, [changes].flat(), {
      ...options,
      by,
      asAgent,
    });
  }

  async history(plan: string | undefined) {
    const { store, broken = null } = await this.#parts.sound();
    const path = await this.#parts.which(plan);
    if (broken) refuseUnknown(broken, 'which decisions there were');
    return decisionHistory(store, path);
  }

  async found(plan: string | undefined, select: SelectOptions = {}) {
    // A comfort: trouble with the database is told, and dealt with, by the run itself.
    const store = await this.#parts.existing().catch(unlessOutage);
    if (!store) return null;
    const path = await this.#parts.which(plan);
    return store.read((state) => {
      const known = state.plans.get(path);
      return known && !this.#parts.isRunning(known) ? foundReport(known, select) : null;
    });
  }

  async #view<T>(plan: string | undefined, look: (state: State, plan: PlanState) => T): Promise<T> {
    const { workspace, sound, which, warn } = this.#parts;
    return viewPlan(workspace, await sound(), await which(plan), look, warn);
  }

  async #whichAsks(store: Store | null, plan: string | undefined, id: string): Promise<PlanPath> {
    const asking = plan === undefined && store ? await store.read((state) => planAsking(state, id)) : null;
    return asking ?? this.#parts.which(plan);
  }

  async #answering(plan: string | undefined, id: string) {
    const { existing, loaded, workspace, env, isRunning, user, asAgent } = this.#parts;
    const path = await this.#whichAsks(await existing(), plan, id);
    const store = await loaded(path);
    return { store, path, workspace, env, isRunning, by: user, asAgent };
  }
}
