// Opens the one door on a folder: finds the workspace, opens the store when it is needed (and creates it only for what changes
// something), and hands every command to the file that knows it. What needs child processes, cryptography, streams or YAML is
// imported inside its method: at the start it would cost every command 7 ms of processor time.

import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { attemptsFolderOf } from '../agents/process/attempt-files.ts';
import { pathArgument } from '../core/model/command-line.ts';
import { limitsFor } from '../core/model/defaults.ts';
import type { StoredEvent } from '../core/model/event.ts';
import type { PlanPath } from '../core/model/ids.ts';
import { createState } from '../core/state/evolve.ts';
import type { PlanState, State } from '../core/state/state.ts';
import { isGone } from '../runner/reap-locks.ts';
import { runnerIsAlive } from '../runner/runner-alive.ts';
import type { StoreWithStatus } from '../status/store-with-status.ts';
import type { World } from './act/act.ts';
import { loadPlanFile, reloadPlanFile } from './act/load-plan-file.ts';
import { SteerDesk } from './act/steer-desk.ts';
import type { SteerDoor } from './act/steer-door.ts';
import { checkPlanName, writeCurrentPlan } from './act/write-current-plan.ts';
import { DecisionDesk } from './decisions/decision-desk.ts';
import type { DecisionDoor } from './decisions/decision-door.ts';
import { attemptsReport } from './decisions/failed-attempts.ts';
import { dryRunReport } from './dry-run/dry-run-report.ts';
import { checkPlan, readPlanFile, validPlan } from './files/plan-file.ts';
import { drawGraph } from './graph/draw-graph.ts';
import { graphReport } from './graph/graph-report.ts';
import { writePicture } from './graph/write-picture.ts';
import type { HandDoor } from './hand/hand-door.ts';
import { openHandDoor } from './hand/open-hand-door.ts';
import type { LockDoor } from './locks/lock-door.ts';
import { openLockDoor } from './locks/open-lock-door.ts';
import { eventsOf } from './look/event-stream.ts';
import { logStream } from './look/log-stream.ts';
import { nextReport, plansReport, progressReport, statusReport } from './look/reports.ts';
import { viewPlan } from './look/state-view.ts';
import { statusStream } from './look/status-stream.ts';
import { currentPlan, whichPlan } from './look/which-plan.ts';
import { whyReport } from './look/why-report.ts';
import { StoreDoor } from './open-store.ts';
import { Refusal } from './refusal.ts';
import type { LogChunk } from './reports/answers.ts';
import type { AttemptsReport } from './reports/decisions.ts';
import type { GraphReport } from './reports/graph.ts';
import type { DoctorReport, ValidateReport } from './reports/health.ts';
import type {
  CheckReport,
  FormatReport,
  ImportReport,
  ReloadReport,
  SetReport,
  SyncReport,
} from './reports/plan-files.ts';
import type { DryRunReport, RunReport } from './reports/run.ts';
import type { SavedListReport, SavedRestoreReport, SavedShowReport } from './reports/saved.ts';
import type { NextReport, PlansReport, ProgressReport, StatusReport } from './reports/status.ts';
import type { VerifyReport } from './reports/verify.ts';
import type { WhyReport } from './reports/why.ts';
import type {
  EventsOptions,
  FormatOptions,
  GraphOptions,
  ImportOptions,
  LogsOptions,
  RunOptions,
  SavedRestoreOptions,
  SelectOptions,
  Signalbox,
  StatusOptions,
  ValidateOptions,
  VerifyOptions,
} from './signalbox.ts';
import { looksSound } from './validate/looks-sound.ts';
import { isUnchanged, syncCheck } from './validate/sync-check.ts';
import { validate } from './validate/validate.ts';
import { openWorkspace, planPathOf, type Workspace } from './workspace.ts';

export interface OpenOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programVersion: string;
  /** How attempts call Signalbox: the launcher's absolute path, and the Node to run it with. */
  readonly launcher: string;
  readonly nodePath: string;
  /** What a person should know although the command goes on. */
  readonly onWarning?: (text: string) => void;
}

