// One run, from the plan file to its outcome: takes the plan over from whoever ran it before, starts the loop on real processes
// and reports. A start after a crash is the same start.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { accountsOf } from '../../agents/account.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { thisProcess } from '../../agents/process/process-identity.ts';
import { buryRun } from '../../core/commands/reset-plan.ts';
import { isUncompared } from '../../core/commands/take-revision.ts';
import { differenceWords } from '../../core/explain/difference-words.ts';
import { listWords } from '../../core/model/count-words.ts';
import { defaultDeadlock, defaultLivelock, limitsFor } from '../../core/model/defaults.ts';
import { type HostId, type PlanPath, type RunId, runId } from '../../core/model/ids.ts';
import type { Me } from '../../core/rules/decide.ts';
import { askAgain } from '../../core/rules/plan-decisions.ts';
import { tryAgain } from '../../core/rules/try-again.ts';
import type { PlanState, RunState } from '../../core/state/state.ts';
import { GitTrouble } from '../../git/git-caller.ts';
import type { PlanReading } from '../../plan/read-plan.ts';
import { forgetOldSnapshots, snapshotPlace } from '../../runner/attempts/attempt-snapshots.ts';
import { forgetStale } from '../../runner/attempts/files-of-attempts.ts';
import { forgetHomes } from '../../runner/attempts/forget-homes.ts';
import { forgetJournal } from '../../runner/forget-journal.ts';
import { RunLoop } from '../../runner/loop/run-loop.ts';
import type { RunSite } from '../../runner/run-site.ts';
import { keepLease, runnerIsAlive } from '../../runner/runner-alive.ts';
import { openThisMachine } from '../../runner/this-machine.ts';
import type { TreesOfRun } from '../../runner/trees/trees-of-run.ts';
import { importInto } from '../../status/import-status.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { loadRevision } from '../act/load-revision.ts';
import { approvedPlan } from '../approval/approved-plan.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { promptTemplate } from '../files/prompt-template.ts';
import { linksAreSame } from '../locks/lock-key.ts';
import type { IsRunning } from '../look/reports.ts';
import { Refusal } from '../refusal.ts';
import type { RunReport } from '../reports/run.ts';
import type { RunOptions } from '../signalbox.ts';
import { GitRecord } from '../trust/git-record.ts';
import { installCommand, type OwnCommand } from '../trust/own-command.ts';
import { takeBaseline } from '../verify/baseline.ts';
import type { Workspace } from '../workspace.ts';
import { type AgentsAsked, agentsFor, tellAgents, tellPools, tellUncounted, wantedBy } from './agents-of-run.ts';
import { chooseTasks } from './choose-tasks.ts';
import { EventsToldHere } from './events-told-here.ts';
import { followPlan } from './followed-plan.ts';
import { isolateRun } from './isolation/isolate-run.ts';
import { resultsOfRun } from './isolation/results-of-run.ts';
import { refuseHindered, refuseUnsupported } from './ready-to-run.ts';
import { Refresh } from './refresh-run.ts';
import { type FirstReading, refuseFirst } from './refuse-first.ts';
import { runReport } from './run-report.ts';
import { refuseSecondRun } from './second-run.ts';
import { succeedsVariable } from './successor.ts';
import { refuseTick, tickPlanFile } from './tick-boxes.ts';

export interface RunParts {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly path: PlanPath;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isRunning: IsRunning;
  /** Who interrupts. */
  readonly user: string;
  /** How attempts call Signalbox. */
  readonly command: OwnCommand;
  /** Null: there was state before. */
  readonly first: FirstReading | null;
}

export { refuseFirst };

