// What becomes of a task whose attempt has ended: checked and reviewed, completed, tried again after a while, or failed for good.
//
//   end of the attempt                      doomed by us        the task
//   exited 0, not killed                    (never mind)        verified: see below
//   exited n, killed                        stop                pending again, costs nothing
//   (whatever it is)                        deadlock            pending again behind its blocker, costs nothing
//   exited n                                no                  a failure: retry or fail
//   killed (whatever the code)              timeout             a failure: retry or fail
//   killed (whatever the code)              idle, mute          of a command: a failure. Of an agent: pending again, costs nothing;
//                                                               three times in a row: suspended, and a person decides
//   killed (whatever the code)              finished            as if it had exited 0 by itself
//   exited n, killed                        looping             suspended, and a person decides
//   (whatever it is)                        ungoverned          a failure; permanent: failed at once
//   exited, an agent that asks, or
//   was refused tools that it needs         no                  suspended, and a person answers
//   exited, an agent that could not go on
//   in an earlier conversation              no                  pending again for a new one, costs nothing
//   never-started                           (never mind)        pending again, costs nothing
//   lost, killed by somebody else           no                  counted apart: again, ten times
//   unstartable                             (never mind)        a failure; permanent: failed at once
//   unstartable: the setup of its tree      (never mind)        pending again, costs nothing; twice in a row: the plan is paused
//   the money of its task or run is used up                     pending again, costs nothing
//
//   exited 0 and then                                           the task
//   an agent that has done nothing                              a failure: retry or fail
//   wrote without locks, where that fails                       a failure: retry or fail
//   a check that is not green                                   a failure: retry or fail
//   checks left                                                 the next one is run
//   to be reviewed                                              by an agent in its turn, or a person is asked
//   rejected, low or medium                                     pending again with the feedback, five attempts in all
//   rejected, high                                              suspended, and a person decides
//   a check that proves nothing                                 again, three times; then a failure: retry or fail
//   a reviewer that proves nothing                              again, three times; then failed: another attempt is no help
//   its tree cannot be merged as it is                          a failure: retry or fail
//   in a tree of its own, and not merged yet                    merged, one at a time
//   in conflict with others, or red when merged                 pending again, costs nothing; twice in a row: a person decides
//   approved and merged, or nothing of all that                 completed

