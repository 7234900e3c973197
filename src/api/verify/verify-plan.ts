// Runs every check of the completed tasks once more, and reports which are green. Records nothing.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { tailLines } from '../../agents/process/output-tail.ts';
import type { PlanState } from '../../core/state/state.ts';
import { integrationTree, rootIn } from '../../runner/trees/tree-places.ts';
import type { VerifiedCheck, VerifyReport } from '../reports/verify.ts';
import type { VerifyOptions } from '../signalbox.ts';
import { installCommand, type OwnCommand } from '../trust/own-command.ts';
import type { Workspace } from '../workspace.ts';
import { type DistinctCheck, distinctChecks } from './distinct-checks.ts';
import { type CheckRun, runChecks } from './run-checks.ts';

export interface VerifyParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How checks call Signalbox. */
  readonly command: OwnCommand;
}

export interface ToVerify {
  readonly plan: PlanState['path'];
  readonly checks: readonly DistinctCheck[];
  /** Where the results of its last run are seen; null: in the workspace. */
  readonly results: string | null;
}

/** Taken while the state can be looked at. */
export function toVerify(plan: PlanState): ToVerify {
  const checks = distinctChecks(plan, (i) => plan.tasks[i]!.status === 'completed');
  const isolation = plan.run?.isolation ?? null;
  return { plan: plan.path, checks, results: isolation && rootIn(isolation, integrationTree(isolation)) };
}

export async function verifyPlan(
  { workspace, env, command }: VerifyParts,
  { plan, checks, results }: ToVerify,
  { parallel, signal, onCheck }: VerifyOptions,
): Promise<VerifyReport> {
  if (checks.length === 0) return { plan, ok: true, total: 0, passed: 0, checks: [] };
  const runs = await runChecks(checks, {
    workspace,
    // Somebody may have cleaned up: what was landed is in the workspace.
    ...(results !== null && existsSync(results) ? { folder: results } : {}),
    commandFolder: installCommand(workspace.userFolder, command),
    plan,
    environment: baseEnvironment(env),
    ...(parallel === undefined ? {} : { parallel }),
    ...(signal === undefined ? {} : { signal }),
    onEnd: (run) => onCheck?.(reportOf(workspace, run)),
  });
  const reports = runs.map((run) => reportOf(workspace, run));
  const passed = reports.filter(({ result }) => result === 'passed').length;
  return { plan, ok: passed === checks.length, total: checks.length, passed, checks: reports };
}

function reportOf({ root }: Workspace, { command, tasks, result, code, log, durationMs }: CheckRun): VerifiedCheck {
  const tail = result === 'passed' ? [] : tailLines(join(root, log), { lines: 5, maxBytes: 2_000 });
  return { command, tasks, result, code, durationMs, log, tail };
}
