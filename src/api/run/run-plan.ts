// One run, from the plan file to its outcome: takes the plan over from whoever ran it before, starts the loop on real processes
// and reports. A start after a crash is the same start.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { attemptsFolderOf, outputFile } from '../../agents/process/attempt-files.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { tailLines } from '../../agents/process/output-tail.ts';
import { thisProcess } from '../../agents/process/process-identity.ts';
import { blockedTasks } from '../../core/explain/stuck.ts';
import { defaultDeadlock, defaultLivelock, limitsFor } from '../../core/model/defaults.ts';
import { attemptId, type HostId, type PlanPath, type RunId, runId } from '../../core/model/ids.ts';
import { selectLeaves } from '../../core/model/selection.ts';
import type { Me } from '../../core/rules/decide.ts';
import { summaryOf } from '../../core/rules/outcome.ts';
import { askAgain } from '../../core/rules/plan-decisions.ts';
import { tryAgain } from '../../core/rules/try-again.ts';
import type { PlanState, RunState, State } from '../../core/state/state.ts';
import { forgetStale } from '../../runner/attempts/files-of-attempts.ts';
import { RunLoop } from '../../runner/loop/run-loop.ts';
import { keepLease, runnerIsAlive } from '../../runner/runner-alive.ts';
import { openThisMachine } from '../../runner/this-machine.ts';
import { importInto } from '../../status/import-status.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { loadRevision, revisionWords } from '../act/load-revision.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import { linksAreSame } from '../locks/lock-key.ts';
import { Refusal } from '../refusal.ts';
import type { RunReport } from '../reports/run.ts';
import type { RunOptions } from '../signalbox.ts';
import { takeBaseline } from '../verify/baseline.ts';
import type { Workspace } from '../workspace.ts';
import { chooseTasks } from './choose-tasks.ts';
import { EventsToldHere } from './events-told-here.ts';
import { refuseUnsupported, refuseWithoutAgent } from './ready-to-run.ts';
import { Refresh } from './refresh-run.ts';
import { succeedsVariable } from './successor.ts';
import { refuseTick, tickPlanFile } from './tick-boxes.ts';

export interface RunParts {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly path: PlanPath;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Who interrupts. */
  readonly user: string;
  /** How attempts call Signalbox. */
  readonly command: { readonly node: string; readonly launcher: string };
}

