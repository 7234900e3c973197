// Whose limits an agent runs into: its kind, and the credential that it uses. The credential itself is never recorded.
import { createHash } from 'node:crypto';
import type { AgentSettings, Settings } from '../core/model/settings.ts';
import { agentNamed, kindOf } from './kind.ts';

/** By the name of each agent that is a coding agent; what else is called by that name has no account. */
export function accountsOf(
  names: Iterable<string>,
  settings: Settings,
  personal: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const accounts: Record<string, string> = {};
  for (const name of names) {
    const agent = agentNamed(settings, name);
    const account = agent && accountOf(agent, personal);
    if (account) accounts[name] = account;
  }
  return accounts;
}

function accountOf(agent: AgentSettings, personal: Readonly<Record<string, string | undefined>>): string | null {
  const known = kindOf(agent)?.known;
  if (!known) return null;
  const keys = known.variables.filter((name) => /(?:_KEY|_TOKEN)$/.test(name));
  const values = keys.flatMap((name) => agent.env[name] ?? personal[name] ?? []);
  if (values.length > 0) return `${agent.kind} ${shortHash(values.join('\n'))}`;
  const { loginFolder = '' } = known;
  const folder = agent.env[loginFolder];
  const isOther = folder !== undefined && folder !== personal[loginFolder];
  return `${agent.kind} ${isOther ? `${shortHash(folder)} ` : ''}login`;
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
