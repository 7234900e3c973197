// Opens the one door on a folder: finds the workspace, opens the store when it is needed (and creates it only for what changes
// something), and hands every command to the file that knows it.
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { limitsFor } from '../core/defaults.ts';
import type { StoredEvent } from '../core/event.ts';
import { explain } from '../core/explain.ts';
import type { PlanPath } from '../core/ids.ts';
import type { PlanState } from '../core/state.ts';
import * as steers from '../core/steer.ts';
import { SystemClock } from '../runner/clock.ts';
import { isGone } from '../runner/reap-locks.ts';
import { runnerIsAlive } from '../runner/runner-alive.ts';
import type { SqliteOptions } from '../store/sqlite/open-sqlite.ts';
import type { Store } from '../store/store.ts';
import { findTask } from './find-task.ts';
import { handDoor } from './hand/hand-door.ts';
import type { HandDoor } from './hand/hand-reports.ts';
import { forceRevision, hasSameLinks, loadRevision } from './load-revision.ts';
import { lockDoor } from './locks/lock-door.ts';
import { type Looking, withUnattended } from './locks/unattended.ts';
import { parsePlan, readPlanFile, validPlan } from './plan-file.ts';
import { Refusal } from './refusal.ts';
import { nextReport, plansReport, progressReport, statusReport } from './reports.ts';
import type * as Api from './signalbox.ts';
import { viewPlan } from './state-view.ts';
import { steer } from './steering.ts';
import { currentPlan, whichPlan, writeCurrentPlan } from './which-plan.ts';
import { openWorkspace, planPathOf, type Workspace } from './workspace.ts';

export interface OpenOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programVersion: string;
  /** How attempts call Signalbox: the launcher's absolute path, and the Node to run it with. */
  readonly launcher: string;
  readonly nodePath: string;
}

export async function openSignalbox(options: OpenOptions): Promise<OpenedSignalbox> {
  return new OpenedSignalbox(options, await openWorkspace(options.cwd, options.env));
}

export class OpenedSignalbox implements Api.Signalbox {
  readonly root: string;
  readonly hand: HandDoor;
  readonly #options: OpenOptions;
  readonly #workspace: Workspace;
  readonly #opened: Store[] = [];

