// Who performs an attempt, a check or a review: a command of the plan in a shell, or an agent of the settings.
import type { Task } from '../core/model/plan.ts';
import type { AgentSettings, Settings } from '../core/model/settings.ts';
import type { Job } from '../core/state/state.ts';
import { type AgentKind, agentNamed, kindOf } from './kind.ts';
import { shell, shellAgent } from './kinds/shell.ts';

export interface Performer {
  readonly kind: AgentKind;
  readonly agent: AgentSettings;
  /** As the settings call it; empty for a command. */
  readonly name: string;
}

/** Nobody can perform it here; trying again cannot help. */
export interface NoPerformer {
  readonly missing: string;
  readonly message: string;
}

export function performerOf(job: Job, task: Task, settings: Settings): Performer | NoPerformer {
  const { run, agent, check = [] } = task.keys;
  switch (job.kind) {
    case 'check':
      return inShell(check[job.check]!);
    case 'merge':
      return { missing: '', message: 'Signalbox itself performs merges' };
    case 'review':
      return byAgent(settings.reviewAgent ?? '', settings);
    default:
      // Another agent than the plan says stands in for its command too.
      if (job.agent !== undefined) return byAgent(job.agent, settings);
      if (run !== undefined) return inShell(run);
      if (agent !== undefined) return byAgent(agent, settings);
      return { missing: '', message: `task ${task.id} has neither run: nor agent:` };
  }
}

/** What its program writes by itself, and is not its work: see `KnownProgram`. */
export function litterOf(job: Job, task: Task, settings: Settings): (path: string) => boolean {
  const performer = performerOf(job, task, settings);
  return ('kind' in performer && performer.kind.known?.isLitter) || (() => false);
}

/** A program that Signalbox knows, and no command. */
export const isCodingAgent = (performer: Performer | NoPerformer): boolean =>
  'kind' in performer && performer.kind.known !== null;

const inShell = (command: string): Performer => ({ kind: shell, agent: shellAgent(command), name: '' });

function byAgent(name: string, settings: Settings): Performer | NoPerformer {
  const agent = agentNamed(settings, name);
  if (agent === null) return { missing: name, message: `there is no agent ${JSON.stringify(name)} in the settings` };
  const kind = kindOf(agent);
  if (kind !== null) return { kind, agent, name };
  const message = `agent ${JSON.stringify(name)} is of kind ${JSON.stringify(agent.kind)}, which cannot be run yet`;
  return { missing: name, message };
}
