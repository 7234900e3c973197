// For tests: the command line with a terminal, a clock and signals that the test holds in its hand, before a Signalbox of
// which only the asked-for parts exist.
import type { DecisionDoor } from '../../src/api/decisions/decision-door.ts';
import type { FilesDoor } from '../../src/api/files/files-door.ts';
import type { RunReport } from '../../src/api/reports/run.ts';
import type { StatusReport, TaskReport } from '../../src/api/reports/status.ts';
import type { Signalbox } from '../../src/api/signalbox.ts';
import type { Io } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/program.ts';
import type { CommandSpec } from '../../src/cli/table/command-spec.ts';
import { commandTable } from '../../src/cli/table/command-table.ts';
import type { Event, StoredEvent } from '../../src/core/model/event.ts';
import { type AttemptId, hostId, planPath, runId, taskId } from '../../src/core/model/ids.ts';
import type { Plan, Task } from '../../src/core/model/plan.ts';
import { collectMessages } from './collect-messages.ts';

/** A plan without a history. */
const nothingFound: Partial<DecisionDoor> = { found: async () => null };

/** A Signalbox of which only these parts of the door to plan files exist. */
export const withFiles = (files: Partial<FilesDoor>): Partial<Signalbox> => ({ files: async () => files as FilesDoor });

export const startOfTime = Date.UTC(2026, 10, 15, 12, 0, 0);

export interface RigOptions {
  readonly live?: boolean;
  readonly color?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly table?: readonly CommandSpec[];
  /** What a person types, line by line; after the last one Ctrl-C. Without it nobody is asked. */
  readonly answers?: readonly string[];
}

export class CliRig {
  out = '';
  err = '';
  now = startOfTime;
  columns: number;
  interrupt: () => void = () => undefined;
  terminate: (signal?: string) => void = () => undefined;
  resize: () => void = () => undefined;
  /** Every write to standard output by itself, with its time. */
  readonly writes: { readonly at: number; readonly text: string }[] = [];
  readonly opened: number[] = [];
  readonly io: Io;
  private readonly box: Partial<Signalbox>;
  private readonly answers: string[];
  private readonly table: readonly CommandSpec[];
  private timers: { readonly due: number; readonly call: () => void }[] = [];

  constructor(box: Partial<Signalbox> = {}, options: RigOptions = {}) {
    this.box = { typed: (plan) => plan, decisions: async () => nothingFound as DecisionDoor, ...box };
    this.answers = [...(options.answers ?? [])];
    this.table = options.table ?? commandTable;
    this.columns = options.columns ?? Number.POSITIVE_INFINITY;
    this.io = {
      out: (text) => {
        this.out += text;
        this.writes.push({ at: this.now, text });
      },
      err: (text) => {
        this.err += text;
      },
      input: () => '',
      drained: () => Promise.resolve(),
      live: options.live ?? false,
      interactive: options.answers !== undefined,
      ask: async (prompt) => {
        this.io.out(`${prompt}\n`);
        return this.answers.shift() ?? null;
      },
      color: options.color ?? false,
      errorColor: options.color ?? false,
      columns: () => this.columns,
      rows: () => options.rows ?? 24,
      now: () => this.now,
      after: (delayMs, call) => {
        const timer = { due: this.now + delayMs, call };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((other) => other !== timer);
        };
      },
      onResize: (handler) => this.hook('resize', handler),
      onInterrupt: (handler) => this.hook('interrupt', handler),
      onTerminate: (handler) => this.hook('terminate', (signal = 'SIGTERM') => handler(signal)),
      onOutputGone: () => () => undefined,
    };
  }

  async run(...argv: string[]): Promise<number> {
    const open = async () => {
      this.opened.push(this.now);
      return this.box as Signalbox;
    };
    const [out, err] = [this.out.length, this.err.length];
    const code = await runCli(argv, {
      io: this.io,
      version: '1.2.3',
      open,
      serve: async () => this.io.out('{"jsonrpc":"2.0"}\n'),
      table: this.table,
    });
    collectMessages({ args: argv, out: this.out.slice(out), err: this.err.slice(err) });
    return code;
  }

  json(): unknown[] {
    return this.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** Time passes, and what was due happens. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.now = next.due;
      next.call();
    }
    this.now = end;
  }

  get pending(): number {
    return this.timers.length;
  }

  private hook(name: 'interrupt' | 'terminate' | 'resize', handler: (signal?: string) => void): () => void {
    this[name] = handler;
    return () => {
      this[name] = () => undefined;
    };
  }
}

