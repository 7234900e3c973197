// The view of a running plan, kept event by event: titles, counts, and the running tasks with their start. An event may come
// twice or late; the result is the same.

import type { StatusReport } from '../../api/reports/status.ts';
import { attemptsCap, retriesOf } from '../../core/model/defaults.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import { isHandEvent } from '../../core/model/hand-event.ts';
import { impossible } from '../../core/model/impossible.ts';
import { isLockEvent } from '../../core/model/lock-event.ts';
import type { Plan } from '../../core/model/plan.ts';
import { isVerifyEvent } from '../../core/model/verify-event.ts';
import { withClosingTasks } from '../../core/state/closing-tasks.ts';
import type { Status } from '../../core/state/state.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import { displayWidth } from '../terminal/display-width.ts';
import type { Counts } from '../terminal/progress-bar.ts';
import type { TaskEvent } from '../text/describe/describe-event.ts';
import type { StoredHandEvent } from '../text/describe/describe-hand-event.ts';
import type { StoredVerifyEvent } from '../text/describe/describe-verify-event.ts';
import { AwaitedLocks } from './awaited-locks.ts';
import { StoppedAttempts } from './stopped-attempts.ts';

export interface RunningAttempt {
  readonly attempt: string;
  readonly since: number;
  /** The attempt has ended and is being judged. */
  readonly stage?: 'checking' | 'reviewing' | 'merging';
}

interface KnownTask {
  readonly title: string;
  status: Status;
  /** How many attempts its retries allow; undefined when the definition was not seen. */
  readonly attempts?: number;
  /** Counts in no summary. */
  readonly closes: boolean;
}

const widestId = 16;

export class RunProgress {
  title = '';
  startedAt = 0;
  paused = false;
  /** Its own terminal keeps it waiting while the plan is paused. */
  waitsPaused = false;
  /** Attempts that started while this process watched, and one for those before, if it took the run over. */
  attempts = 0;
  idWidth = 0;
  readonly running = new Map<string, RunningAttempt>();
  /** Tasks that wait for a time, with that time. */
  readonly waiting = new Map<string, number>();
  readonly stopped = new StoppedAttempts();
  readonly locks = new AwaitedLocks();
  /** What the agents of running tasks do. */
  actions: ReadonlyMap<string, string> = new Map();
  /** Limits and budgets that hold tasks back, as they were last asked for. */
  heldBack: NonNullable<StatusReport['heldBack']> = [];
  /** Accounts at their limit. */
  readonly #limited = new Set<string>();
  private tasks = new Map<string, KnownTask>();
  private total = 0;
  private readonly tally = new Map<Status, number>();
  private readonly scheduled = new Map<string, number>();
  private readonly took = new Map<string, number>();
  /** Tasks whose attempt numbers no longer tell how many retries were used. */
  private readonly uneven = new Set<string>();

  /** What is said once in a run. */
  readonly #told = new Set<string>();

  isFirstTold(words: string): boolean {
    return this.#told.size < this.#told.add(words).size;
  }

  titleOf(task: string): string {
    return this.tasks.get(task)?.title ?? '';
  }

  /** How long the last attempt of the task took, if its start was seen. */
  tookMs(task: string): number | undefined {
    return this.took.get(task);
  }

  /** Undefined: "of 3" would not be certain. */
  attemptsOf(task: string): number | undefined {
    return this.uneven.has(task) ? undefined : this.tasks.get(task)?.attempts;
  }

  counts(): Counts {
    const count = (status: Status) => this.tally.get(status) ?? 0;
    return {
      totalTasks: this.total,
      completed: count('completed'),
      failed: count('failed'),
      skipped: count('skipped'),
    };
  }

  /** Something of it changes without an event. */
  get isToAskAbout(): boolean {
    return this.running.size > 0 || this.#limited.size > 0 || this.heldBack.length > 0;
  }

