// What `check` says of a plan: its mistakes, and what a run here would refuse.
import { limitsFor } from '../../core/model/defaults.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import { agentsApproval } from '../approval/approve-plan.ts';
import type { CheckReport } from '../reports/plan-files.ts';
import { type AgentsOf, agentWarnings, wantedOf } from '../run/agents-of-run.ts';
import { freshPlan } from '../run/imagine-plan.ts';
import { groundNotes } from '../run/isolation/isolate-run.ts';
import { hindrancesOf, unsupportedIn } from '../run/ready-to-run.ts';
import type { Workspace } from '../workspace.ts';
import { checkPlan, withSettings } from './plan-file.ts';
import { promptTemplate } from './prompt-template.ts';

export async function checkReport(
  workspace: Workspace,
  path: PlanPath,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckReport> {
  const { plan: read, diagnostics, assumedOrder } = await checkPlan(workspace, path);
  promptTemplate(workspace);
  const fresh = read && freshPlan(withSettings(read, workspace.settings));
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
    unsupported: read ? unsupportedIn(workspace, read) : [],
    hindrances: fresh ? hindrancesOf(workspace, fresh, { selected: null, onFailure: null, env }) : [],
    notes: fresh ? await notesOf(fresh, { workspace, env }) : [],
    ...(read ? await agentsApproval(workspace, path) : {}),
  };
}

async function notesOf(plan: PlanState, here: AgentsOf): Promise<string[]> {
  const limits = limitsFor(plan.plan, here.workspace.settings);
  const agents = await agentWarnings(wantedOf(here.workspace, { plan, selected: null, limits }), here);
  return [...(await groundNotes(here, plan.plan)), ...agents];
}
