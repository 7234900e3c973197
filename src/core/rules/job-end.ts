// What the end of a check, a review or a merge proves.
import type { AgentReport } from '../model/agent-result.ts';
import type { Event } from '../model/event.ts';
import type { AttemptEnd, Failure } from '../model/failure.ts';
import { fingerprintOf, type ReviewVerdict } from '../model/review.ts';
import type { MergeEnded, MergeObstacle } from '../model/verify-event.ts';
import { startedTask } from '../state/questions/started-task.ts';
import type { LiveAttempt, PlanState } from '../state/state.ts';

const about = ({ plan, run, task, attempt, token }: LiveAttempt) =>
  ({ v: 1, plan, run, task, attempt, token }) as const;

export function checkEnded(plan: PlanState, live: LiveAttempt, check: number, end: AttemptEnd): Event {
  const at = plan.index.get(live.task);
  // A log of an earlier version may have taken the task away meanwhile.
  const command = at === undefined ? '' : (startedTask(plan, at).keys.check?.[check] ?? '');
  const failure = checkFailure(plan, live, command, end);
  const result = failure === 'interrupted' ? failure : failure === null ? 'passed' : 'failed';
  return {
    type: 'check-ended',
    ...about(live),
    check,
    command,
    end,
    result,
    ...(failure === null || failure === 'interrupted' ? {} : { failure }),
  };
}

/** Null: green. A lost check, or one that Signalbox stopped before its time was up, proves nothing. */
function checkFailure(
  plan: PlanState,
  live: LiveAttempt,
  command: string,
  end: AttemptEnd,
): Failure | null | 'interrupted' {
  const failed = (code: number | null): Failure => {
    const before = plan.baseline?.includes(command) ? ({ before: true } as const) : {};
    return { kind: 'check', command, code, token: live.token, ...before };
  };
  if (tookTooLong(live)) return failed(null);
  switch (end.kind) {
    case 'exited':
      if (end.code === 0) return null;
      return live.doom === null ? failed(end.code) : 'interrupted';
    case 'unstartable':
      return end.permanent
        ? { kind: 'unstartable', message: `the check could not be started: ${end.message}` }
        : 'interrupted';
    default:
      return 'interrupted';
  }
}

/** Its own fault, not that of a stop or a withdrawal. */
export const tookTooLong = ({ doom }: LiveAttempt): boolean =>
  doom?.kind === 'timeout' || doom?.kind === 'idle' || doom?.kind === 'mute';

/** Nobody knows what a reviewer without hooks did, and the next one would do the same. */
export const isAtFault = (live: LiveAttempt): boolean => tookTooLong(live) || live.doom?.kind === 'ungoverned';

/** It has said all that it had to say, and only its process was ended. */
export const hasFinished = ({ doom }: LiveAttempt): boolean => doom === null || doom.kind === 'finished';

/** The reviewer's verdict, or why it cannot be understood. */
export type ReviewAnswer = ReviewVerdict | { readonly verdict: 'unreadable'; readonly problem: string };

/** No fault of the review, which takes place later: its account has to wait, or the run has spent all that it may. */
export function isHeldUp(live: LiveAttempt, agent: AgentReport | undefined): boolean {
  const { account, sharesBudget } = live;
  if (agent?.class === 'rate-limit') return account !== undefined && hasFinished(live);
  // Without a known cost the budget would never be used up, and the review be repeated for ever.
  return agent?.class === 'budget' && sharesBudget === true && agent.costUsd !== undefined;
}

/** @param agent what a coding agent says about itself */
export function reviewEnded(
  live: LiveAttempt,
  by: string,
  end: AttemptEnd,
  answer: ReviewAnswer | null,
  agent?: AgentReport,
): Event {
  const base = { type: 'review-ended', ...about(live), by, end, ...(agent ? { agent } : {}) } as const;
  if (isHeldUp(live, agent)) return { ...base, result: 'interrupted' };
  const isOver = end.kind === 'exited' || (end.kind === 'killed' && live.doom?.kind === 'finished');
  if (!isOver || !hasFinished(live) || answer === null) return { ...base, ...unproven(live, end) };
  const trouble = agent === undefined || agent.class === 'done' ? null : troubleOf(agent);
  if (trouble !== null) return { ...base, result: 'unreadable', problem: `the reviewer ended badly: ${trouble}` };
  // An answer of a reviewer that failed is worth nothing.
  if (end.kind === 'exited' && end.code !== 0)
    return { ...base, result: 'unreadable', problem: `the reviewer ended with code ${end.code}` };
  switch (answer.verdict) {
    case 'approved':
      return { ...base, result: 'approved' };
    case 'rejected': {
      const { severity, issues } = answer;
      return { ...base, result: 'rejected', severity, issues, fingerprint: fingerprintOf(issues) };
    }
    default:
      return { ...base, result: 'unreadable', problem: answer.problem };
  }
}

/** What an agent without hooks says is its answer, and no reason. */
const troubleOf = ({ class: result, said }: AgentReport): string =>
  result === 'ungoverned' ? withoutHooks : (said ?? result);

const withoutHooks = 'its hooks did not reach Signalbox';

function unproven(live: LiveAttempt, end: AttemptEnd) {
  if (tookTooLong(live)) return { result: 'unreadable', problem: 'the reviewer took too long' } as const;
  if (live.doom?.kind === 'ungoverned')
    return { result: 'unreadable', problem: `the reviewer was stopped: ${withoutHooks}` } as const;
  if (end.kind === 'unstartable') return { result: 'unreadable', problem: end.message } as const;
  return { result: 'interrupted' } as const;
}

/** What a merge says came of it; null: nothing that can be understood. */
export type MergeAnswer =
  | ({ readonly kind: 'ended' } & Pick<MergeEnded, 'result' | 'commit' | 'files' | 'command' | 'problem' | 'flaky'>)
  | { readonly kind: 'held'; readonly because: MergeObstacle }
  /** Git or the disk was in the way. As the end of a sentence. */
  | { readonly kind: 'trouble'; readonly problem: string };

/** What it has done to the branch is done, however it ended: the next one finds it there. */
export function mergeEnded(live: LiveAttempt, end: AttemptEnd, answer: MergeAnswer | null): Event {
  const base = { ...about(live), end };
  const isOver = end.kind === 'exited' && hasFinished(live);
  if (isOver && answer?.kind === 'held') return { type: 'merge-held', ...base, because: answer.because };
  if (isOver && answer?.kind === 'ended') {
    const { kind: _, ...said } = answer;
    return { type: 'merge-ended', ...base, ...said };
  }
  const problem = answer?.kind === 'trouble' ? answer.problem : problemOf(live, end);
  return { type: 'merge-interrupted', ...base, ...(problem === null ? {} : { problem }) };
}

function problemOf(live: LiveAttempt, end: AttemptEnd): string | null {
  if (tookTooLong(live)) return 'it took too long';
  if (end.kind === 'unstartable') return end.message;
  return end.kind === 'exited' ? `its process ended with code ${end.code}` : null;
}