export async function runPlan(parts: RunParts, options: RunOptions): Promise<RunReport> {
  const { store, path, workspace } = parts;
  if (options.tick) refuseTick(path);
  const refresh = new Refresh(parts, options);
  const run = runId(`r${randomBytes(4).toString('hex')}`);
  const toldHere = new EventsToldHere(run, parts.env[succeedsVariable] !== undefined);
  const unsubscribe = store.subscribe((events) => {
    const own = events.filter((event) => event.plan === path);
    const told = toldHere.of(own, refresh.hasSuccessor);
    if (told.length > 0) options.onEvents?.(told);
    if (options.refresh) refresh.heard(own);
  });
  try {
    const host = await begin(parts, options, run);
    const stopRenewing = keepLease(run, workspace.journalsFolder);
    const { loop, close } = openLoop(parts, { host, plan: path, run });
    const interrupted = new AbortController();
    options.onInterruptible?.((mode, exitCode) => {
      interrupted.abort();
      loop.stop(mode, exitCode, parts.user);
    });
    try {
      // What is left over costs only space.
      await forgetStale(workspace, store).catch(() => undefined);
      installCommand(workspace.commandFolder, parts.command);
      makeOutputsFolder(workspace);
      const environment = baseEnvironment(parts.env);
      await takeBaseline({ workspace, store, plan: path, environment, signal: interrupted.signal });
      const ended = await loop.run();
      if (ended.run !== run) throw handedOver(path, ended);
      refresh.callOff();
      await store.snapshot({ atEnd: true });
      if (options.tick) await tick(parts, options);
      return await store.read((state) => report(state, ended, parts));
    } finally {
      stopRenewing();
      await close();
    }
  } finally {
    unsubscribe();
  }
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
  // An unchanged plan is not read again: at 100,000 tasks that is most of the start.
  const isKnown = await store.read((state) => {
    const known = state.plans.get(path);
    return known?.revision === file.revision && linksAreSame(known.plan, workspace.root);
  });
  const parsed = isKnown
    ? null
    : await validPlan(workspace, file, ({ diagnostics, assumedOrder }) => {
        for (const { message, line } of diagnostics) options.onNotice?.(`${path}:${line}: ${message}`, 'warning');
        const isSaid = diagnostics.some(({ code }) => code === 'assumed-order');
        if (assumedOrder && !isSaid)
          options.onNotice?.(`order: ${assumedOrder} (assumed; "order:" in the plan says it)`, 'remark');
      });
  if (parsed) refuseUnsupported(workspace, parsed);
  const programPath = baseEnvironment(parts.env).PATH ?? '';
  let takes: readonly string[] = [];
  await store.transact((tx) => {
    const known = tx.state.plans.get(path);
    const { [succeedsVariable]: succeeds } = parts.env;
    if (succeeds !== undefined && (known?.run?.run !== succeeds || known.run.ended)) {
      throw new Refusal(8, `the run ${succeeds} has ended`, { instead: 'nothing is left to take over' });
    }
    const takesOver = options.takeOver && known?.run && runnerIsAlive(known.run, workspace.journalsFolder);
    if (takesOver) {
      tx.record({ type: 'run-handed-over', v: 1, plan: path, run: known!.run!.run, to: run, by: parts.user });
    } else {
      refuseSecondRun(known, workspace);
      buryDeadRun(tx, known);
    }
    if (parsed && known && known.live > 0 && known.revision !== file.revision) {
      options.onNotice?.(
        `${path} was edited while its attempts are running: this run goes on with the old text, the next takes the new`,
        'warning',
      );
    } else if (parsed) {
      const load = loadRevision(known, parsed, file.revision);
      if (load && known) takes = revisionWords(known, parsed);
      if (load) tx.record(load);
      if (!known) takes = importInto(tx, workspace, path);
    }
    const plan = tx.state.plans.get(path)!;
    refuseUnsupported(workspace, plan.plan);
    const choice = chooseTasks(plan, options);
    refuseWithoutAgent(workspace, plan, programPath, {
      selected: choice?.selected ?? null,
      onFailure: options.onFailure ?? null,
    });
    const limits = limitsFor(plan.plan, workspace.settings, options.maxParallel);
    const selection = choice ? { selection: choice.selection } : {};
    const rules = { ...deadlockRules(workspace, options), ...failureRules(workspace, options) };
    const over = takesOver ? ({ takesOver: true } as const) : {};
    tx.record({ type: 'run-started', v: 1, plan: path, run, runner, limits, ...selection, ...over, ...rules });
    for (const event of tryAgain(plan, choice?.selected ?? null)) tx.record(event);
    for (let more = askAgain(tx.state, plan, tx.now); more; more = askAgain(tx.state, plan, tx.now, more.next)) {
      for (const event of more.events) tx.record(event);
    }
  });
  for (const text of takes) options.onNotice?.(text, 'warning');
  return runner.host;
}

/** Absent when neither the settings nor the run say anything: the defaults hold. */
function deadlockRules({ settings }: Workspace, { detectDeadlocks }: RunOptions) {
  const rules = { ...defaultDeadlock, ...settings.deadlock, ...(detectDeadlocks === false ? { detect: false } : {}) };
  return settings.deadlock === undefined && detectDeadlocks !== false ? {} : { deadlock: rules };
}

function failureRules({ settings }: Workspace, { onFailure, decideWithinMs }: RunOptions) {
  const { escalationAgent, livelock } = settings;
  return {
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(escalationAgent === undefined ? {} : { escalationAgent }),
    ...(livelock === undefined ? {} : { livelock: { ...defaultLivelock, ...livelock } }),
    ...(decideWithinMs === undefined ? {} : { decideWithinMs }),
  };
}