export async function runPlan(parts: RunParts, options: RunOptions): Promise<RunReport> {
  const { store, path, workspace } = parts;
  if (options.tick) refuseTick(path);
  const template = promptTemplate(workspace);
  const refresh = new Refresh(parts, options);
  const run = runId(`r${randomBytes(4).toString('hex')}`);
  const toldHere = new EventsToldHere(run, parts.env[succeedsVariable] !== undefined);
  const unsubscribe = store.subscribe((events) => {
    // The clock is everybody's.
    const own = events.filter((event) => event.plan === path || event.type === 'clock-stepped');
    const told = toldHere.of(own, refresh.hasSuccessor);
    if (told.length > 0) options.onEvents?.(told);
    if (options.refresh) refresh.heard(own);
  });
  try {
    const commandFolder = installCommand(workspace.userFolder, parts.command);
    const host = await begin(parts, options, run);
    const versions = new Map<string, string>();
    const stopRenewing = keepLease(run, workspace.journalsFolder);
    const { loop, trees, close } = openLoop(
      parts,
      options,
      { commandFolder, template, versions },
      { host, plan: path, run },
    );
    const interrupted = new AbortController();
    options.onInterruptible?.((mode, exitCode) => {
      interrupted.abort();
      if (refresh.isOver) void refresh.stop(mode, exitCode);
      else loop.stop(mode, exitCode, parts.user);
    });
    try {
      // What is left over costs only space.
      const environment = baseEnvironment(parts.env);
      await forgetStale(workspace, store).catch(() => undefined);
      await forgetOldSnapshots(snapshotPlace(workspace, environment), store).catch(() => undefined);
      makeOutputsFolder(workspace);
      const { signal } = interrupted;
      await sayAgents(parts, options, versions);
      const folder = () => whereResultsAre(parts, options, trees);
      const done = () => trees.resultsSeen(path).catch(() => undefined);
      await takeBaseline({ workspace, folder, done, commandFolder, store, plan: path, environment, signal });
      const ended = await loop.run();
      if (ended.run !== run) {
        refresh.isOver = true;
        throw handedOver(path, ended);
      }
      refresh.callOff();
      await trees.follow(path);
      await store.snapshot({ atEnd: true });
      await forgetHomes(workspace, store, path).catch(() => undefined);
      const edit = await loop.editLeft();
      if (options.tick) await tick(parts, options);
      const { plan } = await store.read((state) => ({ plan: state.plans.get(path)!.plan }));
      const results = await resultsOfRun({ run: ended, plan }, parts);
      return { ...(await store.read((state) => runReport(state, ended, parts, edit))), results };
    } finally {
      stopRenewing();
      await close();
      // What is left over costs only space.
      await forgetJournal(workspace.journalsFolder, run, store).catch(() => undefined);
    }
  } finally {
    unsubscribe();
  }
}

/** Where everything is seen that was done so far; null: that place cannot be made now, and whoever works there is told so too. */
async function whereResultsAre(
  { store, path, workspace }: RunParts,
  { onNotice }: RunOptions,
  trees: TreesOfRun,
): Promise<string | null> {
  const [isolation, keys] = await store.read((state) => {
    const { run, plan } = state.plans.get(path)!;
    return [run!.isolation, plan.worktree] as const;
  });
  if (isolation === null) return workspace.root;
  return trees.results(path, isolation, keys).catch((error: Error) => {
    if (!(error instanceof GitTrouble)) throw error;
    onNotice?.(`nobody knows which checks were red before the run: ${error.message}`, 'warning');
    return null;
  });
}

/** Nothing is asked where only commands run. */
async function sayAgents(
  { store, workspace, path, env }: RunParts,
  { onNotice }: RunOptions,
  versions: Map<string, string>,
): Promise<void> {
  const asked: AgentsAsked = { workspace, env, versions, tell: (text, kind) => onNotice?.(text, kind) };
  const found = await store.read((state) => {
    const plan = state.plans.get(path)!;
    tellPools(plan, asked);
    tellUncounted(plan, asked);
    return agentsFor(wantedBy(plan), asked);
  });
  await tellAgents(found, asked);
}

/** Made before any attempt: a new folder would pass for an agent's change, and no agent may put a link in its place. */
function makeOutputsFolder({ outputsFolder }: Workspace): void {
  try {
    mkdirSync(outputsFolder, { recursive: true });
  } catch {
    // The first write into the folder reports the trouble.
  }
}

async function tick({ store, workspace, path }: RunParts, { onNotice }: RunOptions): Promise<void> {
  const { hindrance } = await store.read((state) => tickPlanFile(workspace, state.plans.get(path)!));
  if (hindrance !== null) onNotice?.(hindrance, 'warning');
}

