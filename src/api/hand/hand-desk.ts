// Where people and agents mark tasks by hand: one transaction for each mark, in which everything is looked at again.
import { type Answer, accept, refuse } from '../../core/commands/accept-or-refuse.ts';
import { markCompleted, markFailed, markSkipped, markStarted } from '../../core/commands/mark-task.ts';
import type { Asker } from '../../core/commands/who-may.ts';
import { commandLine } from '../../core/model/command-line.ts';
import type { Event } from '../../core/model/event.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { startedTask } from '../../core/state/started-task.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { statusOf } from '../../core/state/status.ts';
import type { Store } from '../../store/store.ts';
import { act } from '../act/act.ts';
import { findTask } from '../look/find-task.ts';
import type { IsRunning } from '../look/reports.ts';
import { Refusal } from '../refusal.ts';
import type { HandCheck, MarkReport } from '../reports/hand.ts';
import type { OwnCommand } from '../trust/own-command.ts';
import type { Workspace } from '../workspace.ts';
import type { CompleteOptions, FailOptions, MarkOptions, SkipMarkOptions } from './hand-door.ts';
import { signsOfLife } from './signs-of-life.ts';

export interface HandParts {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly path: PlanPath;
  readonly user: string;
  readonly isRunning: IsRunning;
  readonly asker: () => Promise<Asker>;
  /** How checks call Signalbox. */
  readonly command: OwnCommand;
  /** What a person should know although the command goes on. */
  readonly warn: (text: string) => void;
}

type Tell = (state: State, plan: PlanState, i: number, now: number) => Answer;

export class HandDesk {
  private readonly parts: HandParts;

  constructor(parts: HandParts) {
    this.parts = parts;
  }

  async started(task: string, options: MarkOptions): Promise<MarkReport> {
    const report = await this.mark(task, (state, plan, i) => markStarted(state, plan, i, this.said(options)));
    const { keepBeginning } = await import('./keep-beginning.ts');
    await keepBeginning(this.parts, task);
    return report;
  }

  failed(task: string, { error, ...options }: FailOptions): Promise<MarkReport> {
    if (error.trim() === '') throw new Refusal(2, 'the error is empty', { instead: 'say what went wrong' });
    return this.mark(task, (state, plan, i, now) => markFailed(state, plan, i, { ...this.said(options), error, now }));
  }

  skipped(task: string, options: SkipMarkOptions): Promise<MarkReport> {
    const { dependents, treatAsDone } = options;
    const how = { ...(dependents ? { dependents } : {}), ...(treatAsDone ? { treatAsDone } : {}) };
    return this.mark(task, (state, plan, i) => markSkipped(state, plan, i, { ...how, ...this.said(options) }));
  }

  async completed(task: string, options: CompleteOptions): Promise<MarkReport> {
    const { notes, withoutChecks, onCheck } = options;
    const mark = {
      ...this.said(options),
      ...(notes === undefined ? {} : { notes }),
      ...(withoutChecks ? { withoutChecks } : {}),
    };
    // Refused at once, and not after ten minutes of checks.
    const before = await this.parts.store.read((state) => {
      const plan = state.plans.get(this.parts.path)!;
      const i = findTask(plan, task);
      const definition = startedTask(plan, i);
      const wanted = definition.keys.check ?? [];
      const answer = markCompleted(state, plan, i, { ...mark, checks: wanted.length });
      if (!answer.ok) throw new Refusal(2, answer.because, { instead: answer.instead });
      const { hand, attempts, token } = plan.tasks[i]!;
      const attempt = hand?.attempt ?? `${definition.id}#${attempts + 1}`;
      const standing = { status: statusOf(plan, i), running: this.parts.isRunning(plan) };
      return { definition, wanted, attempt, token, ...standing };
    });
    const { id } = before.definition;
    const checks: HandCheck[] = [];
    if (!withoutChecks && before.wanted.length > 0) {
      const { checkByHand } = await import('./check-by-hand.ts');
      for (const command of before.wanted) {
        onCheck?.(command);
        const check = await checkByHand(this.parts, { ...before, command }, options);
        checks.push(check);
        if (check.green) continue;
        const { status, running } = before;
        return {
          plan: this.parts.path,
          task: id,
          ok: false,
          status,
          attempt: before.attempt,
          checks,
          events: [],
          running,
        };
      }
    }
    return this.mark(
      id,
      (state, plan, i) => {
        const answer = markCompleted(state, plan, i, { ...mark, checks: checks.length });
        if (!answer.ok) return answer;
        // What was checked has to be what is recorded.
        if (plan.tasks[i]!.token !== before.token)
          return refuse(`${id} was started by somebody else in the meantime`, `see by whom: ${commandLine('why', id)}`);
        const wanted = startedTask(plan, i).keys.check ?? [];
        if (!withoutChecks && wanted.join('\0') !== before.wanted.join('\0'))
          return refuse(`the checks of ${id} changed in the meantime`, 'mark it again');
        return answer;
      },
      checks,
    );
  }

  private async mark(task: string, tell: Tell, checks: readonly HandCheck[] = []): Promise<MarkReport> {
    const { path, user, isRunning } = this.parts;
    const { seen, withConsequences: events } = await act(
      this.parts,
      function* (plan, state, now) {
        yield tell(state, plan, findTask(plan, task), now);
        yield accept(signsOfLife(state, plan, user, now));
      },
      (plan) => {
        const i = findTask(plan, task);
        const attempt = plan.tasks[i]!.hand?.attempt ?? null;
        return { task: plan.plan.tasks[i]!.id, status: statusOf(plan, i), attempt, running: isRunning(plan) };
      },
    );
    return { plan: path, ok: true, ...seen, attempt: attemptIn(events) ?? seen.attempt, checks, events };
  }

  private said({ reason, force }: MarkOptions) {
    return { by: this.parts.user, ...(reason === undefined ? {} : { reason }), ...(force ? { force } : {}) };
  }
}

function attemptIn(events: readonly Event[]): string | null {
  for (const event of events) {
    if (event.type === 'task-started' || event.type === 'task-handed-in') return event.attempt;
  }
  return null;
}