import { lostCap } from '../model/defaults.ts';
import type { Event } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import type { PlanPath } from '../model/ids.ts';
import { impossible } from '../model/impossible.ts';
import { startedTask } from '../state/questions/started-task.ts';
import type { PlanState, State } from '../state/state.ts';
import { attemptsLeft } from './attempts-left.ts';
import { backoffMs } from './backoff.ts';
import { hasUsedUp } from './budget.ts';
import { endDeadlock } from './locks/deadlock.ts';
import { failTask } from './open-decisions.ts';
import { pauseAccount } from './quota.ts';
import { rejected, rulesFor, sameCalls, suspend } from './rejection.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** The events that follow for the task from the end of its current attempt. None while a check or a review is missing. */
export function judgeEnd(state: State, plan: PlanState, i: number, now: number): Event[] {
  const task = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  const ended = own.ended!;
  const about = { v: 1, plan: plan.path, run: ended.run, task: task.id, attempt: ended.attempt } as const;
  const verdict = underRules(plan, verdictOn(startedTask(plan, i), ended));
  if (
    isOutdated(plan, i) &&
    (verdict.kind === 'completed' ||
      verdict.kind === 'failed' ||
      verdict.kind === 'rejected' ||
      verdict.kind === 'unmerged')
  )
    return [{ type: 'retry-scheduled', ...about, because: 'edited', notBefore: now }];
  switch (verdict.kind) {
    case 'check':
    case 'review':
    case 'merge':
      return [];
    case 'completed':
      return [{ type: 'task-completed', ...about }];
    case 'returned':
      return [{ type: 'retry-scheduled', ...about, because: 'stopped', notBefore: now }];
    case 'victim':
      return endDeadlock(state, plan, i, verdict.blocker, now);
    case 'rejected':
      return rejected(state, plan, i, now);
    case 'unmerged': {
      const { failure } = verdict;
      const evidence = { kind: 'unmerged', failure } as const;
      if (own.unmerged > 0) return suspend(state, plan, i, { kind: 'conflict', evidence, now });
      return [{ type: 'retry-scheduled', ...about, because: failure.result, failure, notBefore: now }];
    }
    case 'looping': {
      const evidence = { kind: 'same-calls', call: verdict.call, times: verdict.times } as const;
      return suspend(state, plan, i, { kind: 'livelock', evidence, now });
    }
    case 'asks': {
      const evidence = { kind: 'question', question: verdict.question } as const;
      return suspend(state, plan, i, { kind: 'question', evidence, now });
    }
    case 'speechless':
      return [{ type: 'retry-scheduled', ...about, because: 'conversation', notBefore: now }];
    case 'unprepared': {
      const times = plan.run!.unprepared + 1;
      const notBefore = now + backoffMs(ended.attempt, times);
      const failure: Failure = { kind: 'unstartable', message: verdict.message };
      const again: Event = { type: 'retry-scheduled', ...about, because: 'setup', failure, notBefore };
      return times < setupTries || plan.paused ? [again] : [again, pauseForSetup(plan.path, verdict)];
    }
    case 'limited':
      return pauseAccount(state, plan, i, verdict.resetsAt, now);
    case 'lost': {
      const times = own.lost + 1;
      const failure: Failure = { kind: 'lost', times };
      if (times >= lostCap) return failTask(state, plan, i, failure, now);
      const notBefore = now + backoffMs(ended.attempt, times);
      return [{ type: 'retry-scheduled', ...about, because: 'lost', failure, notBefore }];
    }
    case 'silent': {
      const { failure } = verdict;
      const times = own.silent + 1;
      const last = failure.kind === 'idle' && failure.last !== undefined ? { last: failure.last } : {};
      const evidence = { kind: 'silence', times, ...last } as const;
      if (times >= rulesFor(plan).silence) return suspend(state, plan, i, { kind: 'livelock', evidence, now });
      const notBefore = now + backoffMs(ended.attempt, times);
      return [{ type: 'retry-scheduled', ...about, because: 'silent', failure, notBefore }];
    }
    case 'failed': {
      const { failure } = verdict;
      if (hasUsedUp(plan, i, failure))
        return [{ type: 'retry-scheduled', ...about, because: 'budget', failure, notBefore: now }];
      // The failure that has just come is not counted yet.
      if (verdict.permanent || attemptsLeft(task, own) <= 1) return failTask(state, plan, i, failure, now);
      const loop = sameCalls(plan, ended.evidence);
      if (loop) return suspend(state, plan, i, { kind: 'livelock', evidence: loop, now });
      const notBefore = now + backoffMs(ended.attempt, own.failures + 1);
      return [{ type: 'retry-scheduled', ...about, because: 'failed', failure, notBefore }];
    }
    /* v8 ignore start */
    default:
      return impossible(verdict);
    /* v8 ignore stop */
  }
}

/** Where the settings forgive no silence, it is a failure. */
const underRules = (plan: PlanState, verdict: Verdict): Verdict =>
  verdict.kind === 'silent' && rulesFor(plan).silence === 0
    ? { kind: 'failed', failure: verdict.failure, permanent: false }
    : verdict;

/** Once may be the network. */
const setupTries = 2;

function pauseForSetup(plan: PlanPath, { setup, message }: Extract<Verdict, { kind: 'unprepared' }>): Event {
  const [, ...printed] = message.split('\n');
  const last = printed.length === 0 ? '' : `: ${printed.at(-1)!.slice(0, mostPrinted)}`;
  const reason = `the setup of trees (${setup}) failed twice in a row${last}; put it right, then: signalbox resume`;
  return { type: 'plan-paused', v: 1, plan, by: 'signalbox', reason };
}
const mostPrinted = 200;

/** A closing task proves something about what it checked: not about another check, nor about tasks that came since. */
const isOutdated = (plan: PlanState, i: number): boolean =>
  plan.plan.tasks[i]!.closes !== undefined && (plan.tasks[i]!.startedWith !== null || plan.waiting[i]! > 0);