/** Everything that can refuse the run happens here, in the transaction that starts it. */
async function begin(parts: RunParts, options: RunOptions, run: RunId): Promise<HostId> {
  const { store, path, workspace } = parts;
  const file = readPlanFile(workspace, path);
  const runner = thisProcess();
  const isKnown = await store.read((state) => {
    const known = state.plans.get(path);
    // While it runs, the loop follows the file by itself: it knows what an agent could have written.
    if (known && !isUncompared(known) && (known.live > 0 || options.takeOver)) return true;
    // An unchanged plan is not read again: at 100,000 tasks that is most of the start.
    return known?.revision === file.revision && linksAreSame(known.plan, workspace.root);
  });
  const parsed = isKnown
    ? null
    : await approvedPlan(workspace, file, tellReading(path, options), readBefore(parts, file.revision));
  if (parsed) refuseUnsupported(workspace, parsed);
  const isolation = await isolateRun(parts, parsed, options);
  let takes: readonly string[] = [];
  let isAfterDeath = false;
  await store.transact((tx) => {
    const known = tx.state.plans.get(path);
    const { [succeedsVariable]: succeeds } = parts.env;
    if (succeeds !== undefined && (known?.run?.run !== succeeds || known.run.ended)) {
      throw new Refusal(8, `the run ${succeeds} has ended`, { instead: 'nothing is left to take over' });
    }
    // Whoever stopped it meant the work, not the process.
    if (succeeds !== undefined && known?.run?.stopping)
      throw new Refusal(8, `the run ${succeeds} is being stopped`, { instead: 'run it again when it has ended' });
    const takesOver = options.takeOver && known?.run && runnerIsAlive(known.run, workspace.journalsFolder);
    if (takesOver) {
      tx.record({ type: 'run-handed-over', v: 1, plan: path, run: known!.run!.run, to: run, by: parts.user });
    } else {
      refuseSecondRun(known, workspace);
      const dead = buryDeadRun(tx, known);
      isAfterDeath = dead !== null;
      if (dead !== null) takes = [dead];
    }
    if (parsed) {
      const { events, match } = loadRevision(known, parsed, file.revision);
      const words = match && differenceWords(match);
      const how =
        known && isUncompared(known) ? 'says something else than the trusted state' : 'was edited since it was loaded';
      if (words) takes = [...takes, `${path} ${how}, and is taken as it is now (${words})`];
      for (const event of events) tx.record(event);
      if (!known) takes = importInto(tx, workspace, path);
    }
    const plan = tx.state.plans.get(path)!;
    refuseUnsupported(workspace, plan.plan);
    const choice = chooseTasks(plan, options);
    refuseHindered(workspace, plan, {
      selected: choice?.selected ?? null,
      onFailure: options.onFailure ?? null,
      env: parts.env,
    });
    const names = new Set(plan.plan.tasks.flatMap(({ keys }) => keys.agent ?? []));
    const { escalationAgent, reviewAgent, agents } = workspace.settings;
    for (const name of [escalationAgent, reviewAgent, ...Object.keys(agents)]) if (name) names.add(name);
    const accounts = accountsOf(names, workspace.settings, parts.env);
    const limits = {
      ...limitsFor(plan.plan, workspace.settings, options),
      ...(Object.keys(accounts).length === 0 ? {} : { accounts }),
    };
    const selection = choice ? { selection: choice.selection } : {};
    const rules = { ...deadlockRules(workspace, options), ...failureRules(workspace, options) };
    const over = {
      ...(takesOver ? ({ takesOver: true } as const) : {}),
      ...(isAfterDeath ? ({ carriesOn: true } as const) : {}),
    };
    const trees = {
      ...(isolation ? { isolation } : {}),
      ...(options.waitsPaused ? ({ waitsPaused: true } as const) : {}),
    };
    tx.record({
      type: 'run-started',
      v: 1,
      plan: path,
      run,
      runner,
      limits,
      ...selection,
      ...over,
      ...rules,
      ...trees,
    });
    for (const event of tryAgain(plan, choice?.selected ?? null)) tx.record(event);
    for (let more = askAgain(tx.state, plan, tx.now); more; more = askAgain(tx.state, plan, tx.now, more.next)) {
      for (const event of more.events) tx.record(event);
    }
  });
  for (const text of takes) options.onNotice?.(text, 'warning');
  return runner.host;
}

