// Opens the one door on a folder: finds the workspace, opens the store when it is needed (and creates it only for what changes
// something), and hands every command to the file that knows it. That file is imported inside its method: at the start, what others
// need would cost every command 30 ms.
import { resolve } from 'node:path';
import type { StoredEvent } from '../core/model/event.ts';
import type { PlanPath } from '../core/model/ids.ts';
import type { PlanState } from '../core/state/state.ts';
import { isGone } from '../runner/reap-locks.ts';
import { runnerIsAlive } from '../runner/runner-alive.ts';
import type { StoreWithStatus } from '../status/store-with-status.ts';
import type { World } from './act/act.ts';
import type { SteerDoor } from './act/steer-door.ts';
import type { DecisionDoor } from './decisions/decision-door.ts';
import type { FilesDoor } from './files/files-door.ts';
import { refuseMissingPlan } from './files/plan-file.ts';
import { deeds } from './gate/deeds.ts';
import { type Gate, guard } from './gate/guard.ts';
import { whoAsks } from './gate/who-asks.ts';
import type { HandDoor } from './hand/hand-door.ts';
import type { SetupDoor } from './init/setup-door.ts';
import type { LockDoor } from './locks/lock-door.ts';
import type { AgentDoor } from './look/agent-door.ts';
import { brokenWords, viewPlan } from './look/state-view.ts';
import type { WatchedPlan } from './look/status-stream.ts';
import { type Asking, whichPlan } from './look/which-plan.ts';
import { StoreDoor } from './open-store.ts';
import type { PlanningDoor } from './planning/planning-door.ts';
import type { AttemptsReport } from './reports/decisions.ts';
import type { GraphReport } from './reports/graph.ts';
import type { DoctorReport, ValidateReport } from './reports/health.ts';
import type { DryRunReport, RunReport } from './reports/run.ts';
import type { NextReport, PlansReport, ProgressReport, StatusReport } from './reports/status.ts';
import type { TrustReport } from './reports/trust.ts';
import type { VerifyReport } from './reports/verify.ts';
import type { WhyReport } from './reports/why.ts';
import type { ResultsDoor } from './results/results-door.ts';
import type { RunDoor } from './run/run-door.ts';
import type {
  DoctorOptions,
  EventsOptions,
  GraphOptions,
  IsolationOptions,
  LogPiece,
  LogsOptions,
  RunOptions,
  SelectOptions,
  Signalbox,
  StatusOptions,
  TrustOptions,
  ValidateOptions,
  VerifyOptions,
} from './signalbox.ts';
import { isAgentName, userName } from './user-name.ts';
import { openWorkspace, planPathOf, typedPath, type Workspace } from './workspace.ts';

export interface OpenOptions {
  readonly cwd: string;
  /** The plan that was named, relative to `cwd`: the workspace is looked for from its folder. */
  readonly plan?: string | undefined;
  /** The plan only tells where the workspace is, and nothing else would notice that it does not exist. */
  readonly planMustExist?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programVersion: string;
  /** How attempts call Signalbox: the launcher's absolute path, and the Node to run it with. */
  readonly launcher: string;
  readonly nodePath: string;
  /** What a person should know although the command goes on. */
  readonly onWarning?: (text: string) => void;
}

export async function openSignalbox(options: OpenOptions): Promise<Signalbox> {
  const workspace = await openWorkspace(options.cwd, options.env, options.plan);
  if (options.planMustExist && options.plan !== undefined)
    refuseMissingPlan(workspace, planPathOf(workspace, options.cwd, options.plan));
  const box = new OpenedSignalbox(options, workspace);
  return guard<Signalbox>(box, deeds, box.gate);
}

class OpenedSignalbox implements Signalbox {
  readonly root: string;
  readonly isElsewhere: boolean;
  readonly #options: OpenOptions;
  readonly #workspace: Workspace;
  readonly #store: StoreDoor;
  #warn: (text: string) => void;

