// Where people and agents mark tasks by hand: one transaction for each mark, in which everything is looked at again.
import type { Event, StoredEvent } from '../../core/event.ts';
import type { PlanPath } from '../../core/ids.ts';
import { markCompleted, markFailed, markSkipped, markStarted } from '../../core/mark-task.ts';
import type { LiveAttempt, PlanState, State } from '../../core/state.ts';
import { statusOf } from '../../core/status.ts';
import type { Answer } from '../../core/steer.ts';
import { typed } from '../../core/typed.ts';
import { settle } from '../../runner/settle.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { findTask } from '../find-task.ts';
import { Refusal } from '../refusal.ts';
import type { IsRunning } from '../reports.ts';
import type { Workspace } from '../workspace.ts';
import type {
  CheckReport,
  CompleteOptions,
  FailOptions,
  MarkOptions,
  MarkReport,
  SkipMarkOptions,
} from './hand-reports.ts';
import { signsOfLife } from './signs-of-life.ts';

export interface HandParts {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly path: PlanPath;
  readonly user: string;
  readonly isRunning: IsRunning;
}

type Tell = (state: State, plan: PlanState, i: number, now: number) => Answer;

export class HandDesk {
  private readonly parts: HandParts;

  constructor(parts: HandParts) {
    this.parts = parts;
  }

  started(task: string, options: MarkOptions): Promise<MarkReport> {
    return this.mark(task, (state, plan, i) => markStarted(state, plan, i, this.said(options)));
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
      const definition = plan.plan.tasks[i]!;
      const wanted = definition.keys.check ?? [];
      refuseUnless(markCompleted(state, plan, i, { ...mark, checks: wanted.length }));
      const { hand, attempts, token } = plan.tasks[i]!;
      const attempt = hand?.attempt ?? `${definition.id}#${attempts + 1}`;
      const standing = { status: statusOf(plan, i), running: this.parts.isRunning(plan) };
      return { definition, wanted, attempt, token, ...standing };
    });
    const { id } = before.definition;
    const checks: CheckReport[] = [];
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
          return refused(`${id} was started by somebody else meanwhile`, `see: ${typed('why', id)}`);
        const wanted = plan.plan.tasks[i]!.keys.check ?? [];
        if (!withoutChecks && wanted.join('\0') !== before.wanted.join('\0'))
          return refused(`the checks of ${id} have changed meanwhile`, 'mark it again');
        return answer;
      },
      checks,
    );
  }

  private async mark(task: string, tell: Tell, checks: readonly CheckReport[] = []): Promise<MarkReport> {
    const { path, user } = this.parts;
    const { from, to, ...about } = await this.transact((tx, plan) => {
      const i = findTask(plan, task);
      const before = tx.state.seq;
      const answer = tell(tx.state, plan, i, tx.now);
      refuseUnless(answer);
      for (const event of answer.events) tx.record(event);
      for (const event of signsOfLife(tx.state, plan, user, tx.now)) tx.record(event);
      this.settle(tx);
      const own = plan.tasks[i]!;
      return {
        plan: path,
        task: plan.plan.tasks[i]!.id,
        ok: true,
        status: statusOf(plan, i),
        attempt: attemptIn(answer.events) ?? own.hand?.attempt ?? null,
        running: this.parts.isRunning(plan),
        from: before,
        to: tx.state.seq,
      };
    });
    const events = await this.recorded(from, to);
    return { ...about, checks, events };
  }

  /** What is due by time happens first, so that a command sees what a runner would. */
  transact<T>(work: (tx: Transaction, plan: PlanState) => T): Promise<T> {
    const { store, path } = this.parts;
    return store.transact((tx) => {
      this.settle(tx);
      return work(tx, tx.state.plans.get(path)!);
    });
  }

  settle(tx: Transaction): void {
    settle(tx, null, (live: LiveAttempt) => this.parts.isRunning(tx.state.plans.get(live.plan)!));
  }

  private async recorded(from: number, to: number): Promise<StoredEvent[]> {
    const { store, path } = this.parts;
    const events = await store.events({ after: from, plan: path, limit: to - from });
    return events.filter(({ seq }) => seq <= to);
  }

  private said({ reason, force }: MarkOptions) {
    return { by: this.parts.user, ...(reason === undefined ? {} : { reason }), ...(force ? { force } : {}) };
  }
}

const refused = (because: string, instead: string): Answer => ({ ok: false, because, instead });

function refuseUnless(answer: Answer): asserts answer is Extract<Answer, { ok: true }> {
  if (!answer.ok) throw new Refusal(2, answer.because, { instead: answer.instead });
}

function attemptIn(events: readonly Event[]): string | null {
  for (const event of events) {
    if (event.type === 'task-started' || event.type === 'task-handed-in') return event.attempt;
  }
  return null;
}