  /** @returns whether any agent does something else than before, or something else holds tasks back. */
  act(report: StatusReport): boolean {
    const before = this.actions;
    const heldBefore = this.heldBack;
    this.heldBack = plainData(report.heldBack ?? []);
    const found = report.tasks.flatMap(({ id, action }) =>
      action === undefined ? [] : [[id, safeLine(action)] as const],
    );
    this.actions = new Map(found);
    if (JSON.stringify(this.heldBack) !== JSON.stringify(heldBefore)) return true;
    return found.length !== before.size || found.some(([id, action]) => before.get(id) !== action);
  }

  /**
   * Where the plan stood when the run began.
   * @param since what happened before the report was made, and is applied after it
   */
  learn(report: StatusReport, since: readonly StoredEvent[] = []): void {
    const ended = new Set<string>(
      since.flatMap((event) => (endings.has(event.type) && 'task' in event ? [event.task] : [])),
    );
    this.title = safeLine(report.title);
    this.paused = report.paused;
    this.heldBack = plainData(report.heldBack ?? []);
    const tasks = new Map<string, KnownTask>();
    for (const { id, title, group, closes, attempts, attempt, startedAt, ...task } of report.tasks) {
      const { uncountedMs = 0, waitsFor, stage } = task;
      const status = ended.has(id) ? 'pending' : task.status;
      if (group) continue;
      if (waitsFor?.[0]) this.locks.learn(id, waitsFor[0].resource);
      const before = this.tasks.get(id);
      tasks.set(id, { title: safeLine(title), status, closes: closes !== undefined, ...limit(before?.attempts) });
      // Also one that had attempts before the plan was started over.
      if (attempts > 0 || attempt !== undefined) this.uneven.add(id);
      if (status === 'in_progress' && startedAt !== null && !this.running.has(id)) {
        this.running.set(id, {
          attempt: attempt ?? `${id}#${attempts}`,
          since: Date.parse(startedAt) + uncountedMs,
          ...(stage === null || stage === 'running' ? {} : { stage }),
        });
      }
    }
    this.replace(tasks);
  }

  apply(event: StoredEvent): void {
    switch (event.type) {
      case 'plan-loaded':
        this.define(event.definition);
        break;
      case 'plan-paused':
        this.paused = true;
        break;
      case 'plan-resumed':
        this.paused = false;
        break;
      case 'run-started':
        this.startedAt = event.at;
        this.waitsPaused = event.waitsPaused ?? false;
        // The process before it has not waited in vain.
        if (event.takesOver) this.attempts++;
        break;
      case 'quota-paused':
        this.#limited.add(event.account);
        break;
      case 'quota-resumed':
        this.#limited.delete(event.account);
        break;
      case 'clock-stepped':
        this.step(event.byMs);
        break;
      case 'plan-edited':
      case 'plan-reset': // never while it runs
      case 'plan-stuck':
      case 'run-stopping':
      case 'run-handed-over':
      case 'run-took-over':
      case 'run-ended':
        break;
      default:
        if (isLockEvent(event)) {
          this.stopped.apply(event);
          this.locks.apply(event);
        } else if (isVerifyEvent(event)) this.applyToJob(event);
        else if (isHandEvent(event)) this.applyToHand(event);
        else this.applyToTask(event);
    }
  }

  /** What is counted from moves with the clock. */
  private step(byMs: number): void {
    if (this.startedAt > 0) this.startedAt += byMs;
    for (const [task, running] of this.running) this.running.set(task, { ...running, since: running.since + byMs });
    for (const times of [this.scheduled, this.waiting]) for (const [task, at] of times) times.set(task, at + byMs);
  }

  private applyToHand(event: StoredHandEvent): void {
    if (event.type === 'task-started') this.mark(event.task, 'in_progress');
  }