function refuseSecondRun(known: PlanState | undefined, workspace: Workspace): void {
  if (!known?.run || !runnerIsAlive(known.run, workspace.journalsFolder)) return;
  const since = new Date(known.run.startedAt).toTimeString().slice(0, 8);
  throw new Refusal(8, `${known.path} is already being run by process ${known.run.runner.pid} since ${since}`, {
    instead: 'watch it: signalbox events --follow; see where it is: signalbox status',
  });
}

/** Not a mistake: somebody asked for it. The plan is being run, only not by this process. */
function handedOver(path: PlanPath, { runner }: RunState): Refusal {
  return new Refusal(8, `${path} was taken over by process ${runner.pid}, which goes on with it`, {
    instead: 'watch it: signalbox events --follow; see where it is: signalbox status',
  });
}

/** A runner that died could not say so itself. Its attempts are taken over by the loop. */
function buryDeadRun(tx: Transaction, known: PlanState | undefined): void {
  if (!known?.run || known.run.ended) return;
  const { run } = known.run;
  tx.record({
    type: 'run-ended',
    v: 1,
    plan: known.path,
    run,
    outcome: 'aborted',
    exitCode: 137,
    summary: summaryOf(known),
  });
}

function openLoop({ workspace, store, env }: RunParts, me: Me) {
  const { machine, close } = openThisMachine({
    ground: workspace,
    store,
    environment: baseEnvironment(env),
    observe: (observation) => loop.observe(observation),
    onLooping: (token, call, times) => loop.loops(token, call, times),
  });
  const loop = new RunLoop({ store, me, machine });
  return { loop, close };
}

/** What was done by hand has left none. */
const logOf = (file: string): string | null => (existsSync(file) ? file : null);

/** Reading the end of 100,000 files would take longer than the run. */
const mostTails = 20;

function report(state: State, run: RunState, { workspace, store, path }: RunParts): RunReport {
  const plan = state.plans.get(path)!;
  const ended = run.ended!;
  const folder = attemptsFolderOf(workspace, store);
  const failed: RunReport['failed'][number][] = [];
  const skipped: string[] = [];
  plan.plan.tasks.forEach(({ id, group, optional }, i) => {
    const task = plan.tasks[i]!;
    if (group) return;
    if (task.status === 'skipped') skipped.push(id);
    if (task.status !== 'failed') return;
    const attempt = attemptId(id, task.attempts);
    const file = task.token === 0 ? null : logOf(outputFile(folder, { token: task.token, attempt }));
    failed.push({
      task: id,
      failure: task.failure!,
      optional: optional ?? false,
      log: file && relative(workspace.root, file),
      tail: file !== null && failed.length < mostTails ? tailLines(file, { lines: 5, maxBytes: 2_000 }) : [],
    });
  });
  return {
    plan: path,
    run: run.run,
    seq: state.seq,
    at: ended.at,
    outcome: ended.outcome,
    exitCode: ended.exitCode,
    summary: ended.summary,
    blocked:
      ended.outcome === 'complete' || ended.outcome === 'failed'
        ? []
        : blockedTasks(plan, run.selection && selectLeaves(plan, run.selection)),
    failed,
    skipped,
    decisions: [...plan.decisions.values()],
    durationMs: ended.at - run.startedAt,
  };
}

/** Puts the `signalbox` command where attempts find it: a two-line script, written only when it is not the right one already. */
function installCommand(folder: string, command: { readonly node: string; readonly launcher: string }): void {
  const file = join(folder, 'signalbox');
  const text = `#!/bin/sh\nexec ${quoted(command.node)} ${quoted(command.launcher)} "$@"\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Replaced in one step: an attempt may be about to run it.
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o755 });
  renameSync(fresh, file);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
