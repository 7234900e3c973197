// `run --dry-run`: the plan as a run would find it, and where attempts would work. Nothing is made.
import { limitsFor } from '../../core/model/defaults.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { agentsApproval } from '../approval/approve-plan.ts';
import type { Seen } from '../look/state-view.ts';
import type { DryRunReport } from '../reports/run.ts';
import { agentWarnings, wantedOf } from '../run/agents-of-run.ts';
import { imaginePlan } from '../run/imagine-plan.ts';
import { imagineIsolation } from '../run/isolation/isolate-run.ts';
import type { IsolationOptions, SelectOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { dryRunReport } from './dry-run-report.ts';

interface Here {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly seen: Seen;
}

export async function imagineRun(
  { workspace, env, seen }: Here,
  path: PlanPath,
  options: SelectOptions & IsolationOptions,
): Promise<DryRunReport> {
  const found = await imaginePlan(workspace, seen, path, { ...options, env });
  const about = { plan: found.plan.plan, selected: found.selected };
  const store = seen.uncompared === 'foreign' ? null : seen.store;
  const isolation = await imagineIsolation({ workspace, env, store }, about, options);
  const limits = limitsFor(found.plan.plan, workspace.settings, options);
  const { plan, selected } = found;
  const notes = await agentWarnings(wantedOf(workspace, { plan, selected, limits }), { workspace, env });
  return { ...dryRunReport(found, limits, isolation), notes, ...(await agentsApproval(workspace, path)) };
}
