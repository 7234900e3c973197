// For tests of the command line: a Signalbox in which an agent has written a plan.

import type { DecisionDoor } from '../../src/api/decisions/decision-door.ts';
import type { ApprovalReport, PlanReport } from '../../src/api/reports/plan-files.ts';
import type { DryRunReport } from '../../src/api/reports/run.ts';
import type { Signalbox } from '../../src/api/signalbox.ts';
import { aStatus } from './cli-rig.ts';

export const anApproval = (plan: string, more: Partial<ApprovalReport> = {}): ApprovalReport => ({
  ...{ plan, standing: 'own', agent: null, approved: null, digest: 'x', commands: [] },
  ...more,
});

export const aPlanReport = (plan: string, more: Partial<PlanReport> = {}): PlanReport => ({
  ...{ outcome: 'written', plan, failure: null, said: [], until: null, agent: 'claude', rounds: 1, costUsd: 0.1 },
  ...{ tasks: 1, diagnostics: [], hindrances: [], commands: [], approved: false, notes: [] },
  ...more,
});

const aDryRun = (plan: string): DryRunReport => ({
  ...{ plan, order: 'explicit', limits: { plan: 1, pools: {} }, estimate: null, hindrances: [], notes: [], waves: [] },
  criticalPath: { tasks: [], estimateMs: null },
  summary: aStatus([]).summary,
  isolation: { kind: 'shared', because: 'x', branch: null, notes: [] },
});

const noDecisions: Partial<DecisionDoor> = {
  list: async () => ({ plan: 'x', decisions: [] }),
  found: async () => null,
};

export const planningBox = (
  plan: string,
  { approval = anApproval(plan), report = aPlanReport(plan) } = {},
): Partial<Signalbox> => ({
  decisions: async () => noDecisions as DecisionDoor,
  dryRun: async () => aDryRun(plan),
  planning: async () => ({
    write: async () => report,
    approval: async () => approval,
    approve: async () => approval,
  }),
});
