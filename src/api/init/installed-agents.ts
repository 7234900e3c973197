// Which coding agents `init` finds. They are looked for on the PATH and not started: asking for versions takes seconds.
import { agentNamed, builtIn, kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import type { Settings } from '../../core/model/settings.ts';
import type { Workspace } from '../workspace.ts';
import type { AgentsFound } from './first-texts.ts';

/** The first one that is installed performs the first plan; those that are not named here come after these. */
const inOrder = ['claude', 'codex', 'opencode', 'gemini'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The agent of existing settings is chosen first, if it is a coding agent and can be started. */
export function installedAgents({ root, settings }: Workspace, env: Environment): AgentsFound {
  const lookedFor = [...new Set([...inOrder, ...builtIn])];
  const found = lookedFor.filter((name) => isUsable(name, settings, root, env));
  const own = settings.defaults.agent;
  const chosen = own !== undefined && isUsable(own, settings, root, env) ? own : (found[0] ?? null);
  return { lookedFor, found, chosen };
}

function isUsable(name: string, settings: Settings, root: string, env: Environment): boolean {
  const agent = agentNamed(settings, name);
  const kind = agent && kindOf(agent);
  if (!kind?.known || kind.known.unusable?.(agent!, env)) return false;
  const program = kind.program(agent!, root);
  const path = agent!.env.PATH ?? baseEnvironment(env).PATH ?? '';
  return program !== null && findProgram(program, path, root) !== null;
}