const readBefore = ({ first }: RunParts, revision: string) =>
  first?.revision === revision ? first.reading : undefined;

const tellReading =
  (path: PlanPath, { onNotice }: RunOptions) =>
  ({ diagnostics, assumedOrder }: PlanReading): void => {
    for (const { message, line } of diagnostics) onNotice?.(`${path}:${line}: ${message}`, 'warning');
    const isSaid = diagnostics.some(({ code }) => code === 'assumed-order');
    if (assumedOrder && !isSaid) onNotice?.(`order: ${assumedOrder} (assumed; "order:" in the plan says it)`, 'remark');
  };

/** Absent when neither the settings nor the run say anything: the defaults hold. */
function deadlockRules({ settings }: Workspace, { detectDeadlocks }: RunOptions) {
  const rules = { ...defaultDeadlock, ...settings.deadlock, ...(detectDeadlocks === false ? { detect: false } : {}) };
  return settings.deadlock === undefined && detectDeadlocks !== false ? {} : { deadlock: rules };
}

function failureRules({ settings }: Workspace, { onFailure, decideWithinMs }: RunOptions) {
  const { escalationAgent, reviewAgent, livelock, quota } = settings;
  return {
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(escalationAgent === undefined ? {} : { escalationAgent }),
    ...(reviewAgent === undefined ? {} : { reviewAgent }),
    ...(livelock === undefined ? {} : { livelock: { ...defaultLivelock, ...livelock } }),
    ...(decideWithinMs === undefined ? {} : { decideWithinMs }),
    ...(quota === 'stop' ? ({ stopsAtQuota: true } as const) : {}),
  };
}

/** Not a mistake: somebody asked for it. The plan is being run, only not by this process. */
function handedOver(path: PlanPath, { runner }: RunState): Refusal {
  return new Refusal(8, `${path} was taken over by process ${runner.pid}, which goes on with it`, {
    instead: 'follow it: signalbox attach; see where it is: signalbox status',
  });
}

/** A runner that died could not say so itself. Its attempts are taken over by the loop. */
function buryDeadRun(tx: Transaction, known: PlanState | undefined): string | null {
  if (!known?.run || known.run.ended) return null;
  const { runner } = known.run;
  const left = [...tx.state.live.values()].flatMap(({ plan, attempt }) => (plan === known.path ? attempt : []));
  for (const event of buryRun(known)) tx.record(event);
  const over = left.length === 0 ? '' : ` ${listWords(left, 5)}`;
  return `process ${runner.pid}, which ran this plan, died; this run takes over${over}`;
}

function openLoop(
  { workspace, store, path, env }: RunParts,
  { reload = true, onNotice }: RunOptions,
  { template, ...more }: Pick<RunSite, 'commandFolder' | 'versions'> & { readonly template: string | undefined },
  me: Me,
) {
  const environment = baseEnvironment(env);
  const { machine, trees, close } = openThisMachine({
    // The command was put there, so there is one.
    site: {
      ...{ ...workspace, ...more, userFolder: workspace.userFolder! },
      ...(template === undefined ? {} : { template }),
      trustsGit: new GitRecord(workspace).standing() === 'trusted',
    },
    store,
    planFile: followPlan({
      workspace,
      path,
      env,
      reload,
      warn: (text) => onNotice?.(text, 'warning'),
    }),
    environment,
    personal: env,
    observe: (observation) => loop.observe(observation),
    onDoom: (token, doom) => loop.doom(token, doom),
    tell: (text) => onNotice?.(text, 'warning'),
    auditLeft: async (token) => (await import('../hooks/audit-shell.ts')).auditLeft(token, store, { workspace, env }),
  });
  const loop = new RunLoop({ store, me, machine });
  return { loop, trees, close };
}
