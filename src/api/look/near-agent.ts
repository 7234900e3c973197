// "Did you mean" for an agent that the settings do not have.
import { builtIn } from '../../agents/kind.ts';
import type { Settings } from '../../core/model/settings.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';

export const agentNames = (settings: Pick<Settings, 'agents'>): string[] => [
  ...new Set([...Object.keys(settings.agents), ...builtIn]),
];

export const nearAgent = (settings: Pick<Settings, 'agents'>, name: string): string | undefined =>
  nearest(name, agentNames(settings));
