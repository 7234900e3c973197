// The agents that somebody here may want: those of the settings, and those that the plans known here name for work that is left.
import { agentNamed } from '../../agents/kind.ts';
import type { AgentSettings } from '../../core/model/settings.ts';
import { agentOf } from '../../core/rules/quota.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { agentNames, nearAgent } from '../look/near-agent.ts';
import { viewFile } from '../look/view-file.ts';
import { currentPlan } from '../look/which-plan.ts';
import type { StoreDoor } from '../open-store.ts';
import type { DoctorCheck } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';

export interface UsedAgent {
  readonly name: string;
  readonly agent: AgentSettings;
  /** The file that names it, with the line where it is known. */
  readonly where: string;
  /** The settings describe it, and not only a plan wants it. */
  readonly isDescribed: boolean;
}

export async function agentsUsed(workspace: Workspace, store: Pick<StoreDoor, 'open'>): Promise<UsedAgent[]> {
  const { settings } = workspace;
  const used = new Map<string, UsedAgent>();
  const add = (name: string | undefined, where: string, isDescribed = false) => {
    const agent = name === undefined ? null : agentNamed(settings, name);
    if (agent !== null && !used.has(name!)) used.set(name!, { name: name!, agent, where, isDescribed });
  };
  for (const [name, { line }] of Object.entries(settings.agents)) add(name, `signalbox.yaml:${line}`, true);
  for (const name of [settings.defaults.agent, settings.reviewAgent, settings.escalationAgent])
    add(name, 'signalbox.yaml');
  for (const [name, plan] of await agentsOfPlans(workspace, store)) add(name, plan);
  return [...used.values()];
}

/** What the settings name for a role and nobody describes. */
export function unknownAgents({ settings }: Workspace): DoctorCheck[] {
  const roles = [
    ['agent', settings.defaults.agent],
    ['review-agent', settings.reviewAgent],
    ['escalation-agent', settings.escalationAgent],
  ] as const;
  return roles.flatMap(([key, name]): DoctorCheck[] => {
    if (name === undefined || agentNamed(settings, name) !== null) return [];
    const near = nearAgent(settings, name);
    const help =
      near === undefined
        ? `name one of ${agentNames(settings).join(', ')}, or add it to agents:`
        : `did you mean ${near}?`;
    return [
      { id: `agent:${name}`, status: 'broken', message: `${key} in signalbox.yaml: there is no agent ${name}`, help },
    ];
  });
}

/** By name, with the first plan that wants it. A store that cannot be read is told about elsewhere. */
async function agentsOfPlans(workspace: Workspace, door: Pick<StoreDoor, 'open'>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const store = await door.open(false).catch(() => null);
  const known = await store?.read((state) => noteAll(state, found));
  const current = currentPlan(workspace);
  if (current === null || known?.has(current)) return found;
  // A plan with mistakes names nothing for sure.
  const seen = await viewFile(workspace, current).catch(() => null);
  if (seen) noteAll(seen.state, found);
  return found;
}

function noteAll(state: State, found: Map<string, string>): ReadonlySet<string> {
  for (const plan of state.plans.values()) note(plan, found);
  return new Set(state.plans.keys());
}

function note(plan: PlanState, found: Map<string, string>): void {
  plan.plan.tasks.forEach(({ group }, i) => {
    const { status } = plan.tasks[i]!;
    const name = agentOf(plan, i);
    const isLeft = status === 'pending' || status === 'in_progress';
    if (!group && isLeft && name !== undefined && !found.has(name)) found.set(name, plan.path);
  });
}
