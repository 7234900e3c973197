// What must be true before a plan is run: it has nothing that this version would ignore, and every task of the run has a program that can
// perform it. One list says what is missing: `run` refuses because of it, `check` and `--dry-run` show it.
import { type AgentKind, agentNamed, kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram, isFile } from '../../agents/process/find-program.ts';
import { quoted } from '../../core/model/command-line.ts';
import { countWords } from '../../core/model/count-words.ts';
import type { OnFailure } from '../../core/model/decision.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { AgentSettings } from '../../core/model/settings.ts';
import { isTriedAgain } from '../../core/rules/try-again.ts';
import type { PlanState } from '../../core/state/state.ts';
import { type UnsupportedKey, unsupportedKeys } from '../../plan/check/unsupported.ts';
import { nearAgent } from '../look/near-agent.ts';
import { Refusal } from '../refusal.ts';
import type { RunHindrance } from '../reports/plan-files.ts';
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
  /** Of whoever runs it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function refuseHindered(workspace: Workspace, plan: PlanState, about: RunAbout): void {
  refuseHindrances(hindrancesOf(workspace, plan, about));
}

export function refuseHindrances([first]: readonly RunHindrance[]): void {
  if (first) throw new Refusal(7, first.message, { instead: first.help });
}

/** One for each cause, in the order of the plan. A run must not find out at its end that a reviewer or an agent for escalation is missing. */
export function hindrancesOf(workspace: Workspace, plan: PlanState, about: RunAbout): RunHindrance[] {
  const { reviewAgent, escalationAgent } = workspace.settings;
  const agents = new KnownAgents(workspace, about.env);
  const found = new Map<string, { readonly first: Task; readonly cause: Cause; more: number }>();
  const tell = (task: Task, cause: Cause | null) => {
    if (cause === null) return;
    const known = found.get(cause.message);
    if (known) known.more++;
    else found.set(cause.message, { first: task, cause, more: 0 });
  };
  plan.plan.tasks.forEach((task, i) => {
    const { run, agent, review, onFailure: own } = task.keys;
    const policy = about.onFailure ?? own;
    if (task.group || about.selected?.[i] === 0 || !isToPerform(plan, i, policy)) return;
    if (review === 'agent') tell(task, agents.lacks(reviewAgent, task, reviewing));
    if (policy === 'escalate') tell(task, agents.lacks(escalationAgent, task, escalating));
    if (run === undefined) tell(task, agent === undefined ? nobody : agents.lacks(agent, task));
  });
  return [...found.values()].map(({ first, cause, more }) => {
    const others = more === 0 ? '' : ` (and ${countWords(more, 'more task')})`;
    const place = cause.isWhole ? '' : `${first.id} (${plan.path}:${first.line}) `;
    return {
      task: first.id,
      line: first.line,
      message: `${place}${cause.message}${others}`,
      help: cause.help,
    };
  });
}

/** Why an agent can do nothing here, whatever it is asked for, or not this task; null: it can. */
export function agentHindrance(
  workspace: Workspace,
  name: string,
  env: RunAbout['env'],
  task: Pick<Task, 'keys'> = { keys: {} },
): Omit<Cause, 'isWhole'> | null {
  const cause = new KnownAgents(workspace, env).lacks(name, task);
  return cause && (cause.isWhole ? cause : { ...cause, message: `this ${cause.message}` });
}

/** By the run, and not by a person; what was suspended or failed for good waits for one. */
function isToPerform(plan: PlanState, i: number, policy: OnFailure | undefined): boolean {
  const { status, hand } = plan.tasks[i]!;
  if (status === 'failed') return policy === 'retry' || policy === 'escalate' || isTriedAgain(plan, i);
  return hand === null && (status === 'pending' || status === 'in_progress');
}

interface Cause {
  /** Behind the name of the task, unless it is a whole sentence. */
  readonly message: string;
  readonly isWhole?: true;
  readonly help: string;
}

const nobody: Cause = {
  message: 'has neither run: nor an agent',
  help: 'give it a command with "run:", or name an agent from signalbox.yaml with "agent:"',
};

/** What an agent is wanted for, if not for performing the task, and the key of the settings that names who does it. */
interface Role {
  readonly name: string;
  readonly key: string;
}
const reviewing: Role = { name: 'review', key: 'review-agent' };
const escalating: Role = { name: 'escalation', key: 'escalation-agent' };

class KnownAgents {
  readonly #workspace: Workspace;
  readonly #env: RunAbout['env'];
  readonly #path: string;
  /** Many tasks name the same few. */
  readonly #asked = new Map<string, Cause | null>();

  constructor(workspace: Workspace, env: RunAbout['env']) {
    this.#workspace = workspace;
    this.#env = env;
    this.#path = baseEnvironment(env).PATH ?? '';
  }

  lacks(name: string | undefined, { keys }: Pick<Task, 'keys'>, role?: Role): Cause | null {
    if (name === undefined) {
      const help = `name one of its agents there with "${role!.key}:"`;
      return { message: `wants ${role!.name} by an agent, and signalbox.yaml names none`, help };
    }
    // A reviewer does not get what the task sets.
    const own = role === undefined ? (keys.env ?? {}) : {};
    const asked = JSON.stringify([name, role?.name, own]);
    if (!this.#asked.has(asked)) this.#asked.set(asked, this.#lacksAgent(name, role, own));
    return this.#asked.get(asked)!;
  }

  #lacksAgent(name: string, role: Role | undefined, own: Readonly<Record<string, string>>): Cause | null {
    const { settings } = this.#workspace;
    const agent = agentNamed(settings, name);
    const wants = `wants ${role === undefined ? '' : `${role.name} by `}the agent ${name}`;
    if (!agent) {
      const near = nearAgent(settings, name);
      const example = `agents: { ${name}: { kind: command, command: [program, "{promptFile}"] } }`;
      const help = near === undefined ? `add it there, for example: ${example}` : `did you mean ${near}?`;
      return { message: `${wants}, which signalbox.yaml does not have`, help };
    }
    const kind = kindOf(agent);
    if (kind === null) return { message: `${wants}, whose kind is not supported yet`, help: 'give it "kind: command"' };
    const lacks = this.#lacksProgram(name, agent, kind, own.PATH ?? agent.env.PATH ?? this.#path);
    const unusable = lacks === null && kind.known?.unusable?.(agent, { ...this.#env, ...own });
    if (!unusable) return lacks;
    return { message: `the agent ${name} ${unusable.because}`, help: unusable.help, isWhole: true };
  }

  #lacksProgram(name: string, agent: AgentSettings, kind: AgentKind, path: string): Cause | null {
    const { root } = this.#workspace;
    const program = kind.program(agent, root);
    if (program === null || findProgram(program, path, root) !== null) return null;
    const tell = (what: string, help: string): Cause => ({
      message: `the program ${program} of the agent ${name} ${what}`,
      help,
      isWhole: true,
    });
    if (!program.includes('/')) {
      const how = kind.known === null ? 'install it' : `install it: npm install --global ${kind.known.package}`;
      return tell('is not on the PATH', `${how}, or give its full path in signalbox.yaml`);
    }
    return isFile(program, root)
      ? tell('is not executable', `make it so: chmod +x ${quoted(program)}`)
      : tell('does not exist', 'a path in signalbox.yaml starts at the root of the workspace');
  }
}