export async function openSignalbox(options: OpenOptions): Promise<OpenedSignalbox> {
  return new OpenedSignalbox(options, await openWorkspace(options.cwd, options.env));
}

export class OpenedSignalbox implements Signalbox {
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
    });
  }

  async check(plan: string): Promise<CheckReport> {
    const path = planPathOf(this.#workspace, this.#options.cwd, plan);
    const { plan: read, diagnostics, assumedOrder } = await checkPlan(this.#workspace, path);
    const { unsupportedIn } = await import('./run/ready-to-run.ts');
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
      unsupported: read ? unsupportedIn(this.#workspace, read) : [],
    };
  }

  async format(plan: string, options: FormatOptions): Promise<FormatReport> {
    const { formatFile, formatInput } = await import('./files/format-file.ts');
    if (plan === '-') return formatInput(this.#workspace, options);
    return formatFile(this.#workspace, planPathOf(this.#workspace, this.#options.cwd, plan), options);
  }

  async import(tool: string, source: string, options: ImportOptions): Promise<ImportReport> {
    const { importFile } = await import('./files/import-file.ts');
    return importFile({ workspace: this.#workspace, cwd: this.#options.cwd, tool, source }, options);
  }

  async run(plan: string | undefined, options: RunOptions): Promise<RunReport> {
    const { runPlan } = await import('./run/run-plan.ts');
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

  async dryRun(plan: string | undefined, options: SelectOptions): Promise<DryRunReport> {
    const { imaginePlan } = await import('./run/imagine-plan.ts');
    const path = await this.#which(plan);
    const { env } = this.#options;
    const found = await imaginePlan(this.#workspace, await this.#existing(), path, { ...options, env });
    const limits = limitsFor(found.plan.plan, this.#workspace.settings, options.maxParallel);
    return dryRunReport(found.plan, limits, found.selected);
  }

  status(plan?: string, options?: StatusOptions): Promise<StatusReport> {
    return this.#view(plan, (_, found) => statusReport(found, this.#isRunning, options));
  }

  async *statusChanges(
    plan: string | undefined,
    options: StatusOptions & { readonly signal?: AbortSignal },
  ): AsyncGenerator<StatusReport> {
    const path = await this.#which(plan);
    const openStore = () => this.#existing();
    const warn = (text: string) => this.#warn(text);
    yield* statusStream({ workspace: this.#workspace, path, openStore, isRunning: this.#isRunning, warn }, options);
  }

  progress(plan?: string): Promise<ProgressReport> {
    return this.#view(plan, (_, found) => progressReport(found, this.#isRunning));
  }

  async graph(plan: string | undefined, { format, out }: GraphOptions): Promise<GraphReport> {
    const report = await this.#view(plan, (_, found) => graphReport(found));
    if (format === undefined) return report;
    const { text, folded } = drawGraph(report, format);
    if (out !== undefined) writePicture(resolve(this.#options.cwd, out), text);
    return { ...report, picture: { format, text, file: out ?? null, folded } };
  }

  next(plan: string | undefined, most: number): Promise<NextReport> {
    return this.#view(plan, (state, found) => nextReport(state, found, this.#workspace.settings, most, this.#user()));
  }

  async why(plan: string | undefined, task: string): Promise<WhyReport> {
    const store = await this.#existing();
    const folder = store && attemptsFolderOf(this.#workspace, store);
    const parts = { settings: this.#workspace.settings, world: this.#looking, folder };
    return this.#view(plan, (state, found) => whyReport(state, found, task, parts));
  }

  attempts(plan: string | undefined): Promise<AttemptsReport> {
    return this.#view(plan, (_, found) => attemptsReport(found));
  }

  async plans(): Promise<PlansReport> {
    const current = currentPlan(this.#workspace);
    const store = await this.#existing();
    if (!store) return { current, plans: [] };
    return store.read((state) => plansReport(state, current, this.#isRunning));
  }

  async *events(plan: string | undefined, options: EventsOptions): AsyncGenerator<StoredEvent> {
    const which = { workspace: this.#workspace, asking: this.#options, plan };
    yield* eventsOf(await this.#existing(), which, options, this.#warn);
  }

  async *logs(plan: string | undefined, task: string, options: LogsOptions): AsyncGenerator<LogChunk> {
    const store = await this.#existing();
    const path = await this.#which(plan);
    if (!store)
      throw new Refusal(2, `${path} has never been run here`, { instead: `signalbox run ${pathArgument(path)}` });
    yield* logStream({ workspace: this.#workspace, store, path }, task, options);
  }

  async set(plan: string): Promise<SetReport> {
    const path = planPathOf(this.#workspace, this.#options.cwd, plan);
    checkPlanName(path);
    const { files } = await this.#loaded(path);
    await files.touch(path);
    const file = writeCurrentPlan(this.#workspace, path);
    return { plan: path, file };
  }

  async reload(plan: string | undefined): Promise<ReloadReport> {
    const path = await this.#which(plan);
    return reloadPlanFile(this.#workspace, { store: await this.#loaded(path), path, isRunning: this.#isRunning });
  }

  async hand(): Promise<HandDoor> {
    return openHandDoor({
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

  async locks(): Promise<LockDoor> {
    return openLockDoor({
      workspace: this.#workspace,
      cwd: this.#options.cwd,
      env: this.#options.env,
      user: () => this.#user(),
      isRunning: this.#isRunning,
      looking: this.#looking,
      open: (create) => this.#store.open(create),
    });
  }

  async steering(): Promise<SteerDoor> {
    return new SteerDesk({
      user: this.#user(),
      isRunning: this.#isRunning,
      which: (plan) => this.#which(plan),
      loaded: (path) => this.#loaded(path),
    });
  }

  async decisions(): Promise<DecisionDoor> {
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

  async verify(plan: string | undefined, options: VerifyOptions): Promise<VerifyReport> {
    const { checksToVerify, verifyPlan } = await import('./verify/verify-plan.ts');
    const checks = await this.#view(plan, (_, found) => ({ plan: found.path, checks: checksToVerify(found) }));
    return verifyPlan({ workspace: this.#workspace, env: this.#options.env }, checks, options);
  }

  async savedList(): Promise<SavedListReport> {
    return (await import('./saved/saved-work.ts')).savedListReport(this.#workspace);
  }

  async savedShow(id: string): Promise<SavedShowReport> {
    return (await import('./saved/saved-work.ts')).savedShowReport(this.#workspace, id);
  }

  async savedRestore(id: string, options: SavedRestoreOptions): Promise<SavedRestoreReport> {
    return (await import('./saved/saved-work.ts')).restoreWork(this.#workspace, this.#options.cwd, id, options);
  }

  async doctor({ fix }: { readonly fix: boolean }): Promise<DoctorReport> {
    const { diagnose } = await import('./doctor/diagnose.ts');
    return diagnose({ workspace: this.#workspace, env: this.#options.env, fix, open: () => this.#existing() });
  }

  async validate({ fix, deep = false }: ValidateOptions): Promise<ValidateReport> {
    const look = { workspace: this.#workspace, isRunning: this.#isRunning, open: () => this.#existing() };
    if (!fix && !deep) {
      const sound = await looksSound(look);
      if (sound) return sound;
    }
    const recover = (path: PlanPath) => this.#loaded(path);
    return validate({ ...look, fix, recover });
  }

  async syncCheck(plan: string | undefined): Promise<SyncReport> {
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

  get #looking(): World {
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

  /** A store that knows the plan: loaded from its file if it does not yet. */
  async #loaded(path: PlanPath): Promise<StoreWithStatus> {
    const existing = await this.#store.knowing(path);
    if (existing) return existing;
    const warn = (text: string) => this.#warn(text);
    return loadPlanFile({ workspace: this.#workspace, path, create: () => this.#created(), warn });
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
