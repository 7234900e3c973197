// Keys that are read and checked, but whose capability this version does not have. A run refuses them by name: a check that
// silently never runs is worse than none.
import type { TaskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { AgentSettings, Settings } from '../../core/model/settings.ts';

type CanRun = (agent: AgentSettings) => boolean;

export interface UnsupportedKey {
  readonly key: string;
  readonly task?: TaskId;
  readonly line: number;
}

/**
 * What many tasks inherit from one place is named once, for the first of them.
 * @param canRun whether this version can run agents of that kind.
 */
export function unsupportedKeys(plan: Plan, settings: Settings, canRun: CanRun): UnsupportedKey[] {
  const found: UnsupportedKey[] = settings.unsupported.map(({ key, line }) => ({ key, line }));
  const seen = new Set<Task['keys']>();
  for (const task of plan.tasks) {
    if (seen.has(task.keys)) continue;
    seen.add(task.keys);
    if (usesMissingKind(task, settings, canRun)) found.push({ key: 'agent', task: task.id, line: task.line });
  }
  return found;
}

/** An agent that this version cannot drive; `run:` goes before any agent. */
function usesMissingKind({ group, keys }: Task, settings: Settings, canRun: CanRun): boolean {
  if (group || keys.run !== undefined || keys.agent === undefined) return false;
  const agent = Object.hasOwn(settings.agents, keys.agent) ? settings.agents[keys.agent] : undefined;
  return agent !== undefined && !canRun(agent);
}
