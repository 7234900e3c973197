// `trust`: says whose the state is, and with `state` makes it this user's. What it would run otherwise than the plan file says is named.
// With `git`, hooks and filters of the repository may run.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { matchRevision } from '../../core/commands/match-revision.ts';
import type { PlanState } from '../../core/state/state.ts';
import { usesLfs } from '../../git/ground/lfs.ts';
import { isUnreadable } from '../../store/outage.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import type { StoreDoor } from '../open-store.ts';
import { Refusal } from '../refusal.ts';
import type { TrustReport } from '../reports/trust.ts';
import type { TrustOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { GitRecord } from './git-record.ts';

export interface TrustParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: StoreDoor;
}

export async function trustReport(parts: TrustParts, options: TrustOptions): Promise<TrustReport> {
  const git = await aboutGit(parts, options);
  return { ...(await aboutState(parts, options)), ...git };
}

type AboutGit = Pick<TrustReport, 'git' | 'lfs'>;

async function aboutGit(
  { workspace, env }: TrustParts,
  { git = false, revoke = false }: TrustOptions,
): Promise<AboutGit> {
  const { root } = workspace;
  if (revoke && !git)
    throw new Refusal(2, '--revoke takes the trust in the repository back', {
      instead: 'signalbox trust --git --revoke',
    });
  const record = new GitRecord(workspace);
  if (git && record.standing() === 'none')
    throw new Refusal(2, `there is no git repository around ${root}, so there is nothing to trust`);
  if (revoke) record.takeBack();
  else if (git) record.trust();
  return { git: record.standing(), lfs: await usesLfs({ root, environment: baseEnvironment(env) }) };
}

type AboutState = Omit<TrustReport, keyof AboutGit>;

async function aboutState(parts: TrustParts, options: TrustOptions): Promise<AboutState> {
  try {
    return await reportOf(parts, options);
  } catch (error) {
    // One that is broken has nothing to trust: the next command that acts sets it aside. Anything else is in its way.
    if (!isUnreadable(error) || (options.state && error.kind !== 'broken-database')) throw error;
    const { root } = parts.workspace;
    return { root, state: 'unreadable', because: error.message, trusted: false, plans: [] };
  }
}

async function reportOf({ workspace, store }: TrustParts, { state }: TrustOptions): Promise<AboutState> {
  const { root } = workspace;
  if (!state) {
    const standing = await store.standing();
    const because = standing.kind === 'foreign' ? standing.because : null;
    return { root, state: standing.kind, because, trusted: false, plans: [] };
  }
  const found = await store.trust();
  const about = { root, because: null, trusted: found?.isNew ?? false };
  if (!found?.isNew) return { ...about, state: found ? 'own' : 'none', plans: [] };
  const known = await found.store.read(({ plans }) => [...plans.values()]);
  const plans: TrustReport['plans'][number][] = [];
  for (const plan of known) plans.push({ plan: plan.path, differs: await differences(workspace, plan) });
  return { ...about, state: 'own', plans };
}

/** A plan whose file is gone or has mistakes cannot be compared; it cannot be run either. */
async function differences(workspace: Workspace, known: PlanState): Promise<readonly string[]> {
  try {
    const definition = await validPlan(workspace, readPlanFile(workspace, known.path));
    const { added, removed, kept, changed, nextAttempt, planChanges, conflicts } = matchRevision(known, definition);
    const tasks = conflicts.map(({ task }) => task);
    return [...new Set([...added, ...removed, ...kept, ...changed, ...nextAttempt, ...tasks, ...planChanges])];
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
