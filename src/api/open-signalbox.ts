// Opens the one door on a folder: finds the workspace, opens the store when it is needed (and creates it only for what changes
// something), and hands every command to the file that knows it.
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { limitsFor } from '../core/defaults.ts';
import type { StoredEvent } from '../core/event.ts';
import { createState } from '../core/evolve.ts';
import { explain } from '../core/explain.ts';
import type { PlanPath } from '../core/ids.ts';
import type { PlanState, State } from '../core/state.ts';
import { typedPath } from '../core/typed.ts';
import { isGone } from '../runner/reap-locks.ts';
import { runnerIsAlive } from '../runner/runner-alive.ts';
import type { StoreOptions } from '../store/store.ts';
import type { AttemptsReport } from './decisions/decision-reports.ts';
import { attemptsReport } from './decisions/failed-attempts.ts';
import { findTask } from './find-task.ts';
import type { HandDoor } from './hand/hand-reports.ts';
import { type Looking, withUnattended } from './locks/unattended.ts';
import { StoreDoor } from './open-store.ts';
import { checkPlan, readPlanFile, validPlan } from './plan-file.ts';
import { Refusal } from './refusal.ts';
import { nextReport, notesOf, plansReport, progressReport, statusReport } from './reports.ts';
import type * as Api from './signalbox.ts';
import { viewPlan } from './state-view.ts';
import type { StoreWithStatus } from './status/store-with-status.ts';
import type { SteerDesk } from './steer-desk.ts';
import { unlogged } from './unlogged.ts';
import { currentPlan, whichPlan } from './which-plan.ts';
import { attemptsFolderOf, openWorkspace, planPathOf, type Workspace } from './workspace.ts';

export interface OpenOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programVersion: string;
  /** How attempts call Signalbox: the launcher's absolute path, and the Node to run it with. */
  readonly launcher: string;
  readonly nodePath: string;
  /** What a person should know although the command goes on. */
  readonly onWarning?: (text: string) => void;
  /** Tasks are read when they are looked at: for commands that look at a few of many. */
  readonly late?: boolean;
}

export async function openSignalbox(options: OpenOptions): Promise<OpenedSignalbox> {
  return new OpenedSignalbox(options, await openWorkspace(options.cwd, options.env));
}

export class OpenedSignalbox implements Api.Signalbox {
  readonly root: string;
  readonly #options: OpenOptions;
  readonly #workspace: Workspace;
  readonly #store: StoreDoor;
  #warn: (text: string) => void;

