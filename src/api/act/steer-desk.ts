// What people tell a plan: which command answers, and who said it. All of the named tasks are told, or none.
import { type Answer, refuse } from '../../core/commands/accept-or-refuse.ts';
import { redoTask } from '../../core/commands/override-rule.ts';
import { askPerson, resumeTask } from '../../core/commands/question.ts';
import * as steers from '../../core/commands/steer.ts';
import { type Asker, person, refusalFor } from '../../core/commands/who-may.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import { findTask } from '../look/find-task.ts';
import type { IsRunning } from '../look/reports.ts';
import { Refusal } from '../refusal.ts';
import type { ResetReport, SteerReport } from '../reports/steering.ts';
import type { Workspace } from '../workspace.ts';
import { act } from './act.ts';
import type { ResetOptions, RetryOptions, SkipOptions, SteerDoor, SteerOptions, SuspendOptions } from './steer-door.ts';

export interface SteerParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: string;
  readonly asker: () => Promise<Asker>;
  readonly isRunning: IsRunning;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly existing: () => Promise<Store | null>;
  readonly loaded: (path: PlanPath) => Promise<Store>;
}

/** A note is for attempts, and a plan has none. */
function resumePlan(plan: PlanState, said: steers.Steering): Answer {
  if (said.reason === undefined) return steers.resumePlan(plan, said);
  return refuse('a note is for the next attempt of a task', 'name the task: signalbox resume ID --note TEXT');
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

  suspend(plan: string | undefined, tasks: readonly string[], options: SuspendOptions): Promise<SteerReport> {
    const { question } = options;
    if (question !== undefined) return this.#ask(plan, tasks, question);
    if (tasks.length === 0)
      throw new Refusal(2, 'no task is named', { instead: 'name the task: signalbox suspend ID' });
    return this.#steer(plan, tasks, (found, task) => steers.suspendTask(found, task, this.#said(options)));
  }

  async #ask(plan: string | undefined, tasks: readonly string[], question: string): Promise<SteerReport> {
    const { user: by, asker } = this.#parts;
    const who = await asker();
    const own = tasks.length === 0 && 'task' in who ? who.task : undefined;
    if (own === undefined && tasks.length !== 1) {
      const instead =
        'name the task: signalbox suspend ID --question TEXT; inside an attempt it is the task of the attempt';
      throw new Refusal(2, tasks.length === 0 ? 'no task is named' : 'a question is about one task', { instead });
    }
    // Asking is open to all.
    return this.#steer(
      plan,
      own === undefined ? tasks : [own],
      (found, task, state, now) => askPerson(state, found, task, { by, question }, now),
      async () => person,
    );
  }

  /** `resume PLAN` undoes `pause PLAN`: the first word may be a plan, if none was named otherwise. */
  async resume(plan: string | undefined, words: readonly string[], options: SteerOptions): Promise<SteerReport> {
    const [first, ...rest] = words;
    const isPlan = plan === undefined && first !== undefined && (await this.#isKnown(first));
    if (isPlan) await this.#refuseOther(first);
    const tasks = isPlan ? rest : words;
    return this.#steer(isPlan ? first : plan, tasks, (found, task) =>
      task === -1 ? resumePlan(found, this.#said(options)) : resumeTask(found, task, this.#said(options)),
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

  async reset(plan: string | undefined, { yes = false }: ResetOptions): Promise<ResetReport> {
    const { which, existing, loaded, user: by } = this.#parts;
    const { nothingRecorded, startOver } = await import('./reset-plan.ts');
    const { repositoryOf } = await import('../results/repository-of.ts');
    const path = await which(plan);
    const known = await existing();
    if (!(await known?.read((state) => state.plans.has(path)))) return nothingRecorded(path);
    const store = yes ? await loaded(path) : known!;
    return startOver({ ...this.#parts, store, path, by, repository: repositoryOf(this.#parts) }, !yes);
  }

  /** Without tasks, the plan itself is told. */
  async #steer(
    plan: string | undefined,
    tasks: readonly string[],
    tell: (plan: PlanState, task: number, state: State, now: number) => Answer,
    asker = this.#parts.asker,
  ): Promise<SteerReport> {
    const { which, loaded, isRunning } = this.#parts;
    const path = await which(plan);
    const { seen: running, events } = await act(
      { store: await loaded(path), path, isRunning, asker },
      function* (found, state, now) {
        const targets = tasks.length === 0 ? [-1] : tasks.map((id) => findTask(found, id));
        for (const target of targets) yield tell(found, target, state, now);
      },
      isRunning,
    );
    return { plan: path, events, running };
  }

  /** The gate knew it for the id of a task. */
  async #refuseOther(plan: string): Promise<void> {
    const { asker, which } = this.#parts;
    const refusal = refusalFor(await asker(), { does: 'steer', plan: await which(plan) });
    if (refusal) throw new Refusal(2, refusal.because, { instead: refusal.instead });
  }

  async #isKnown(word: string): Promise<boolean> {
    const store = await this.#parts.existing();
    if (!store) return false;
    const path = await this.#parts.which(word).catch(() => null);
    return path !== null && store.read((state) => state.plans.has(path));
  }

  #said({ reason }: SteerOptions) {
    return { by: this.#parts.user, ...(reason === undefined ? {} : { reason }) };
  }
}
