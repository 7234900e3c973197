// Which agent writes a plan, and which ones the tasks of the plan can have.
import { builtIn } from '../../agents/kind.ts';
import { Refusal } from '../refusal.ts';
import { agentHindrance } from '../run/ready-to-run.ts';
import type { Workspace } from '../workspace.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The agent that was named, else the one in the settings, else the first installed one. */
export function planningAgent(workspace: Workspace, env: Environment, named: string | undefined): string {
  const name = named ?? workspace.settings.defaults.agent ?? usableAgents(workspace, env)[0];
  if (name === undefined)
    throw new Refusal(7, 'there is no agent to write the plan: signalbox.yaml names none, and none is installed', {
      instead: `install one (npm install --global @anthropic-ai/claude-code), or describe yours in signalbox.yaml; Signalbox knows ${builtIn.join(', ')}`,
    });
  const hindrance = agentHindrance(workspace, name, env);
  if (hindrance) throw new Refusal(7, hindrance.message, { instead: hindrance.help });
  return name;
}

/** Those of the settings first. */
export function usableAgents(workspace: Workspace, env: Environment): string[] {
  const names = new Set([...Object.keys(workspace.settings.agents), ...builtIn]);
  return [...names].filter((name) => agentHindrance(workspace, name, env) === null);
}