  constructor(options: OpenOptions, workspace: Workspace) {
    this.#options = options;
    this.#workspace = workspace;
    this.root = workspace.root;
    this.#warn = (text) => options.onWarning?.(text);
    const warn = (text: string) => this.#warn(text);
    this.#store = new StoreDoor({
      workspace,
      programVersion: options.programVersion,
      isRunning: this.#isRunning,
      warn,
      late: options.late ?? false,
    });
  }

  async check(plan: string): Promise<Api.CheckReport> {
    const path = planPathOf(this.#workspace, this.#options.cwd, plan);
    const { plan: read, diagnostics, assumedOrder } = await checkPlan(this.#workspace, path);
    const { unsupportedKeys } = await import('../plan/unsupported.ts');
    const groups = read?.tasks.filter((task) => task.group).length ?? 0;
    return {
      plan: path,
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
    if (options.onNotice) this.#warn = (text) => options.onNotice?.(text, 'warning');
    const store = await this.#created();
    const parts = {
      workspace: this.#workspace,
      store,
      path,
      env: this.#options.env,
      user: this.#user(),
      command: { node: this.#options.nodePath, launcher: this.#options.launcher },
      cwd: this.#options.cwd,
    };
    return store.files.spaced(() => runPlan(parts, options));
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
    const openStore = () => this.#existing();
    const warn = (text: string) => this.#warn(text);
    yield* statusStream({ workspace: this.#workspace, path, openStore, isRunning: this.#isRunning, warn }, options);
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
    return this.#view(plan, (state, found) => nextReport(state, found, this.#workspace.settings, most, this.#user()));
  }

  async why(plan: string | undefined, task: string): Promise<Api.WhyReport> {
    const store = await this.#existing();
    const folder = store && attemptsFolderOf(this.#workspace, store);
    return this.#view(plan, (state, found) => {
      const at = findTask(found, task);
      const { status, reasons } = explain(state, found, at, this.#workspace.settings);
      const { id, title } = found.plan.tasks[at]!;
      const own = found.tasks[at]!;
      const silent = unlogged(found, at, reasons, folder);
      const more = {
        ...notesOf(own),
        ...(own.finding === null ? {} : { finding: own.finding }),
        ...(silent.length === 0 ? {} : { unlogged: silent }),
      };
      const told = reasons.map((reason) => withUnattended(state, reason, this.#looking));
      return { plan: found.path, task: id, title, status, reasons: told, ...more, running: this.#isRunning(found) };
    });
  }

  attempts(plan: string | undefined): Promise<AttemptsReport> {
    return this.#view(plan, (_, found) => attemptsReport(found));
  }

  async plans(): Promise<Api.PlansReport> {
    const current = currentPlan(this.#workspace);
    const store = await this.#existing();
    if (!store) return { current, plans: [] };
    return store.read((state) => plansReport(state, current, this.#isRunning));
  }

  async *events(plan: string | undefined, options: Api.EventsOptions): AsyncGenerator<StoredEvent> {
    const { eventsOf } = await import('./event-stream.ts');
    const which = { workspace: this.#workspace, asking: this.#options, plan };
    yield* eventsOf(await this.#existing(), which, options, this.#warn);
  }

  async *logs(plan: string | undefined, task: string, options: Api.LogsOptions): AsyncGenerator<Api.LogChunk> {
    const store = await this.#existing();
    const path = await this.#which(plan);
    if (!store)
      throw new Refusal(2, `${path} has never been run here`, { instead: `signalbox run ${typedPath(path)}` });
    const { logStream } = await import('./log-stream.ts');
    yield* logStream({ workspace: this.#workspace, store, path }, task, options);
  }

  async set(plan: string): Promise<Api.SetReport> {
    const path = planPathOf(this.#workspace, this.#options.cwd, plan);
    const { checkPlanName, writeCurrentPlan } = await import('./write-current-plan.ts');
    checkPlanName(path);
    const { files } = await this.#loaded(path);
    await files.touch(path);
    const file = writeCurrentPlan(this.#workspace, path);
    return { plan: path, file };
  }

  async retry(...given: Parameters<SteerDesk['retry']>): Promise<Api.SteerReport> {
    return (await this.#steering()).retry(...given);
  }

  async skip(...given: Parameters<SteerDesk['skip']>): Promise<Api.SteerReport> {
    return (await this.#steering()).skip(...given);
  }

  async suspend(...given: Parameters<SteerDesk['suspend']>): Promise<Api.SteerReport> {
    return (await this.#steering()).suspend(...given);
  }

  async resume(...given: Parameters<SteerDesk['resume']>): Promise<Api.SteerReport> {
    return (await this.#steering()).resume(...given);
  }

  async pause(...given: Parameters<SteerDesk['pause']>): Promise<Api.SteerReport> {
    return (await this.#steering()).pause(...given);
  }

  async stop(...given: Parameters<SteerDesk['stop']>): Promise<Api.SteerReport> {
    return (await this.#steering()).stop(...given);
  }

  async reload(plan: string | undefined): Promise<Api.ReloadReport> {
    const { reloadPlan } = await import('./load-plan.ts');
    const path = await this.#which(plan);
    return reloadPlan(this.#workspace, await this.#loaded(path), path);
  }

  async hand(): Promise<HandDoor> {
    const { handDoor } = await import('./hand/hand-door.ts');
    return handDoor({
      workspace: this.#workspace,
      cwd: this.#options.cwd,
      env: this.#options.env,
      user: () => this.#user(),
      isRunning: this.#isRunning,
      which: (plan) => this.#which(plan),
      loaded: (path) => this.#loaded(path),
      existing: () => this.#existing(),
    });
  }

  async locks(): Promise<Api.LockDoor> {
    const { lockDoor } = await import('./locks/lock-door.ts');
    return lockDoor({
      workspace: this.#workspace,
      cwd: this.#options.cwd,
      env: this.#options.env,
      user: () => this.#user(),
      isRunning: this.#isRunning,
      looking: this.#looking,
      open: (create) => this.#store.open(create, { lean: true }),
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

  async validate({ fix, deep = false }: Api.ValidateOptions): Promise<Api.ValidateReport> {
    const open = async () => (await this.#existing())?.log ?? null;
    const look = { workspace: this.#workspace, isRunning: this.#isRunning, open };
    if (!fix && !deep) {
      const { looksSound } = await import('./validate/looks-sound.ts');
      const sound = await looksSound(look);
      if (sound) return sound;
    }
    const { validate } = await import('./validate/validate.ts');
    const recover = (path: PlanPath) => this.#loaded(path);
    const openAs = (how: StoreOptions) => this.#store.another(how);
    return validate({ ...look, fix, openAs, recover });
  }

  async syncCheck(plan: string | undefined): Promise<Api.SyncReport> {
    const { isUnchanged, syncCheck } = await import('./validate/sync-check.ts');
    const store = await this.#existing();
    const file = readPlanFile(this.#workspace, await this.#which(plan));
    const same = await store?.read((state) => isUnchanged(state.plans.get(file.path) ?? null, file.revision));
    if (same) return same;
    const definition = await validPlan(this.#workspace, file);
    const look = (state: State) => syncCheck(state.plans.get(file.path) ?? null, definition, file.revision);
    return store ? store.read(look) : look(createState());
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  get #looking(): Looking {
    return { isRunning: this.#isRunning, isGone };
  }

  readonly #isRunning = (plan: PlanState): boolean =>
    plan.run !== null && runnerIsAlive(plan.run, this.#workspace.journalsFolder);

  #which(plan: string | undefined): Promise<PlanPath> {
    return whichPlan(this.#workspace, this.#options, plan, () => this.#store.open(false));
  }

  async #view<T>(plan: string | undefined, look: Parameters<typeof viewPlan<T>>[3]): Promise<T> {
    const store = await this.#existing();
    const path = await this.#which(plan);
    return viewPlan(this.#workspace, store, path, look, (text) => this.#warn(text));
  }

  async #steering(): Promise<SteerDesk> {
    const { SteerDesk } = await import('./steer-desk.ts');
    return new SteerDesk({
      user: this.#user(),
      isRunning: this.#isRunning,
      which: (plan) => this.#which(plan),
      loaded: (path) => this.#loaded(path),
    });
  }

  /** A store that knows the plan: loaded from its file if it does not yet. */
  async #loaded(path: PlanPath): Promise<StoreWithStatus> {
    const existing = await this.#store.knowing(path);
    if (existing) return existing;
    const { loadPlan } = await import('./load-plan.ts');
    const warn = (text: string) => this.#warn(text);
    return loadPlan({ workspace: this.#workspace, path, create: () => this.#created(), warn });
  }

  #existing(): Promise<StoreWithStatus | null> {
    return this.#store.open(false);
  }

  async #created(): Promise<StoreWithStatus> {
    return (await this.#store.open(true))!;
  }

  #user(): string {
    const { SIGNALBOX_AGENT: agent, USER: user, LOGNAME: logname } = this.#options.env;
    return agent ?? user ?? logname ?? userInfo().username;
  }
}
