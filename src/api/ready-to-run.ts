// What must be true before a plan is run: nothing in it that this version would have to ignore, and for every task that has
// not ended somebody who can perform it.
import { findProgram } from '../agents/find-program.ts';
import type { Plan } from '../core/plan.ts';
import type { PlanState } from '../core/state.ts';
import { unsupportedKeys } from '../plan/unsupported.ts';
import { Refusal } from './refusal.ts';
import type { Workspace } from './workspace.ts';

export function refuseUnsupported(workspace: Workspace, plan: Plan): void {
  const unsupported = unsupportedKeys(plan, workspace.settings);
  if (unsupported.length === 0) return;
  const lines = unsupported.slice(0, 10).map(({ key, task, line }) => {
    const place = task === undefined ? '' : ` of ${task}`;
    return `${key}${place} (line ${line})`;
  });
  const more = unsupported.length > lines.length ? ` and ${unsupported.length - lines.length} more` : '';
  throw new Refusal(3, `${plan.path} asks for what this version cannot do yet: ${lines.join(', ')}${more}`, {
    instead: 'take these keys out, or wait for the version that has them; nothing was run',
  });
}

/** @param selected by task, what the run is about; null: everything. */
export function refuseWithoutAgent(
  workspace: Workspace,
  plan: PlanState,
  path: string,
  selected: Uint8Array | null,
): void {
  const { agents } = workspace.settings;
  const looked = new Map<string, string | null>();
  plan.plan.tasks.forEach((task, i) => {
    const { status } = plan.tasks[i]!;
    const hasEnded = status === 'completed' || status === 'skipped';
    if (task.group || selected?.[i] === 0 || hasEnded || task.keys.run !== undefined) return;
    const name = task.keys.agent;
    if (name === undefined) {
      throw new Refusal(7, `${task.id} (${plan.path}:${task.line}) has neither run: nor an agent`, {
        instead: 'give it a command with "run:", or name an agent from signalbox.yaml with "agent:"',
      });
    }
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
    if (!agent) {
      throw new Refusal(
        7,
        `${task.id} (${plan.path}:${task.line}) wants the agent ${name}, which signalbox.yaml does not have`,
        {
          instead: `add it there, for example: agents: { ${name}: { kind: command, command: [program, "{promptFile}"] } }`,
        },
      );
    }
    const program = agent.command[0]!;
    if (!looked.has(program)) looked.set(program, findProgram(program, path));
    if (looked.get(program) === null) {
      throw new Refusal(7, `the program ${program} of the agent ${name} is not on the PATH`, {
        instead: 'install it, or give its full path in signalbox.yaml',
      });
    }
  });
}
