// Logins that several agents of a run may use at the same time. Their tokens are renewed while they are used, so one agent can log the
// others out.
import { accountsOf } from '../../agents/account.ts';
import { agentNamed, kindOf } from '../../agents/kind.ts';
import type { AgentsOf, Uses, Wanted } from '../run/agents-of-run.ts';
import { criticalPath } from './critical-path.ts';

export interface SharedLogin {
  readonly account: string;
  /** Of the program. */
  readonly title: string;
}

interface Login extends SharedLogin {
  /** Tasks whose attempts use it. */
  readonly works: Set<number>;
  readonly reviews: Set<number>;
}

export function sharedLogins(
  wanted: Wanted,
  uses: ReadonlyMap<string, Uses>,
  { workspace: { settings }, env }: AgentsOf,
): SharedLogin[] {
  const accounts = accountsOf(uses.keys(), settings, env);
  const logins = new Map<string, Login>();
  for (const [name, { performs, reviews, debugs }] of uses) {
    const account = accounts[name];
    if (!account?.endsWith(' login')) continue;
    const { title } = kindOf(agentNamed(settings, name)!)!.known!;
    const login = logins.get(account) ?? { account, title, works: new Set(), reviews: new Set() };
    for (const i of [...performs, ...debugs]) login.works.add(i);
    for (const i of reviews) login.reviews.add(i);
    logins.set(account, login);
  }
  return [...logins.values()].filter((login) => isShared(wanted, login));
}

/** Reviews take place one at a time, and beside attempts: they need no slot and no pool. */
function isShared(wanted: Wanted, { works, reviews }: Login): boolean {
  if (works.size === 0) return false;
  if (reviews.size === 0) return !isNarrow(wanted, works) && !isChain(wanted, works);
  return !isChain(wanted, new Set([...works, ...reviews]));
}

/** The limits let only one of them run at a time. */
function isNarrow({ plan, limits }: Wanted, works: ReadonlySet<number>): boolean {
  if (Math.min(limits.plan, limits.workspace ?? limits.plan) < 2) return true;
  const [first, ...others] = [...works].map((i) => plan.ready.poolsOf(i));
  return first!.some((pool) => limits.pools[pool]! < 2 && others.every((pools) => pools.includes(pool)));
}

/** Each waits for the one before: the longest way through the plan leads through all of them. */
function isChain({ plan }: Wanted, tasks: ReadonlySet<number>): boolean {
  const among = Uint8Array.from(plan.plan.tasks, (_, i) => (tasks.has(i) ? 1 : 0));
  return criticalPath(plan, among, null).length === tasks.size;
}
