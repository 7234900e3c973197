// Which coding agents `init` finds. They are looked for on the PATH and not started: asking for versions takes seconds.
import { agentNamed, kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { codingAgents } from '../../core/model/coding-agents.ts';
import type { Settings } from '../../core/model/settings.ts';
import type { Workspace } from '../workspace.ts';
import type { AgentsFound } from './first-texts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The agent of existing settings is chosen first, if it is a coding agent and can be started. */
export function installedAgents({ root, settings }: Workspace, env: Environment): AgentsFound {
  const found = codingAgents.filter((name) => isUsable(name, settings, root, env));
  const own = settings.defaults.agent;
  const chosen = own !== undefined && isUsable(own, settings, root, env) ? own : (found[0] ?? null);
  return { lookedFor: codingAgents, found, chosen };
}

function isUsable(name: string, settings: Settings, root: string, env: Environment): boolean {
  const agent = agentNamed(settings, name);
  const kind = agent && kindOf(agent);
  if (!kind?.known || kind.known.unusable?.(agent!, env)) return false;
  const program = kind.program(agent!, root);
  const path = agent!.env.PATH ?? baseEnvironment(env).PATH ?? '';
  return program !== null && findProgram(program, path, root) !== null;
}
