// What a plan makes others do: commands for a shell, and instructions for agents. A person who approves a plan reads the first and may read
// the second; together they tell whose work an edited plan still is.
import type { Plan, Task, TaskKeys } from './plan.ts';

export interface PlanCommand {
  /** The key of the plan that it stands under. `env` changes what the others do. */
  readonly key: 'run' | 'check' | 'finish' | 'setup' | 'generated' | 'env';
  readonly command: string;
  /** Tasks, or names of phases, that have it; none for the plan itself. */
  readonly of: readonly string[];
}

/** Each once, in the order of the plan. */
export function planCommands(plan: Plan): PlanCommand[] {
  const found = new Map<string, { readonly key: PlanCommand['key']; readonly command: string; of: Set<string> }>();
  const add = (key: PlanCommand['key'], command: string, of?: string) => {
    const id = `${key}\n${command}`;
    const known = found.get(id) ?? { key, command, of: new Set() };
    found.set(id, known);
    if (of !== undefined) known.of.add(of);
  };
  const { worktree, finish, finishAgent } = plan;
  if (worktree?.setup !== undefined) add('setup', worktree.setup);
  for (const [file, command] of Object.entries(worktree?.generated ?? {})) add('generated', command, file);
  for (const { id, keys } of plan.tasks) {
    for (const line of envLines(keys)) add('env', line, id);
    if (keys.run !== undefined) add('run', keys.run, id);
    for (const check of keys.check ?? []) add('check', check, id);
  }
  for (const { name, check = [] } of plan.phases) for (const command of check) add('check', command, name);
  if (finish !== undefined && !finishAgent) add('finish', finish);
  return [...found.values()].map(({ key, command, of }) => ({ key, command, of: [...of] }));
}

/** Commands, and what each agent would be told. */
export const planOrders = (plan: Plan): string[] => [
  ...planCommands(plan).map(({ command }) => command),
  ...plan.tasks.filter(({ group, keys }) => !group && keys.run === undefined).map(instruction),
];

const instruction = ({ title, prompt = '' }: Task): string => `${title}\n${prompt}`;

const envLines = ({ env = {} }: TaskKeys): string[] => Object.entries(env).map(([name, value]) => `${name}=${value}`);
