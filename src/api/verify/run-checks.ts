// Runs checks outside of any run: to see how they stand before a plan begins, and to verify again what is completed. Each gets the
// time that it has in a run and a log of its own; nothing is recorded.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { shellArguments } from '../../agents/kinds/shell.ts';
import { outputFile } from '../../agents/process/attempt-files.ts';
import type { Observation, StartOrder } from '../../agents/process/attempt-host.ts';
import { pathWith } from '../../agents/process/base-environment.ts';
import { openWorkerPool } from '../../agents/process/worker-pool.ts';
import { killGraceMs } from '../../core/model/defaults.ts';
import type { AttemptEnd } from '../../core/model/failure.ts';
import { attemptId, type PlanPath, runId, taskId } from '../../core/model/ids.ts';
import { privateFolder } from '../../files/disk/private-files.ts';
import { toldState } from '../trust/user-folder.ts';
import type { Workspace } from '../workspace.ts';
import type { DistinctCheck } from './distinct-checks.ts';

export interface CheckRun extends DistinctCheck {
  readonly result: 'passed' | 'failed' | 'timed-out' | 'interrupted';
  /** Null: it did not end by itself. */
  readonly code: number | null;
  /** As a path in the workspace. */
  readonly log: string;
  readonly durationMs: number;
}

export interface CheckParts {
  readonly workspace: Workspace;
  /** Where they run; absent: in the workspace itself. */
  readonly folder?: string;
  /** Of the command `signalbox`; in front of the PATH. */
  readonly commandFolder: string;
  readonly plan: PlanPath;
  /** What commands get of ours. */
  readonly environment: Readonly<Record<string, string>>;
  readonly parallel?: number;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  readonly onEnd?: (run: CheckRun) => void;
}

const usualLimitMs = 600_000;
/** Logs of earlier ones that are kept. */
const mostKept = 9;

/** In the order of the checks. Those that were not begun when it was interrupted are left out. */
export async function runChecks(checks: readonly DistinctCheck[], parts: CheckParts): Promise<CheckRun[]> {
  const { workspace, environment, parallel = 1, signal, onEnd } = parts;
  const id = `${new Date()
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 14)}-${randomBytes(4).toString('hex')}`;
  const folder = folderFor(workspace, id);
  const endings = new Map<number, (end: AttemptEnd) => void>();
  const pool = openWorkerPool({
    // Never the id of the workspace: these tokens are no attempts and must not look like some.
    workspace: `verify-${id}`,
    folder,
    environment: { ...environment },
    onObservation: (observation: Observation) => {
      if (observation.kind === 'ended') endings.get(observation.token)?.(observation.end);
    },
  });
  const stop = () => {
    for (const token of endings.keys()) pool.stop(token, killGraceMs);
  };
  signal?.addEventListener('abort', stop);
  const runs: (CheckRun | undefined)[] = [];
  let next = 0;
  const worker = async () => {
    while (next < checks.length && !signal?.aborted) {
      const at = next++;
      const run = await one(checks[at]!, at + 1);
      runs[at] = run;
      onEnd?.(run);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(parallel, checks.length)) }, worker));
  } finally {
    signal?.removeEventListener('abort', stop);
    await pool.close();
  }
  return runs.filter((run) => run !== undefined);

  async function one(check: DistinctCheck, token: number): Promise<CheckRun> {
    const order = orderOf(parts, check, { token, run: runId(id), folder });
    const begin = performance.now();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      pool.stop(token, killGraceMs);
    }, parts.limitMs ?? usualLimitMs);
    const end = await new Promise<AttemptEnd>((ended) => {
      endings.set(token, ended);
      pool.start(order);
    });
    clearTimeout(timer);
    endings.delete(token);
    const code = end.kind === 'exited' ? end.code : null;
    const isInterrupted = code === null && signal?.aborted === true && !isLate;
    const result =
      code === 0 ? 'passed' : isInterrupted ? 'interrupted' : isLate && code === null ? 'timed-out' : 'failed';
    const log = relative(workspace.root, order.outputFile);
    return { ...check, result, code, log, durationMs: Math.round(performance.now() - begin) };
  }
}

function folderFor({ stateFolder }: Workspace, id: string): string {
  const all = privateFolder(stateFolder, 'verify');
  // As the store does, which may not be there yet.
  const ignored = join(stateFolder, '.gitignore');
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n', { flag: 'wx', mode: 0o600 });
  const old = readdirSync(all).filter((name) => /^\d{14}-[0-9a-f]{8}$/.test(name));
  for (const name of old.sort().slice(0, -mostKept)) rmSync(join(all, name), { recursive: true, force: true });
  return privateFolder(all, id);
}

function orderOf(
  { workspace, folder: tree = workspace.root, commandFolder, plan, environment }: CheckParts,
  { command, env, tasks }: DistinctCheck,
  { token, run, folder }: { readonly token: number; readonly run: StartOrder['run']; readonly folder: string },
): StartOrder {
  const attempt = attemptId(taskId('check'), token);
  return {
    token,
    run,
    attempt,
    argv: shellArguments(command),
    cwd: tree,
    env: {
      ...env,
      PATH: pathWith(commandFolder, env.PATH ?? environment.PATH),
      ...toldState(workspace.userFolder),
      SIGNALBOX_WORKSPACE: workspace.root,
      SIGNALBOX_TREE: tree,
      SIGNALBOX_PLAN: plan,
      SIGNALBOX_TASK: tasks[0] ?? '',
    },
    outputFile: outputFile(folder, { token, attempt }),
  };
}
