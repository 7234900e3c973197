// Which coding agents a run will use: said at its start, because what a plan costs and does depends on them.
import { accountsOf } from '../../agents/account.ts';
import { agentNamed, type KnownProgram, kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { programVersion } from '../../agents/process/program-version.ts';
import { countWords } from '../../core/model/count-words.ts';
import type { AgentSettings } from '../../core/model/settings.ts';
import { agentOf } from '../../core/rules/quota.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { Workspace } from '../workspace.ts';

export interface AgentsAsked {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tell: (text: string, kind: 'warning' | 'remark') => void;
  /** By the name of an agent: what its program says is put here. */
  readonly versions?: Map<string, string>;
  /** How long a program may think about its version. */
  readonly patienceMs?: number;
}

/** Under load a program of 200 MB takes its time. */
const usualPatienceMs = 10_000;

/** By the name of an agent: how many tasks it may still have to perform. */
export function tasksByAgent(plan: PlanState): Map<string, number> {
  return countNames(leftTasks(plan).map((i) => agentOf(plan, i) ?? []));
}

/** What the run may still have to perform. */
const leftTasks = ({ plan, tasks, selected }: PlanState): number[] =>
  plan.tasks.flatMap(({ group }, i) => {
    const { status } = tasks[i]!;
    const isLeft = !group && (status === 'pending' || status === 'in_progress') && selected?.[i] !== 0;
    return isLeft ? i : [];
  });

function countNames(names: readonly (string | readonly string[])[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names.flat()) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

/** A default that holds tasks back is said, because nobody has written it down. */
export function tellPools(
  plan: PlanState,
  { workspace: { settings }, tell }: Pick<AgentsAsked, 'workspace' | 'tell'>,
): void {
  const { pools, plan: atOnce } = plan.run!.limits;
  for (const [pool, count] of countNames(leftTasks(plan).map((i) => plan.ready.poolsOf(i)))) {
    const limit = pools[pool];
    const isWritten = Object.hasOwn({ ...settings.pools, ...plan.plan.pools }, pool);
    if (limit === undefined || isWritten || limit >= Math.min(count, atOnce)) continue;
    tell(
      `pool ${pool}: at most ${limit} of ${countWords(count, 'task')} at once, by default; "pools:" changes it`,
      'remark',
    );
  }
}

/** @param atOnce how many attempts the run starts at most */
export async function tellAgents(
  tasks: ReadonlyMap<string, number>,
  atOnce: number,
  asked: AgentsAsked,
): Promise<void> {
  const { workspace, tell, env } = asked;
  const used = [...tasks].flatMap(([name, count]) => {
    const agent = agentNamed(workspace.settings, name);
    const known = agent && kindOf(agent)?.known;
    return known ? [{ name, count, agent, known }] : [];
  });
  await Promise.all(used.map((one) => tellAgent(one, asked)));
  const accounts = accountsOf(tasks.keys(), workspace.settings, env);
  for (const [account, { count, title }] of loginsOf(used, accounts)) {
    if (Math.min(count, atOnce) < 2) continue;
    const instead = 'a key, or at most one at a time, avoids that';
    tell(
      `several agents will share the login of ${title} (${account}) and may log each other out: ${instead}`,
      'warning',
    );
  }
}

interface Used {
  readonly name: string;
  readonly count: number;
  readonly agent: AgentSettings;
  readonly known: KnownProgram;
}

async function tellAgent({ name, count, agent, known }: Used, asked: AgentsAsked): Promise<void> {
  const { workspace, env, tell, versions, patienceMs = usualPatienceMs } = asked;
  const base = baseEnvironment(env);
  const wanted = kindOf(agent)!.program(agent, workspace.root);
  const program = wanted && findProgram(wanted, agent.env.PATH ?? base.PATH ?? '', workspace.root);
  if (!program) return; // the run was refused, or it depends on the task
  const answer = await programVersion({ program, env: base, timeoutMs: patienceMs });
  const version = answer.kind === 'version' ? /\d+\.\d+\.\d+\S*/.exec(answer.text)?.[0] : undefined;
  if (version !== undefined) versions?.set(name, version);
  const because = answer.kind === 'version' ? `it says ${answer.text}` : answer.because;
  const called = version === undefined ? `${known.title}, version unknown: ${because}` : `${known.title} ${version}`;
  tell(`agent ${name}: ${called} (${program}) for ${countWords(count, 'task')}`, 'remark');
  // A version that is not known, on a busy machine above all, is not another one.
  if (version !== undefined && version !== known.tried)
    tell(`${known.title} was tried with ${known.tried}; with another version locks may not be enforced`, 'warning');
}

/** Where a budget holds, what it does not count is said once for each agent. */
export function tellUncounted(
  plan: PlanState,
  { workspace: { settings }, env, tell }: Pick<AgentsAsked, 'workspace' | 'env' | 'tell'>,
): void {
  const { limits } = plan.run!;
  /** With what is missing. */
  const unpriced = new Map<string, string>();
  const unstopped = new Set<string>();
  for (const i of leftTasks(plan)) {
    const { keys } = plan.plan.tasks[i]!;
    const reviewer = keys.review === 'agent' ? (plan.run!.reviewAgent ?? undefined) : undefined;
    for (const [name, model] of [[agentOf(plan, i), keys.model] as const, [reviewer, undefined] as const]) {
      const agent = name === undefined ? null : agentNamed(settings, name);
      const known = agent && kindOf(agent)?.known;
      const isLimited = limits.budgetUsd ?? limits.attemptUsd?.[name ?? ''] ?? keys.budgetUsd;
      if (!known || isLimited === undefined) continue;
      const used = model ?? agent.model ?? known.ownModel?.configured(agent, env) ?? '';
      const isPriced = known.tellsCost || Object.hasOwn(settings.prices ?? {}, used);
      if (!isPriced)
        unpriced.set(
          name!,
          used === '' ? 'set "model:" of the agent and its price in "prices:"' : `"prices:" has no ${used}`,
        );
      else if (!known.keepsBudget) unstopped.add(name!);
    }
  }
  for (const [name, lacks] of unpriced)
    tell(`${name} tells no cost, so no budget counts it: in signalbox.yaml, ${lacks}`, 'warning');
  for (const name of unstopped)
    tell(`${name} cannot be stopped at its budget: what an attempt costs counts when it has ended`, 'warning');
}

/** Logins, whose tokens are renewed while they are used. */
function loginsOf(used: readonly Used[], accounts: Readonly<Record<string, string>>) {
  const logins = new Map<string, { count: number; title: string }>();
  for (const { name, count, known } of used) {
    const account = accounts[name];
    if (!account?.endsWith(' login')) continue;
    logins.set(account, { count: (logins.get(account)?.count ?? 0) + count, title: known.title });
  }
  return logins;
}
