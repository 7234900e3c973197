// Where people and agents mark tasks by hand: one transaction for each mark, in which everything is looked at again.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { type Answer, accept, refuse } from '../../core/commands/accept-or-refuse.ts';
import { markCompleted, markFailed, markSkipped, markStarted } from '../../core/commands/mark-task.ts';
import { heardBefore, type RequestedCall } from '../../core/commands/request-key.ts';
import type { Asker } from '../../core/commands/who-may.ts';
import { commandLine } from '../../core/model/command-line.ts';
import type { Event } from '../../core/model/event.ts';
import type { HeardRequest, KeyedCall } from '../../core/model/hand-event.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import { act } from '../act/act.ts';
import { findTask } from '../look/find-task.ts';
import type { IsRunning } from '../look/reports.ts';
import { Refusal } from '../refusal.ts';
import type { HandCheck, MarkReport } from '../reports/hand.ts';
import type { OwnCommand } from '../trust/own-command.ts';
import type { Workspace } from '../workspace.ts';
import type { CompleteOptions, FailOptions, KeyedMarkOptions, SkipMarkOptions } from './hand-door.ts';
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

interface Marking {
  /** Null: without a key. */
  readonly call?: RequestedCall | null;
  readonly checks?: readonly HandCheck[];
}

type Tell = (state: State, plan: PlanState, i: number, now: number) => Answer;

export class HandDesk {
  private readonly parts: HandParts;

  constructor(parts: HandParts) {
    this.parts = parts;
  }

  async started(task: string, options: KeyedMarkOptions): Promise<MarkReport> {
    const call = this.keyed('mark-started', options);
    const report = await this.mark(task, (state, plan, i) => markStarted(state, plan, i, this.said(options)), { call });
    // Work may have begun since.
    const token = report.repeated ? null : await this.tokenForReview(task);
    if (token !== null) await this.keepBeginning(token);
    return report;
  }

  /** A task also starts where it cannot be kept: the review then says that nobody can tell what changed. */
  private async keepBeginning(token: number): Promise<void> {
    const { keepBeginning } = await import('../../runner/attempts/attempt-snapshots.ts');
    const { workspace: site, store, env } = this.parts;
    await keepBeginning({ site, store, environment: baseEnvironment(env) }, token).catch(() => undefined);
  }

  /** Null: no agent will review the work. */
  private tokenForReview(task: string): Promise<number | null> {
    return this.parts.store.read((state) => {
      const plan = state.plans.get(this.parts.path)!;
      const i = findTask(plan, task);
      return plan.plan.tasks[i]!.keys.review === 'agent' ? plan.tasks[i]!.token : null;
    });
  }

  failed(task: string, { error, ...options }: FailOptions): Promise<MarkReport> {
    if (error.trim() === '') throw new Refusal(2, 'the error is empty', { instead: 'say what went wrong' });
    const call = this.keyed('mark-failed', options);
    const tell: Tell = (state, plan, i, now) => markFailed(state, plan, i, { ...this.said(options), error, now });
    return this.mark(task, tell, { call });
  }

  skipped(task: string, options: SkipMarkOptions): Promise<MarkReport> {
    const { dependents, treatAsDone } = options;
    const how = { ...(dependents ? { dependents } : {}), ...(treatAsDone ? { treatAsDone } : {}) };
    return this.mark(task, (state, plan, i) => markSkipped(state, plan, i, { ...how, ...this.said(options) }));
  }

  async completed(task: string, options: CompleteOptions): Promise<MarkReport> {
    const { notes, withoutChecks, onCheck } = options;
    const call = this.keyed('mark-complete', options);
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
      if (call && heardBefore(plan, i, call)) return null;
      const answer = markCompleted(state, plan, i, { ...mark, checks: wanted.length });
      if (!answer.ok) throw new Refusal(2, answer.because, { instead: answer.instead });
      const { hand, attempts, token } = plan.tasks[i]!;
      const attempt = hand?.attempt ?? `${definition.id}#${attempts + 1}`;
      const standing = { status: statusOf(plan, i), running: this.parts.isRunning(plan) };
      return { definition, wanted, attempt, token, ...standing };
    });
    // The transaction tells whether it is repeated or refused.
    if (before === null) return this.mark(task, () => accept([]), { call });
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
      { call, checks },
    );
  }

  private async mark(task: string, tell: Tell, { call = null, checks = [] }: Marking = {}): Promise<MarkReport> {
    const { path, user, isRunning } = this.parts;
    let heard: HeardRequest | null = null;
    let before: string | null = null;
    const { seen, withConsequences: events } = await act(
      this.parts,
      function* (plan, state, now) {
        const i = findTask(plan, task);
        const known = call && heardBefore(plan, i, call);
        if (known && 'ok' in known) return yield known;
        heard = known;
        if (heard) return;
        before = plan.tasks[i]!.hand?.attempt ?? null;
        yield tell(state, plan, i, now);
        yield accept(signsOfLife(state, plan, user, now));
      },
      (plan) => {
        const i = findTask(plan, task);
        const attempt = plan.tasks[i]!.hand?.attempt ?? null;
        return { task: plan.plan.tasks[i]!.id, status: statusOf(plan, i), attempt, running: isRunning(plan) };
      },
    );
    const report = { plan: path, ok: true, ...seen, checks };
    if (heard) return { ...report, attempt: (heard as HeardRequest).attempt, events: [], repeated: true };
    return { ...report, attempt: attemptIn(events) ?? before ?? seen.attempt, events };
  }

  private said({ reason, force, request }: KeyedMarkOptions) {
    return {
      by: this.parts.user,
      ...(reason === undefined ? {} : { reason }),
      ...(force ? { force } : {}),
      ...(request === undefined ? {} : { request }),
    };
  }

  private keyed(call: KeyedCall, { request: key }: KeyedMarkOptions): RequestedCall | null {
    return key === undefined ? null : { key, call, by: this.parts.user };
  }
}

function attemptIn(events: readonly Event[]): string | null {
  for (const event of events) {
    if (event.type === 'task-started' || event.type === 'task-handed-in') return event.attempt;
  }
  return null;
}
