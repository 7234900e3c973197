// Which coding agents a run will use: said at its start, because what a plan costs and does depends on them.
import { agentNamed, type KnownProgram, kindOf } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { installedVersion } from '../../agents/process/installed-version.ts';
import { programVersion, type VersionAnswer } from '../../agents/process/program-version.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import type { OnFailure } from '../../core/model/decision.ts';
import type { Limits } from '../../core/model/run-event.ts';
import type { AgentSettings } from '../../core/model/settings.ts';
import { agentOf } from '../../core/rules/quota.ts';
import type { PlanState } from '../../core/state/state.ts';
import { type SharedLogin, sharedLogins } from '../dry-run/shared-logins.ts';
import { isOwnProgram } from '../trust/own-program.ts';
import type { Workspace } from '../workspace.ts';

export interface AgentsOf {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AgentsAsked extends AgentsOf {
  readonly tell: (text: string, kind: 'warning' | 'remark') => void;
  /** By the name of an agent: what its program says is put here. */
  readonly versions?: Map<string, string>;
  /** How long a program may think about its version. */
  readonly patienceMs?: number;
  /** Nothing runs because of it. */
  readonly onlyLooks?: true;
}

/** Under load a program of 200 MB takes its time. */
const usualPatienceMs = 10_000;
const lookingPatienceMs = 2_000;

/** What a run is about, and who is asked beside the agents of its tasks. */
export interface Wanted {
  readonly plan: PlanState;
  /** By task; null: everything. */
  readonly selected: Uint8Array | null;
  readonly limits: Limits;
  readonly reviewAgent: string | null;
  readonly escalationAgent: string | null;
  /** Said for this run, over what tasks say. */
  readonly onFailure: OnFailure | null;
}

export function wantedBy(plan: PlanState): Wanted {
  const { limits, reviewAgent, escalationAgent, onFailure } = plan.run!;
  return { plan, selected: plan.selected, limits, reviewAgent, escalationAgent, onFailure };
}

/** Of a run that nobody has started. */
export const wantedOf = ({ settings }: Workspace, about: Pick<Wanted, 'plan' | 'selected' | 'limits'>): Wanted => ({
  ...about,
  onFailure: null,
  reviewAgent: settings.reviewAgent ?? null,
  escalationAgent: settings.escalationAgent ?? null,
});

/** The tasks that an agent may still have to perform, to review, and to debug if they fail. */
export interface Uses {
  readonly performs: number[];
  readonly reviews: number[];
  readonly debugs: number[];
}

export interface AgentsFound {
  /** By the name of an agent. */
  readonly uses: ReadonlyMap<string, Uses>;
  readonly logins: readonly SharedLogin[];
}

/** Cheap where only commands run. */
export function agentsFor(wanted: Wanted, here: AgentsOf): AgentsFound {
  const uses = usesOf(wanted);
  return { uses, logins: sharedLogins(wanted, uses, here) };
}

function usesOf({ plan, selected, reviewAgent, escalationAgent, onFailure }: Wanted): Map<string, Uses> {
  const found = new Map<string, Uses>();
  const note = (name: string | null | undefined, use: keyof Uses, i: number) => {
    if (name == null) return;
    const uses = found.get(name) ?? { performs: [], reviews: [], debugs: [] };
    uses[use].push(i);
    found.set(name, uses);
  };
  for (const i of leftTasks(plan, selected)) {
    const { review, onFailure: own } = plan.plan.tasks[i]!.keys;
    note(agentOf(plan, i), 'performs', i);
    if (review === 'agent') note(reviewAgent, 'reviews', i);
    if ((onFailure ?? own) === 'escalate') note(escalationAgent, 'debugs', i);
  }
  return found;
}

/** What the run may still have to perform. */
const leftTasks = ({ plan, tasks }: PlanState, selected: Uint8Array | null): number[] =>
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
  for (const [pool, count] of countNames(leftTasks(plan, plan.selected).map((i) => plan.ready.poolsOf(i)))) {
    const limit = pools[pool];
    const isWritten = Object.hasOwn({ ...settings.pools, ...plan.plan.pools }, pool);
    if (limit === undefined || isWritten || limit >= Math.min(count, atOnce)) continue;
    tell(
      `pool ${pool}: at most ${limit} of ${countWords(count, 'task')} at once, by default; "pools:" changes it`,
      'remark',
    );
  }
}

export async function tellAgents({ uses, logins }: AgentsFound, asked: AgentsAsked): Promise<void> {
  const { workspace, tell } = asked;
  const versions = new Map<string, Promise<VersionAnswer>>();
  const warnings = new Set<string>();
  const used = [...uses].flatMap(([name, of]) => {
    const agent = agentNamed(workspace.settings, name);
    const known = agent && kindOf(agent)?.known;
    return known ? [{ name, of, agent, known }] : [];
  });
  await Promise.all(used.map((one) => tellAgent(one, asked, { versions, warnings })));
  const instead = 'a key, or at most one at a time, avoids that';
  for (const { account, title } of logins)
    warnings.add(`several agents will share the login of ${title} (${account}) and may log each other out: ${instead}`);
  for (const text of warnings) tell(text, 'warning');
}

interface Used {
  readonly name: string;
  readonly of: Uses;
  readonly agent: AgentSettings;
  readonly known: KnownProgram;
}