  /** A check, a review or a merge takes the place of the attempt in the list of running tasks. */
  private applyToJob(event: StoredVerifyEvent): void {
    const stage = stages[event.type];
    if (stage !== undefined && 'attempt' in event && event.attempt !== undefined && 'task' in event) {
      this.running.set(event.task!, { attempt: event.attempt, since: event.at, stage });
    } else if (jobEnds.has(event.type) && 'task' in event && event.task !== undefined) {
      this.running.delete(event.task);
      this.locks.forget(event.task);
    }
  }

  private applyToTask(event: TaskEvent): void {
    const { task } = event;
    switch (event.type) {
      case 'attempt-scheduled':
        this.waiting.delete(task);
        this.scheduled.set(task, event.at);
        this.mark(task, 'in_progress');
        break;
      case 'attempt-started':
        this.attempts++;
        this.running.set(task, { attempt: event.attempt, since: event.at });
        break;
      case 'attempt-doomed':
        break;
      case 'attempt-ended': {
        const since = this.scheduled.get(task) ?? this.running.get(task)?.since;
        if (since !== undefined) this.took.set(task, event.at - since);
        this.running.delete(task);
        this.locks.forget(task);
        break;
      }
      case 'retry-scheduled':
        if (event.because !== 'failed') this.uneven.add(task);
        if (event.notBefore > event.at) this.waiting.set(task, event.notBefore);
        this.mark(task, 'pending');
        break;
      case 'backoff-ended':
        this.waiting.delete(task);
        break;
      case 'task-completed':
        this.mark(task, 'completed');
        break;
      case 'task-failed':
        this.mark(task, 'failed');
        break;
      case 'task-skipped':
        this.waiting.delete(task);
        this.mark(task, 'skipped');
        break;
      case 'task-suspended':
        this.waiting.delete(task);
        this.mark(task, 'suspended');
        break;
      case 'task-resumed':
        this.mark(task, 'pending');
        break;
      case 'task-retried':
        this.uneven.add(task);
        if (event.notBefore !== undefined && event.notBefore > event.at) this.waiting.set(task, event.notBefore);
        this.mark(task, 'pending');
        break;
      default:
        impossible(event);
    }
  }

  private define(plan: Plan): void {
    this.title = safeLine(plan.title);
    const tasks = new Map<string, KnownTask>();
    for (const task of withClosingTasks(plan).tasks) {
      if (task.group) continue;
      const status = this.tasks.get(task.id)?.status ?? task.ticked ?? 'pending';
      const attempts = Math.min(attemptsCap, retriesOf(task) + 1);
      tasks.set(task.id, { title: safeLine(task.title), status, attempts, closes: task.closes !== undefined });
    }
    this.replace(tasks);
  }

  private replace(tasks: Map<string, KnownTask>): void {
    this.tasks = tasks;
    this.tally.clear();
    this.idWidth = 0;
    this.total = 0;
    for (const [id, { status, closes }] of tasks) {
      if (!closes) {
        this.tally.set(status, (this.tally.get(status) ?? 0) + 1);
        this.total++;
        this.idWidth = Math.min(widestId, Math.max(this.idWidth, displayWidth(id)));
      }
    }
  }

  private mark(id: string, status: Status): void {
    const task = this.tasks.get(id);
    if (task === undefined) return;
    const before = task.status;
    task.status = status;
    if (task.closes) return;
    this.tally.set(before, this.tally.get(before)! - 1);
    this.tally.set(status, (this.tally.get(status) ?? 0) + 1);
  }
}

const limit = (attempts: number | undefined) => (attempts === undefined ? {} : { attempts });

const stages: Partial<Record<string, 'checking' | 'reviewing' | 'merging'>> = {
  'check-scheduled': 'checking',
  'review-scheduled': 'reviewing',
  'merge-scheduled': 'merging',
};

const endings: ReadonlySet<string> = new Set<StoredEvent['type']>(['task-completed', 'task-failed', 'task-skipped']);

const jobEnds: ReadonlySet<string> = new Set<StoredVerifyEvent['type']>([
  'check-ended',
  'review-ended',
  'merge-ended',
  'merge-interrupted',
  'merge-held',
]);