  constructor(options: OpenOptions, workspace: Workspace) {
    this.#options = options;
    this.#workspace = workspace;
    this.root = workspace.root;
    this.isElsewhere = !workspace.isGiven && workspace.root !== resolve(options.cwd);
    this.#warn = (text) => options.onWarning?.(text);
    const warn = (text: string) => this.#warn(text);
    this.#store = new StoreDoor({
      workspace,
      programVersion: options.programVersion,
      isRunning: this.#isRunning,
      warn,
    });
  }

  typed(plan: string): string {
    return typedPath(this.#workspace, this.#options.cwd, plan);
  }

  async setup(): Promise<SetupDoor> {
    return (await import('./init/setup-door.ts')).openSetupDoor(this.#access);
  }

  async files(): Promise<FilesDoor> {
    const { openFilesDoor } = await import('./files/files-door.ts');
    return openFilesDoor({ ...this.#access, user: () => this.#user(), store: this.#store });
  }

  async run(plan: string | undefined, options: RunOptions): Promise<RunReport> {
    const { refuseFirst, runPlan } = await import('./run/run-plan.ts');
    const path = await this.#which(plan);
    if (options.onNotice) this.#warn = (text) => options.onNotice?.(text, 'warning');
    const isFirst = this.#store.record.standing().kind === 'none';
    // Whoever starts over finds nothing either, so a refusal has to come before what was there is set aside.
    const isRefusedFirst = isFirst || options.fresh;
    const first = isRefusedFirst ? await refuseFirst(this.#workspace, path, options, this.#options.env) : null;
    const store = await this.#created();
    const reset = options.fresh ? await (await this.steering()).reset(plan, { yes: true }) : null;
    if (reset) options.onReset?.(reset);
    const parts = { ...this.#here, store, path, user: this.#user(), first };
    return store.files.spaced(() => runPlan(parts, options));
  }

  async runs(): Promise<RunDoor> {
    const isFirst = () => this.#store.record.standing().kind === 'none';
    const { openRunDoor } = await import('./run/open-run-door.ts');
    return openRunDoor({ ...this.#access, created: () => this.#created(), isFirst });
  }

  async dryRun(plan: string | undefined, options: SelectOptions & IsolationOptions): Promise<DryRunReport> {
    const { imagineRun } = await import('./dry-run/imagine-run.ts');
    const path = await this.#which(plan);
    const seen = await this.#store.sound();
    if (seen.broken) this.#warn(brokenWords(seen.broken));
    return imagineRun({ workspace: this.#workspace, env: this.#options.env, seen }, path, options);
  }

  async status(plan?: string, options?: StatusOptions): Promise<StatusReport> {
    const { statusNow } = await import('./look/status-stream.ts');
    return statusNow(await this.#watched(plan), options);
  }

  async *statusChanges(
    plan: string | undefined,
    options: StatusOptions & { readonly signal?: AbortSignal },
  ): AsyncGenerator<StatusReport> {
    const { statusStream } = await import('./look/status-stream.ts');
    yield* statusStream(await this.#watched(plan), options);
  }

  async #watched(plan: string | undefined): Promise<WatchedPlan> {
    const path = await this.#which(plan);
    const parts = { workspace: this.#workspace, isRunning: this.#isRunning };
    return { ...parts, path, look: () => this.#store.sound(), warn: (text) => this.#warn(text) };
  }

  async progress(plan?: string): Promise<ProgressReport> {
    const { progressReport } = await import('./look/reports.ts');
    return this.#view(plan, (state, found) => progressReport(state, found, this.#isRunning));
  }

  async graph(plan: string | undefined, { format, out }: GraphOptions): Promise<GraphReport> {
    const { graphReport } = await import('./graph/graph-report.ts');
    const report = await this.#view(plan, (_, found) => graphReport(found));
    if (format === undefined) return report;
    return (await import('./graph/draw-graph.ts')).pictured(report, { format, out, cwd: this.#options.cwd });
  }

  async next(plan: string | undefined, most: number): Promise<NextReport> {
    const { nextReport } = await import('./look/reports.ts');
    return this.#view(plan, (state, found) => nextReport(state, found, this.#workspace.settings, most, this.#user()));
  }

  async why(plan: string | undefined, task: string): Promise<WhyReport> {
    const { whyReport } = await import('./look/why-report.ts');
    const { attemptsFolderOf } = await import('../agents/process/attempt-files.ts');
    const { store } = await this.#store.sound();
    const folder = store && attemptsFolderOf(this.#workspace, store);
    const parts = { settings: this.#workspace.settings, world: this.#looking, folder };
    return this.#view(plan, (state, found) => whyReport(state, found, task, parts));
  }

  async agents(): Promise<AgentDoor> {
    const { openAgentDoor } = await import('./look/agent-door.ts');
    return openAgentDoor({
      ...this.#access,
      world: this.#looking,
      locks: () => this.locks(),
      view: (plan, look) => this.#view(plan, look),
    });
  }

  async attempts(plan: string | undefined): Promise<AttemptsReport> {
    const { attemptsReport } = await import('./decisions/failed-attempts.ts');
    return this.#view(plan, (_, found) => attemptsReport(found));
  }

  async plans(): Promise<PlansReport> {
    const seen = await this.#store.sound();
    const { plansSeen } = await import('./look/plans-seen.ts');
    return plansSeen(this.#workspace, seen, this.#isRunning, (text) => this.#warn(text));
  }

  async *events(plan: string | undefined, options: EventsOptions): AsyncGenerator<StoredEvent> {
    const which = { workspace: this.#workspace, asking: this.#asking, plan };
    const { eventsOf } = await import('./look/event-stream.ts');
    yield* eventsOf(await this.#store.sound(), which, options, this.#warn);
  }

  async *logs(plan: string | undefined, task: string, options: LogsOptions): AsyncGenerator<LogPiece> {
    const seen = await this.#store.sound();
    const path = await this.#which(plan);
    const { logsOf } = await import('./look/log-stream.ts');
    yield* logsOf({ workspace: this.#workspace, seen, path, warn: (text) => this.#warn(text) }, task, options);
  }

  async hand(): Promise<HandDoor> {
    const { openHandDoor } = await import('./hand/open-hand-door.ts');
    return openHandDoor({ ...this.#access, user: () => this.#user() });
  }

  async locks(): Promise<LockDoor> {
    const { openLockDoor } = await import('./locks/open-lock-door.ts');
    return openLockDoor({
      ...this.#here,
      user: () => this.#user(),
      looking: this.#looking,
      sound: () => this.#store.sound(),
      created: () => this.#created(),
    });
  }

  async steering(): Promise<SteerDoor> {
    const { SteerDesk } = await import('./act/steer-desk.ts');
    return new SteerDesk({ ...this.#access, user: this.#user() });
  }

  async decisions(): Promise<DecisionDoor> {
    const { DecisionDesk } = await import('./decisions/decision-desk.ts');
    return new DecisionDesk({ ...this.#access, user: this.#user(), asAgent: isAgentName(this.#options.env) });
  }

  async verify(plan: string | undefined, options: VerifyOptions): Promise<VerifyReport> {
    const { toVerify, verifyPlan } = await import('./verify/verify-plan.ts');
    const { refuseUncompared } = await import('./act/refuse-uncompared.ts');
    // What runs must be what the plan file says.
    await this.#store.refuseForeign();
    await refuseUncompared(this.#workspace, await this.#store.sound(), await this.#which(plan));
    const checks = await this.#view(plan, (_, found) => toVerify(found));
    const here = { workspace: this.#workspace, env: this.#options.env, command: this.#options };
    return verifyPlan(here, checks, options);
  }

  async results(): Promise<ResultsDoor> {
    const { openResultsDoor } = await import('./results/results-door.ts');
    return openResultsDoor({ ...this.#access, store: this.#store });
  }

  async planning(): Promise<PlanningDoor> {
    const { openPlanningDoor } = await import('./planning/planning-door.ts');
    return openPlanningDoor({ ...this.#access, user: this.#user() });
  }

  async doctor(options: DoctorOptions): Promise<DoctorReport> {
    const { diagnose } = await import('./doctor/diagnose.ts');
    const { cwd, env } = this.#options;
    return diagnose({ workspace: this.#workspace, cwd, env, store: this.#quietly() }, options);
  }

  async trust(options: TrustOptions): Promise<TrustReport> {
    const { trustReport } = await import('./trust/trust-report.ts');
    return trustReport({ workspace: this.#workspace, env: this.#options.env, store: this.#quietly() }, options);
  }

  /** For who tells about the state itself. */
  #quietly(): StoreDoor {
    this.#warn = () => undefined;
    return this.#store;
  }

  async validate(options: ValidateOptions): Promise<ValidateReport> {
    if (options.fix) await this.#store.refuseForeign();
    const { validate } = await import('./validate/validate.ts');
    const look = { workspace: this.#workspace, isRunning: this.#isRunning, open: () => this.#existing() };
    return validate({ ...look, ...options, recover: (path) => this.#loaded(path) });
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  /** Who may pass is asked before anything is done: see gate/. */
  get gate(): Gate {
    const calling = { env: this.#options.env, root: this.root, existing: () => this.#existing() };
    return { asker: () => whoAsks(calling), which: (plan) => this.#which(plan) };
  }

  /** What every door is opened with. */
  get #here() {
    const { cwd, env } = this.#options;
    const { asker } = this.gate;
    return { workspace: this.#workspace, cwd, env, isRunning: this.#isRunning, asker, command: this.#options };
  }

  get #looking(): World {
    return { isRunning: this.#isRunning, isGone };
  }

  readonly #isRunning = (plan: PlanState): boolean =>
    plan.run !== null && runnerIsAlive(plan.run, this.#workspace.journalsFolder);

  get #asking(): Asking {
    return { ...this.#options, isRunning: this.#isRunning };
  }

  #which(plan: string | undefined): Promise<PlanPath> {
    return whichPlan(this.#workspace, this.#asking, plan, () => this.#store.sound());
  }

  /** For doors: what they stand on, and ways to the store. */
  get #access() {
    return {
      ...this.#here,
      warn: (text: string) => this.#warn(text),
      which: (plan: string | undefined) => this.#which(plan),
      existing: () => this.#existing(),
      sound: () => this.#store.sound(),
      loaded: (path: PlanPath) => this.#loaded(path),
    };
  }

  async #view<T>(plan: string | undefined, look: Parameters<typeof viewPlan<T>>[3]): Promise<T> {
    const seen = await this.#store.sound();
    const path = await this.#which(plan);
    return viewPlan(this.#workspace, seen, path, look, (text) => this.#warn(text));
  }

  /** A store that knows the plan: loaded from its file if it does not yet. */
  async #loaded(path: PlanPath): Promise<StoreWithStatus> {
    const existing = await this.#store.knowing(path);
    if (existing) return existing;
    const warn = (text: string) => this.#warn(text);
    const { loadPlanFile } = await import('./act/load-plan-file.ts');
    return loadPlanFile({ workspace: this.#workspace, path, create: () => this.#created(), warn });
  }

  #existing(): Promise<StoreWithStatus | null> {
    return this.#store.open(false);
  }

  async #created(): Promise<StoreWithStatus> {
    return (await this.#store.open(true))!;
  }

  #user(): string {
    return userName(this.#options.env);
  }
}
