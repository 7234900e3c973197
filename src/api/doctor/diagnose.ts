// `doctor`: looks once at everything a run depends on and does not control, and names the way out of each trouble. Creates no state.
import type { StoreDoor } from '../open-store.ts';
import type { DoctorReport } from '../reports/health.ts';
import type { DoctorOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { agentsUsed, unknownAgents } from './agents-used.ts';
import { checkAgents } from './check-agents.ts';
import { checkGround } from './check-ground.ts';
import { checkPrograms } from './check-programs.ts';
import { checkRepository } from './check-repository.ts';
import { checkState } from './check-state.ts';
import { checkTrees } from './check-trees.ts';

export interface Patient {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Pick<StoreDoor, 'open' | 'record'>;
}

export async function diagnose(
  { workspace, cwd, env, store }: Patient,
  { fix, versions = false }: DoctorOptions,
): Promise<DoctorReport> {
  const checks = [
    ...(await checkGround(workspace)),
    ...(await checkPrograms(workspace, env)),
    ...(await checkRepository(workspace, env)),
    ...(await checkAgents({ workspace, env, asksAll: versions }, await agentsUsed(workspace, store))),
    ...unknownAgents(workspace),
    ...(await checkState({ workspace, cwd, fix, env, store })),
    ...(await checkTrees(workspace, store)),
  ];
  return { root: workspace.root, ok: checks.every(({ status }) => status !== 'broken'), checks };
}