export const path = planPath('plan.md');
export const theRun = runId('r1');

export function aTask(id: string, more: Partial<TaskReport> = {}): TaskReport {
  return {
    id,
    title: `Title of ${id}`,
    phase: '',
    status: 'pending',
    stage: null,
    attempts: 0,
    needs: [],
    prefers: [],
    blockedBy: [],
    startedAt: null,
    endedAt: null,
    retryAt: null,
    failure: null,
    by: null,
    reason: null,
    ...more,
  };
}

export const noTasks = {
  totalTasks: 0,
  completed: 0,
  pending: 0,
  in_progress: 0,
  failed: 0,
  blocked: 0,
  suspended: 0,
  skipped: 0,
};

export function aStatus(tasks: readonly TaskReport[], more: Partial<StatusReport> = {}): StatusReport {
  const summary = { ...noTasks };
  for (const { status, group } of tasks) {
    if (group) continue;
    summary[status]++;
    summary.totalTasks++;
  }
  return {
    plan: path,
    title: 'The plan',
    outcome: null,
    running: false,
    paused: false,
    planStatus: 'pending',
    lastRun: 'none',
    summary,
    tasks,
    decisions: [],
    ...more,
  };
}

export function aReport(more: Partial<RunReport> = {}): RunReport {
  return {
    plan: path,
    run: theRun,
    seq: 41,
    at: startOfTime + 12_000,
    outcome: 'complete',
    exitCode: 0,
    summary: { ...noTasks, totalTasks: 7, completed: 7 },
    blocked: [],
    failed: [],
    skipped: [],
    skippedClosing: [],
    decisions: [],
    durationMs: 12_000,
    cost: null,
    pausedBy: null,
    budgets: [],
    edit: null,
    results: null,
    said: [],
    oldText: [],
    ...more,
  };
}

export function aPlan(ids: readonly string[], more: Partial<Task> = {}): Plan {
  const tasks = ids.map((id, i) => ({
    id: taskId(id),
    title: `Title of ${id}`,
    line: i + 1,
    phase: 0,
    keys: {},
    ...more,
  }));
  return { path, title: 'The plan', order: 'explicit', phases: [{ name: '' }], tasks };
}

type Draft<E> = E extends Event ? Omit<E, 'v' | 'plan'> : never;

let seq = 0;
/** An event with its place, at a number of milliseconds after the start of time. */
export function stored(afterMs: number, event: Draft<Event>): StoredEvent {
  return { ...event, v: 1, plan: path, seq: ++seq, at: startOfTime + afterMs } as StoredEvent;
}

const process = { host: hostId('h'), pid: 42, startTime: '7' };

/** The common events, by task. */
export const happened = {
  loaded: (ms: number, definition: Plan) => stored(ms, { type: 'plan-loaded', revision: 'abc', definition }),
  runStarted: (ms: number, plan = 3) =>
    stored(ms, { type: 'run-started', run: theRun, runner: process, limits: { plan, pools: {} } }),
  scheduled: (ms: number, task: string, n = 1) =>
    stored(ms, { type: 'attempt-scheduled', ...attempt(task, n), host: process.host }),
  started: (ms: number, task: string, n = 1) =>
    stored(ms, { type: 'attempt-started', ...attempt(task, n), supervisor: process }),
  ended: (ms: number, task: string, code = 0, n = 1) =>
    stored(ms, { type: 'attempt-ended', ...attempt(task, n), end: { kind: 'exited', code } }),
  completed: (ms: number, task: string, n = 1) => {
    const { token: _, ...about } = attempt(task, n);
    return stored(ms, { type: 'task-completed', ...about });
  },
  failed: (ms: number, task: string, code = 3) =>
    stored(ms, { type: 'task-failed', task: taskId(task), failure: { kind: 'exit', code } }),
};

function attempt(task: string, n: number) {
  return { run: theRun, task: taskId(task), attempt: `${task}#${n}` as AttemptId, token: n };
}
