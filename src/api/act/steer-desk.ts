// What people tell a plan: which command answers, and who said it. All of the named tasks are told, or none.
import type { Answer } from '../../core/commands/accept-or-refuse.ts';
import { redoTask } from '../../core/commands/override-rule.ts';
import * as steers from '../../core/commands/steer.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import { findTask } from '../look/find-task.ts';
import type { IsRunning } from '../look/reports.ts';
import type { SteerReport } from '../reports/steering.ts';
import { act } from './act.ts';
import type { RetryOptions, SkipOptions, SteerDoor, SteerOptions } from './steer-door.ts';

export interface SteerParts {
  readonly user: string;
  readonly isRunning: IsRunning;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly loaded: (path: PlanPath) => Promise<Store>;
}

export class SteerDesk implements SteerDoor {
  readonly #parts: SteerParts;

  constructor(parts: SteerParts) {
    this.#parts = parts;
  }

  retry(plan: string | undefined, tasks: readonly string[], options: RetryOptions): Promise<SteerReport> {
    const { forced, reason: note } = options;
    if (!forced) return this.#steer(plan, tasks, (found, task) => steers.retryTask(found, task, this.#said(options)));
    const redoing = { ...this.#said(forced), ...(note === undefined ? {} : { note }) };
    return this.#steer(plan, tasks, (found, task, state) => redoTask(state, found, task, redoing));
  }

  skip(plan: string | undefined, tasks: readonly string[], options: SkipOptions): Promise<SteerReport> {
    return this.#steer(plan, tasks, (found, task) =>
      steers.skipTask(found, task, { ...options, ...this.#said(options) }),
    );
  }

  suspend(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport> {
    return this.#steer(plan, tasks, (found, task) => steers.suspendTask(found, task, this.#said(options)));
  }

  resume(plan: string | undefined, tasks: readonly string[], options: SteerOptions): Promise<SteerReport> {
    return this.#steer(plan, tasks, (found, task) =>
      task === -1 ? steers.resumePlan(found, this.#said(options)) : steers.resumeTask(found, task, this.#said(options)),
    );
  }

  pause(plan: string | undefined, options: SteerOptions): Promise<SteerReport> {
    return this.#steer(plan, [], (found) => steers.pausePlan(found, this.#said(options)));
  }

  stop(plan: string | undefined, options: SteerOptions & { readonly kill?: boolean }): Promise<SteerReport> {
    const mode = options.kill ? 'kill' : 'stop';
    return this.#steer(plan, [], (found) => {
      // A run whose runner died is not going on, whatever the log says.
      if (!this.#parts.isRunning(found))
        return { ok: false, because: `${found.path} is not being run`, instead: 'there is nothing to stop' };
      return steers.stopRun(found, { mode, by: this.#parts.user, exitCode: 143 });
    });
  }

  /** Without tasks, the plan itself is told. */
  async #steer(
    plan: string | undefined,
    tasks: readonly string[],
    tell: (plan: PlanState, task: number, state: State) => Answer,
  ): Promise<SteerReport> {
    const { which, loaded, isRunning } = this.#parts;
    const path = await which(plan);
    const { seen: running, events } = await act(
      { store: await loaded(path), path, isRunning },
      function* (found, state) {
        const targets = tasks.length === 0 ? [-1] : tasks.map((id) => findTask(found, id));
        for (const target of targets) yield tell(found, target, state);
      },
      isRunning,
    );
    return { plan: path, events, running };
  }

  #said({ reason }: SteerOptions) {
    return { by: this.#parts.user, ...(reason === undefined ? {} : { reason }) };
  }
}