/** Several agents may have one program. */
interface Together {
  readonly versions: Map<string, Promise<VersionAnswer>>;
  readonly warnings: Set<string>;
}

async function tellAgent({ name, of, agent, known }: Used, asked: AgentsAsked, together: Together): Promise<void> {
  const { workspace, env, tell } = asked;
  const base = baseEnvironment(env);
  const wanted = kindOf(agent)!.program(agent, workspace.root);
  const program = wanted && findProgram(wanted, agent.env.PATH ?? base.PATH ?? '', workspace.root);
  if (!program) return; // the run was refused, or it depends on the task
  if (!together.versions.has(program)) together.versions.set(program, versionOf(program, { agent, known }, asked));
  const answer = await together.versions.get(program)!;
  const version = answer.kind === 'version' ? /\d+\.\d+\.\d+\S*/.exec(answer.text)?.[0] : undefined;
  if (version !== undefined) asked.versions?.set(name, version);
  const because = answer.kind === 'version' ? `it says ${answer.text}` : answer.because;
  const called = version === undefined ? `${known.title}, version unknown: ${because}` : `${known.title} ${version}`;
  tell(`agent ${name}: ${called} (${program}) for ${usesWords(of)}`, 'remark');
  // A version that is not known, on a busy machine above all, is not another one.
  if (version !== undefined && version !== known.tried)
    together.warnings.add(
      `${known.title} was tried with ${known.tried}; with another version locks may not be enforced`,
    );
}

/** Asking runs the program: whoever only looks asks none that somebody's repository names. */
async function versionOf(
  program: string,
  { agent, known }: Pick<Used, 'agent' | 'known'>,
  { workspace, env, onlyLooks, patienceMs = onlyLooks ? lookingPatienceMs : usualPatienceMs }: AgentsAsked,
): Promise<VersionAnswer> {
  const installed = installedVersion(program, known.package);
  if (installed !== null) return { kind: 'version', text: installed };
  if (onlyLooks && !isOwnProgram(agent, program, workspace.root))
    return { kind: 'unknown', because: 'nobody asked it' };
  return programVersion({ program, env: baseEnvironment(env), timeoutMs: patienceMs });
}

const usesWords = ({ performs, reviews, debugs }: Uses): string =>
  listWords([
    ...(performs.length > 0 ? [countWords(performs.length, 'task')] : []),
    ...(reviews.length > 0 ? [countWords(reviews.length, 'review')] : []),
    ...(debugs.length > 0 ? [`debugging ${countWords(debugs.length, 'task')} in case of failure`] : []),
  ]);

/** What `run` would warn of; for those that only look. */
export async function agentWarnings(wanted: Wanted, { workspace, env }: AgentsOf): Promise<string[]> {
  const warnings: string[] = [];
  const tell: AgentsAsked['tell'] = (text, kind) => kind === 'warning' && warnings.push(text);
  await tellAgents(agentsFor(wanted, { workspace, env }), { workspace, env, tell, onlyLooks: true });
  return warnings;
}

/** Where a budget holds, what it does not count is said once for each agent. */
export function tellUncounted(
  plan: PlanState,
  { workspace: { settings }, env, tell }: Pick<AgentsAsked, 'workspace' | 'env' | 'tell'>,
): void {
  const { limits } = plan.run!;
  /** With what is missing. */
  const unpriced = new Map<string, string>();
  const partlyPriced = new Map<string, string>();
  const unstopped = new Set<string>();
  for (const i of leftTasks(plan, plan.selected)) {
    const { keys } = plan.plan.tasks[i]!;
    const reviewer = keys.review === 'agent' ? (plan.run!.reviewAgent ?? undefined) : undefined;
    for (const [name, model] of [[agentOf(plan, i), keys.model] as const, [reviewer, undefined] as const]) {
      const agent = name === undefined ? null : agentNamed(settings, name);
      const known = agent && kindOf(agent)?.known;
      const isLimited = limits.budgetUsd ?? limits.attemptUsd?.[name ?? ''] ?? keys.budgetUsd;
      if (!known || isLimited === undefined) continue;
      const used = model ?? agent.model ?? known.ownModel?.configured(agent, env) ?? '';
      const isPriced = known.tellsCost === 'always' || Object.hasOwn(settings.prices ?? {}, used);
      if (!isPriced && known.tellsCost)
        partlyPriced.set(name!, used === '' ? 'add its price to "prices:"' : `"prices:" has no ${used}`);
      else if (!isPriced)
        unpriced.set(
          name!,
          used === '' ? 'set "model:" of the agent and its price in "prices:"' : `"prices:" has no ${used}`,
        );
      else if (!known.keepsBudget) unstopped.add(name!);
    }
  }
  for (const [name, lacks] of unpriced)
    tell(`${name} tells no cost, so no budget counts it: in signalbox.yaml, ${lacks}`, 'warning');
  for (const [name, lacks] of partlyPriced)
    tell(
      `${name} cannot be stopped at its budget, and no budget counts a model whose price it does not know: in signalbox.yaml, ${lacks}`,
      'warning',
    );
  for (const name of unstopped)
    tell(`${name} cannot be stopped at its budget: what an attempt costs counts when it has ended`, 'warning');
}
