// `reset`, and the first half of `run --fresh`: starts a plan over. What was recorded stays in the log; the files for other programs and
// the branch with the results get other names. Nothing is deleted.
import { relative, sep } from 'node:path';
import { accept } from '../../core/commands/accept-or-refuse.ts';
import { hasBegun, nextRound, resetPlan } from '../../core/commands/reset-plan.ts';
import { listWords } from '../../core/model/count-words.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { summaryOf } from '../../core/rules/outcome.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { earlierFolder } from '../../status/earlier-round.ts';
import { ownerOf, placesOf } from '../../status/output-places.ts';
import { approvedPlan } from '../approval/approved-plan.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { Refusal } from '../refusal.ts';
import type { ResetReport } from '../reports/steering.ts';
import { dropOldName, type FoundResults, findResults, keepResults } from '../results/earlier-results.ts';
import { earlierRuns } from '../run/earlier-runs.ts';
import { refuseSecondRun } from '../run/second-run.ts';
import type { Workspace } from '../workspace.ts';
import { type Acting, act } from './act.ts';
import { leftAttempts, sweepLeft, unclaimed } from './left-attempts.ts';

export interface ResetParts extends Acting {
  readonly workspace: Workspace;
  readonly by: string;
  readonly repository: GitCaller;
}

/** @param preview says what would happen, and does nothing */
export async function startOver(parts: ResetParts, preview: boolean): Promise<ResetReport> {
  const { workspace, store, path, by, repository } = parts;
  const seen = await store.read((state) => look(parts, state, unclaimed));
  if (seen.report.result === 'nothing') return seen.report;
  const file = readPlanFile(workspace, path);
  const plan = await approvedPlan(workspace, file);
  const { branch, report: known } = seen;
  const there = branch === null ? null : await orRefusal(branch, () => findResults(repository, branch, known.round));
  const results = there?.results ?? null;
  const ticked = plan.tasks.filter((task) => task.ticked !== undefined).length;
  const report: ResetReport = { ...known, ticked, results: there && shown(there) };
  if (preview) return report;
  if (results && !(await orRefusal(results.branch, () => keepResults(repository, results))))
    throw new Refusal(2, `a branch ${results.kept} was made just now`, { instead: 'try it again' });
  const left = await store.read((state) => leftAttempts(state, state.plans.get(path)!, parts));
  await sweepLeft(store, left.ends.keys());
  await act(
    parts,
    (now, state) => {
      // Somebody else may have been faster.
      if (!hasBegun(now)) return accept([]);
      const { ends } = look(parts, state).left;
      return accept(resetPlan(state, now, { by, plan, revision: file.revision, results, ends }));
    },
    () => undefined,
  );
  if (results) await dropOldName(repository, results);
  return { ...report, result: 'reset' };
}

/** Of a plan that was only ever written. */
export const nothingRecorded = (path: PlanPath): ResetReport => ({
  ...{ plan: path, result: 'nothing', round: 0, attempts: 0, decisions: 0, ticked: 0, results: null, outputs: null },
  summary: {
    ...{ totalTasks: 0, completed: 0, pending: 0, in_progress: 0, failed: 0, blocked: 0, suspended: 0, skipped: 0 },
  },
});

/** Refuses while somebody is at work on it. */
function look(parts: ResetParts, state: State, claim?: Parameters<typeof leftAttempts>[3]) {
  const { workspace, path } = parts;
  const plan = state.plans.get(path)!;
  refuseSecondRun(plan, workspace);
  refuseHandWork(plan);
  const left = leftAttempts(state, plan, parts, claim);
  if (left.alive.length > 0) throw stillAtWork(plan, left.alive);
  const branch = plan.history.some((run) => run.branch !== undefined) ? earlierRuns(state, path).branch : null;
  return { left, branch, report: about(parts, state, plan) };
}

function about({ workspace }: ResetParts, state: State, plan: PlanState): ResetReport {
  const places = placesOf(workspace, state.plans, plan.path);
  const round = nextRound(plan);
  const outputs = relative(workspace.root, earlierFolder(places, round)).split(sep).join('/');
  return {
    plan: plan.path,
    result: hasBegun(plan) ? 'would-reset' : 'nothing',
    round,
    summary: summaryOf(plan),
    attempts: plan.tasks.reduce((all, { attempts }) => all + attempts, 0),
    decisions: plan.decisions.size,
    ticked: 0,
    results: null,
    outputs: ownerOf(places) === plan.path ? outputs : null,
  };
}

/** Without git nobody can keep them: then the plan stays as it is. */
async function orRefusal<T>(branch: string, keep: () => Promise<T>): Promise<T> {
  try {
    return await keep();
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    throw new Refusal(2, `the results on ${branch} cannot be kept: ${error.message}`, {
      instead: 'put that right, and start over again',
    });
  }
}

const shown = ({ results: { branch, kept }, commits }: FoundResults): ResetReport['results'] => ({
  branch,
  kept: kept ?? null,
  commits,
});

function refuseHandWork(plan: PlanState): void {
  const at = plan.tasks.findIndex(({ hand }) => hand !== null);
  if (at === -1) return;
  const { by } = plan.tasks[at]!.hand!;
  const { id } = plan.plan.tasks[at]!;
  throw new Refusal(8, `${by} works on ${id} by hand`, {
    instead: 'end that first: signalbox mark-complete, mark-failed or mark-skipped',
  });
}

function stillAtWork({ path }: PlanState, alive: ReturnType<typeof leftAttempts>['alive']): Refusal {
  const names = alive.map(({ live, worker }) => live.attempt + (worker ? ` (process ${worker.pid})` : ''));
  const [is, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return new Refusal(8, `the process that ran ${path} died, and ${listWords(names, 5)} ${is} still at work`, {
    instead: `take ${them} over, and stop ${them}: signalbox run, then Ctrl-C`,
  });
}
