// What is to be started, with everything that whoever performs it must be told; and what was stopped half way.

import type { Failure, WorkOnBranch } from '../../core/model/failure.ts';
import type { TaskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { ReviewVerdict } from '../../core/model/review.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { wantsOf } from '../../core/rules/locks/plan-locks.ts';
import type { Conversation } from '../../core/state/conversation.ts';
import { ownerOfToken } from '../../core/state/lock-state.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import type { EndedAttempt, LiveAttempt, PlanState, Salvage, State, StoppedWork } from '../../core/state/state.ts';

/** An attempt to start, or a check or review of one, with what its agent must be told. */
export interface Work {
  readonly plan: Plan;
  readonly task: Task;
  readonly live: LiveAttempt;
  /** How the attempt before it failed. */
  readonly failure: Failure | null;
  /** The token of that attempt; 0: none of Signalbox. */
  readonly failedAs: number;
  /** What a person said when they let it be tried again. */
  readonly note: string | null;
  /** Why the attempt before it was stopped half way, and where its work lies. */
  readonly stopped: StoppedWork | null;
  /** What the last review found. */
  readonly review: ReviewVerdict | null;
  /** With a coding agent, in an earlier attempt. */
  readonly conversation: Conversation | null;
  /** Of a check or review: the attempt that it is about. */
  readonly about: { readonly ended: EndedAttempt; readonly token: number } | null;
  /** The trees of its run; null: it works in the workspace. */
  readonly isolation: Isolation | null;
  /** What the last attempt in a tree of its own left on its branch. */
  readonly work: WorkOnBranch | null;
  /** How many attempts the task has had since the plan was last started over, with this one. */
  readonly attempts: number;
  /** Files in which a merge with its earlier work is in progress. */
  readonly merging: readonly string[];
  /** Files that somebody changed in its tree after the last attempt had ended. */
  readonly byHand: readonly string[];
  /** Of a merge: checks that a person lets be red. */
  readonly accepted: readonly string[];
  /** How often an agent may make the same call in a row; 0: as often as it likes. */
  readonly sameCalls: number;
  /** Of the last step of a plan: what became of the others. */
  readonly results: readonly Result[] | null;
  /** The completed tasks that it needs, with the files that they are known to have changed. */
  readonly needs: readonly { readonly id: TaskId; readonly title: string; readonly files: readonly string[] }[];
}

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly attempts: number;
}

/** More would not be read. */
const mostResults = 500;

export function workOf(state: State, live: LiveAttempt): Work {
  const plan = state.plans.get(live.plan)!;
  const at = plan.index.get(live.task)!;
  const task = startedTask(plan, at);
  const { failure, failedAs, reason, stopped, review, ended, token, conversation, work, attempts } = plan.tasks[at]!;
  return {
    plan: plan.plan,
    task,
    live: { ...live },
    failure,
    failedAs,
    note: reason,
    stopped: stopped?.over ? null : stopped,
    review,
    conversation,
    about: live.job.kind === 'attempt' || ended === null ? null : { ended, token },
    isolation: plan.run?.isolation ?? null,
    work,
    attempts,
    merging: [],
    byHand: [],
    accepted: plan.run?.accepted ?? [],
    sameCalls: plan.run?.livelock.sameCalls ?? 0,
    results: task.closes === 'plan' && !isCommand(task, live) ? resultsOf(state, live) : null,
    needs: isCommand(task, live) ? [] : needsOf(plan, task),
  };
}

/** Nobody reads what a command is told; but another agent may stand in for it. */
export const isCommand = ({ keys }: Task, { job }: Pick<LiveAttempt, 'job'>): boolean =>
  keys.run !== undefined && job.kind === 'attempt' && job.agent === undefined;

/** More would not be read. */
const mostNeeds = 20;

function needsOf(plan: PlanState, { needs = [] }: Task): Work['needs'] {
  const found = needs.flatMap((id) => leavesOf(plan, plan.index.get(id)));
  return found
    .filter((at) => statusOf(plan, at) === 'completed')
    .slice(0, mostNeeds)
    .map((at) => ({
      id: plan.plan.tasks[at]!.id,
      title: plan.plan.tasks[at]!.title,
      files: plan.tasks[at]!.wrote ?? [],
    }));
}

/** A group leaves nothing behind itself. */
function leavesOf(plan: PlanState, at: number | undefined): number[] {
  if (at === undefined) return [];
  if (!plan.plan.tasks[at]!.group) return [at];
  return plan.plan.tasks.flatMap(({ parent }, i) => (parent === at ? leavesOf(plan, i) : []));
}

function resultsOf(state: State, live: LiveAttempt): Result[] {
  const plan = state.plans.get(live.plan)!;
  const results: Result[] = [];
  plan.plan.tasks.forEach(({ id, title, group }, i) => {
    if (group || id === live.task || results.length >= mostResults) return;
    results.push({ id, title, status: statusOf(plan, i), attempts: plan.tasks[i]!.attempts });
  });
  return results;
}

export const exclusiveKeys = (task: Task): readonly string[] =>
  wantsOf(task).flatMap(({ key, mode }) => (mode === 'exclusive' ? [key] : []));

/** With the exclusive locks that it has now: what it gave back, or a person took, is not its own any more. */
export interface Stopped extends Salvage {
  readonly isIsolated: boolean;
  readonly held: readonly string[];
}

export function withLocks(state: State, stopped: Salvage): Stopped {
  const holds = state.locks.table.holdsOf(ownerOfToken(stopped.token));
  const isIsolated = state.plans.get(stopped.plan)?.run?.isolation != null;
  return { ...stopped, isIsolated, held: holds.flatMap(({ key, mode }) => (mode === 'exclusive' ? [key] : [])) };
}