  constructor(options: OpenOptions, workspace: Workspace) {
    this.#options = options;
    this.#workspace = workspace;
    this.root = workspace.root;
    const [user, isRunning] = [() => this.#user(), this.#isRunning];
    const stores = { loaded: (path: PlanPath) => this.#loaded(path), existing: () => this.#existing() };
    const which = (plan: string | undefined) => this.#which(plan);
    this.hand = handDoor({ workspace, cwd: options.cwd, env: options.env, user, isRunning, which, ...stores });
  }

  async check(plan: string): Promise<Api.CheckReport> {
    const file = readPlanFile(this.#workspace, planPathOf(this.#workspace, this.#options.cwd, plan));
    const { plan: read, diagnostics, assumedOrder } = await parsePlan(this.#workspace, file);
    const { unsupportedKeys } = await import('../plan/unsupported.ts');
    const groups = read?.tasks.filter((task) => task.group).length ?? 0;
    return {
      plan: file.path,
      ok: read !== null,
      title: read?.title ?? '',
      tasks: read ? read.tasks.length - groups : 0,
      groups,
      phases: read?.phases.length ?? 0,
      order: read?.order ?? assumedOrder ?? '',
      orderAssumed: assumedOrder !== undefined,
      diagnostics,
      unsupported: read ? unsupportedKeys(read, this.#workspace.settings) : [],
    };
  }

  async format(plan: string, options: Api.FormatOptions): Promise<Api.FormatReport> {
    const { formatFile, formatInput } = await import('./format-file.ts');
    if (plan === '-') return formatInput(this.#workspace, options);
    return formatFile(this.#workspace, planPathOf(this.#workspace, this.#options.cwd, plan), options);
  }

  async import(tool: string, source: string, options: Api.ImportOptions): Promise<Api.ImportReport> {
    const { importFile } = await import('./import-file.ts');
    return importFile({ workspace: this.#workspace, cwd: this.#options.cwd, tool, source }, options);
  }

  async run(plan: string | undefined, options: Api.RunOptions): Promise<Api.RunReport> {
    const { runPlan } = await import('./run-plan.ts');
    const path = await this.#which(plan);
    // Before anything is created, so that a mistyped name leaves nothing behind.
    readPlanFile(this.#workspace, path);
    const parts = {
      workspace: this.#workspace,
      store: await this.#created((text) => options.onNotice?.(text, 'warning')),
      path,
      env: this.#options.env,
      user: this.#user(),
      command: { node: this.#options.nodePath, launcher: this.#options.launcher },
      cwd: this.#options.cwd,
    };
    return runPlan(parts, options);
  }

  async dryRun(plan: string | undefined, options: Api.SelectOptions): Promise<Api.DryRunReport> {
    const { dryRunReport } = await import('./dry-run/dry-run-report.ts');
    const { imaginePlan } = await import('./imagine-plan.ts');
    const path = await this.#which(plan);
    const { env } = this.#options;
    const found = await imaginePlan(this.#workspace, await this.#existing(), path, { ...options, env });
    const limits = limitsFor(found.plan.plan, this.#workspace.settings, options.maxParallel);
    return dryRunReport(found.plan, limits, found.selected);
  }

  status(plan?: string, options?: Api.StatusOptions): Promise<Api.StatusReport> {
    return this.#view(plan, (_, found) => statusReport(found, this.#isRunning, options));
  }

  async *statusChanges(
    plan: string | undefined,
    options: Api.StatusOptions & { readonly signal?: AbortSignal },
  ): AsyncGenerator<Api.StatusReport> {
    const { statusStream } = await import('./status-stream.ts');
    const path = await this.#which(plan);
    const parts = { workspace: this.#workspace, path, openStore: () => this.#existing(), isRunning: this.#isRunning };
    yield* statusStream(parts, options);
  }

  progress(plan?: string): Promise<Api.ProgressReport> {
    return this.#view(plan, (_, found) => progressReport(found, this.#isRunning));
  }

  async graph(plan: string | undefined, { format, out }: Api.GraphOptions): Promise<Api.GraphReport> {
    const { graphReport } = await import('./graph/graph-report.ts');
    const report = await this.#view(plan, (_, found) => graphReport(found));
    if (format === undefined) return report;
    const { drawGraph } = await import('./graph/draw-graph.ts');
    const { text, folded } = drawGraph(report, format);
    const { writePicture } = await import('./graph/write-picture.ts');
    if (out !== undefined) writePicture(resolve(this.#options.cwd, out), text);
    return { ...report, picture: { format, text, file: out ?? null, folded } };
  }

  next(plan: string | undefined, most: number): Promise<Api.NextReport> {
    return this.#view(plan, (state, found) => nextReport(state, found, this.#workspace.settings, most));
  }

  why(plan: string | undefined, task: string): Promise<Api.WhyReport> {
    return this.#view(plan, (state, found) => {
      const at = findTask(found, task);
      const { status, reasons } = explain(state, found, at, this.#workspace.settings);
      const { id, title } = found.plan.tasks[at]!;
      const { finding } = found.tasks[at]!;
      const more = finding === null ? {} : { finding };
      const told = reasons.map((reason) => withUnattended(state, reason, this.#looking));
      return { plan: found.path, task: id, title, status, reasons: told, ...more, running: this.#isRunning(found) };
    });
  }

  async plans(): Promise<Api.PlansReport> {
    const current = currentPlan(this.#workspace);
    const store = await this.#existing();
    if (!store) return { current, plans: [] };
    return store.read((state) => plansReport(state, current, this.#isRunning));
  }

  async *events(plan: string | undefined, options: Api.EventsOptions): AsyncGenerator<StoredEvent> {
    const store = await this.#existing();
    const path = await this.#which(plan);
    if (!store) throw new Refusal(2, `${path} has never been run here`, { instead: `signalbox run ${path}` });
    const { eventStream } = await import('./event-stream.ts');
    yield* eventStream(store, path, options);
  }

  async *logs(plan: string | undefined, task: string, options: Api.LogsOptions): AsyncGenerator<Api.LogChunk> {
    const store = await this.#existing();
    const path = await this.#which(plan);
    if (!store) throw new Refusal(2, `${path} has never been run here`, { instead: `signalbox run ${path}` });
    const { logStream } = await import('./log-stream.ts');
    yield* logStream({ workspace: this.#workspace, store, path }, task, options);
  }

  async set(plan: string): Promise<Api.SetReport> {
    const path = planPathOf(this.#workspace, this.#options.cwd, plan);
    await this.#loaded(path);
    const file = writeCurrentPlan(this.#workspace, path);
    return { plan: path, file };
  }

  retry(plan: string | undefined, tasks: readonly string[], options: Api.SteerOptions): Promise<Api.SteerReport> {
    return this.#steer(plan, tasks, (found, task) => steers.retryTask(found, task, this.#said(options)));
  }

  skip(plan: string | undefined, tasks: readonly string[], options: Api.SkipOptions): Promise<Api.SteerReport> {
    return this.#steer(plan, tasks, (found, task) =>
      steers.skipTask(found, task, { ...options, ...this.#said(options) }),
    );
  }

  suspend(plan: string | undefined, tasks: readonly string[], options: Api.SteerOptions): Promise<Api.SteerReport> {
    return this.#steer(plan, tasks, (found, task) => steers.suspendTask(found, task, this.#said(options)));
  }

  resume(plan: string | undefined, tasks: readonly string[], options: Api.SteerOptions): Promise<Api.SteerReport> {
    return this.#steer(plan, tasks, (found, task) =>
      task === -1 ? steers.resumePlan(found, this.#said(options)) : steers.resumeTask(found, task, this.#said(options)),
    );
  }

  pause(plan: string | undefined, options: Api.SteerOptions): Promise<Api.SteerReport> {
    return this.#steer(plan, [], (found) => steers.pausePlan(found, this.#said(options)));
  }

  stop(plan: string | undefined, options: Api.SteerOptions & { readonly kill?: boolean }): Promise<Api.SteerReport> {
    const mode = options.kill ? 'kill' : 'stop';
    return this.#steer(plan, [], (found) => {
      // A run whose runner died is not going on, whatever the log says.
      if (!this.#isRunning(found))
        return { ok: false, because: `${found.path} is not being run`, instead: 'there is nothing to stop' };
      return steers.stopRun(found, { mode, by: this.#user(), exitCode: 143 });
    });
  }

  async reload(plan: string | undefined): Promise<Api.ReloadReport> {
    const store = await this.#created();
    const path = await this.#which(plan);
    const file = readPlanFile(this.#workspace, path);
    const definition = await validPlan(this.#workspace, file);
    return store.transact((tx) => {
      const known = tx.state.plans.get(path);
      if (!known) throw new Refusal(2, `${path} was never loaded`, { instead: `signalbox run ${path} loads it` });
      if (known.live > 0) {
        throw new Refusal(2, `attempts of ${path} are running`, {
          instead: 'let them end, or stop them with: signalbox stop',
        });
      }
      const { event, match } = forceRevision(known, definition, file.revision);
      if (known.revision !== file.revision || !hasSameLinks(known.plan, definition)) tx.record(event);
      const { added, removed, kept, changed, conflicts } = match;
      const rewritten = conflicts.filter(({ what }) => what === 'changed').map(({ task }) => task);
      return { plan: path, added, removed, kept, changed, rewritten };
    });
  }

  /** Made when it is asked for: what it needs is not there before the constructor has run. */
  get locks(): Api.LockDoor {
    return lockDoor({
      workspace: this.#workspace,
      cwd: this.#options.cwd,
      env: this.#options.env,
      user: () => this.#user(),
      isRunning: this.#isRunning,
      looking: this.#looking,
      open: (create) => this.#open(create, { lean: true }),
      whole: () => this.#existing(),
    });
  }

  async decisions(): Promise<Api.DecisionDoor> {
    const { DecisionDesk } = await import('./decisions/decision-desk.ts');
    return new DecisionDesk({
      workspace: this.#workspace,
      env: this.#options.env,
      user: this.#user(),
      isRunning: this.#isRunning,
      existing: () => this.#existing(),
      loaded: (path) => this.#loaded(path),
      which: (plan) => this.#which(plan),
    });
  }

  async verify(plan: string | undefined, options: Api.VerifyOptions): Promise<Api.VerifyReport> {
    const { checksToVerify, verifyPlan } = await import('./verify/verify-plan.ts');
    const checks = await this.#view(plan, (_, found) => ({ plan: found.path, checks: checksToVerify(found) }));
    return verifyPlan({ workspace: this.#workspace, env: this.#options.env }, checks, options);
  }

  async savedList(): Promise<Api.SavedListReport> {
    return (await import('./saved/saved-work.ts')).savedListReport(this.#workspace);
  }

  async savedShow(id: string): Promise<Api.SavedShowReport> {
    return (await import('./saved/saved-work.ts')).savedShowReport(this.#workspace, id);
  }

  async savedRestore(id: string, options: Api.SavedRestoreOptions): Promise<Api.SavedRestoreReport> {
    return (await import('./saved/saved-work.ts')).restoreWork(this.#workspace, this.#options.cwd, id, options);
  }

  async doctor({ fix }: { readonly fix: boolean }): Promise<Api.DoctorReport> {
    const { diagnose } = await import('./doctor/diagnose.ts');
    return diagnose({ workspace: this.#workspace, env: this.#options.env, fix, open: () => this.#existing() });
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((store) => store.close()));
  }

  get #looking(): Looking {
    return { isRunning: this.#isRunning, isGone };
  }

  readonly #isRunning = (plan: PlanState): boolean =>
    plan.run !== null && runnerIsAlive(plan.run, this.#workspace.journalsFolder);

  #which(plan: string | undefined): Promise<PlanPath> {
    return whichPlan(this.#workspace, this.#options, plan, () => this.#open(false));
  }

  async #view<T>(plan: string | undefined, look: Parameters<typeof viewPlan<T>>[3]): Promise<T> {
    const store = await this.#existing();
    const path = await this.#which(plan);
    return viewPlan(this.#workspace, store, path, look);
  }

  async #steer(
    plan: string | undefined,
    tasks: readonly string[],
    tell: (plan: PlanState, task: number) => steers.Answer,
  ): Promise<Api.SteerReport> {
    const path = await this.#which(plan);
    const store = await this.#loaded(path);
    return steer({ store, path, isRunning: this.#isRunning }, tasks, tell);
  }

  /** A store that knows the plan: loaded from its file if it does not yet. */
  async #loaded(path: PlanPath): Promise<Store> {
    const existing = await this.#existing();
    if (existing && (await existing.read((state) => state.plans.has(path)))) return existing;
    const file = readPlanFile(this.#workspace, path);
    const definition = await validPlan(this.#workspace, file);
    const store = await this.#created();
    await store.transact((tx) => {
      const load = tx.state.plans.has(path) ? null : loadRevision(undefined, definition, file.revision);
      if (load) tx.record(load);
    });
    await store.snapshot({ atEnd: true });
    return store;
  }

  #existing(): Promise<Store | null> {
    return this.#open(false);
  }

  async #created(onNotice?: (text: string) => void): Promise<Store> {
    return (await this.#open(true, onNotice ? { onNotice } : {}))!;
  }

  async #open(create: boolean, options: Pick<SqliteOptions, 'onNotice' | 'lean'> = {}): Promise<Store | null> {
    if (this.#opened[0]) return this.#opened[0];
    const { openSqlite } = await import('../store/sqlite/open-sqlite.ts');
    const store = await openSqlite({
      folder: this.#workspace.stateFolder,
      create,
      programVersion: this.#options.programVersion,
      clock: new SystemClock(),
      ...options,
    });
    if (store) this.#opened.push(store);
    return store;
  }

  #said(options: Api.SteerOptions) {
    return { by: this.#user(), ...(options.reason === undefined ? {} : { reason: options.reason }) };
  }

  #user(): string {
    const { SIGNALBOX_AGENT: agent, USER: user, LOGNAME: logname } = this.#options.env;
    return agent ?? user ?? logname ?? userInfo().username;
  }
}
