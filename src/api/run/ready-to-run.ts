// What must be true before a plan is run: it has nothing that this version would ignore, and every task of the run has a
// program that can perform it.
import { kindOf } from '../../agents/kind.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import type { OnFailure } from '../../core/model/decision.ts';
import type { Plan } from '../../core/model/plan.ts';
import { isTriedAgain } from '../../core/rules/try-again.ts';
import type { PlanState } from '../../core/state/state.ts';
import { type UnsupportedKey, unsupportedKeys } from '../../plan/check/unsupported.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

export const unsupportedIn = ({ settings }: Workspace, plan: Plan): UnsupportedKey[] =>
  unsupportedKeys(plan, settings, (agent) => kindOf(agent) !== null);

export function refuseUnsupported(workspace: Workspace, plan: Plan): void {
  const unsupported = unsupportedIn(workspace, plan);
  if (unsupported.length === 0) return;
  const lines = unsupported.slice(0, 10).map(({ key, task, line }) => {
    const place = task === undefined ? '' : ` of ${task}`;
    return `${key}${place} (line ${line})`;
  });
  const more = unsupported.length > lines.length ? ` and ${unsupported.length - lines.length} more` : '';
  throw new Refusal(3, `${plan.path} uses what this version does not support yet: ${lines.join(', ')}${more}`, {
    instead: 'remove these keys, or wait for the version that supports them; nothing was run',
  });
}

export interface RunAbout {
  /** By task, what the run is about; null: everything. */
  readonly selected: Uint8Array | null;
  /** Said for this run, over what tasks say. */
  readonly onFailure: OnFailure | null;
}

/** Reviewers and agents for escalation too: a run must not find out at its end that one is missing. */
export function refuseWithoutAgent(
  workspace: Workspace,
  plan: PlanState,
  path: string,
  { selected, onFailure }: RunAbout,
): void {
  const { reviewAgent, escalationAgent } = workspace.settings;
  const agents = new KnownAgents(workspace, path);
  plan.plan.tasks.forEach((task, i) => {
    const { run, agent, review, onFailure: own } = task.keys;
    if (task.group || selected?.[i] === 0 || !isToPerform(plan, i, onFailure ?? own)) return;
    const place = `${task.id} (${plan.path}:${task.line})`;
    if (review === 'agent') agents.need(reviewAgent, { place, role: 'review', key: 'review-agent' });
    if ((onFailure ?? own) === 'escalate')
      agents.need(escalationAgent, { place, role: 'escalation', key: 'escalation-agent' });
    if (run !== undefined) return;
    if (agent === undefined) {
      throw new Refusal(7, `${place} has neither run: nor an agent`, {
        instead: 'give it a command with "run:", or name an agent from signalbox.yaml with "agent:"',
      });
    }
    agents.need(agent, { place });
  });
}

/** By the run, and not by a person; what was suspended or failed for good waits for one. */
function isToPerform(plan: PlanState, i: number, policy: OnFailure | undefined): boolean {
  const { status, hand } = plan.tasks[i]!;
  if (status === 'failed') return policy === 'retry' || policy === 'escalate' || isTriedAgain(plan, i);
  return hand === null && (status === 'pending' || status === 'in_progress');
}

interface Need {
  readonly place: string;
  /** What for, if not for performing the task, and the key of the settings that names who does it. */
  readonly role?: string;
  readonly key?: string;
}

class KnownAgents {
  readonly #settings: Workspace['settings'];
  readonly #path: string;
  /** Many tasks name the same few. */
  readonly #good = new Set<string>();

  constructor({ settings }: Workspace, path: string) {
    this.#settings = settings;
    this.#path = path;
  }

  need(name: string | undefined, { place, role, key }: Need): void {
    if (name !== undefined && this.#good.has(name)) return;
    const { agents } = this.#settings;
    if (name === undefined) {
      throw new Refusal(7, `${place} wants ${role} by an agent, and signalbox.yaml names none`, {
        instead: `name one of its agents there with "${key}:"`,
      });
    }
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
    const wants = role === undefined ? 'wants the agent' : `wants ${role} by the agent`;
    if (!agent) {
      throw new Refusal(7, `${place} ${wants} ${name}, which signalbox.yaml does not have`, {
        instead: `add it there, for example: agents: { ${name}: { kind: command, command: [program, "{promptFile}"] } }`,
      });
    }
    const kind = kindOf(agent);
    if (kind === null) {
      throw new Refusal(7, `${place} ${wants} ${name}, whose kind is not supported yet`, {
        instead: 'give it "kind: command"',
      });
    }
    const program = kind.program(agent);
    if (findProgram(program, this.#path) === null) {
      throw new Refusal(7, `the program ${program} of the agent ${name} is not on the PATH`, {
        instead: 'install it, or give its full path in signalbox.yaml',
      });
    }
    this.#good.add(name);
  }
}
