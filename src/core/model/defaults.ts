// The defaults when neither the task nor the plan nor the settings say anything. The contract has the same table.

import type { Job } from '../state/state.ts';
import type { Plan, Task } from './plan.ts';
import type { DeadlockRules, Limits, LivelockRules } from './run-event.ts';
import type { Settings } from './settings.ts';

const minutes = 60_000;

export const defaultMaxParallel = 3;
export const defaultPools: Readonly<Record<string, number>> = { haiku: 5, sonnet: 3, opus: 1 };
export const defaultRetries = 2;
/** Failures and rejections of one task together. */
export const attemptsCap = 5;
export const lostCap = 10;
export const killGraceMs = 5_000;
/** The grace of a deadlock's victim. Others wait for its locks and must go on within five seconds, with its work saved by then. */
export const victimGraceMs = 3_000;
/** Where Signalbox writes for people about its plans, in the workspace. Never counts as a change by an attempt. */
export const planOutputsFolder = 'docs/plan-outputs';
/** The file in the workspace that names the current plan. */
export const defaultCurrentPlan = '.claude/current-plan.txt';
/** How long a coding agent may live on, silent, after it has said how its work ended. */
export const finishedGraceMs = 60_000;
/** How long a coding agent may take until it prints its first event. */
export const firstEventMs = 5 * minutes;
export const lockWaitMs = 300_000;
/** The second refused `lock try` within this time counts as waiting, until this time has passed without another. */
export const pollingMs = 30_000;
/** How long a silent agent keeps a lock if Signalbox did not start it. */
export const lockLeaseMs = 30 * minutes;
export const escalationsCap = 1;
/** How many checks or reviews of one attempt may prove nothing before it fails. */
export const interruptedCap = 3;
export const defaultLivelock: LivelockRules = {
  sameRejections: 3,
  circularRejections: 2,
  noProgress: 3,
  sameCalls: 20,
  undoing: 2,
  silence: 3,
};
export const defaultDeadlock: DeadlockRules = { detect: true, victim: 'youngest' };

export const retriesOf = (task: Task): number => task.keys.retries ?? defaultRetries;

/** 0 means none: a shell command may take as long as it likes, an agent may not. */
export const timeoutMsOf = (task: Task): number =>
  task.keys.timeoutMs ?? (task.keys.run === undefined ? 60 * minutes : 0);

/** The limit of a check, an agent's review or a merge is fixed; that of an attempt comes from the task. */
export const timeLimitOf = (task: Task, job: Job): number => {
  if (job.kind === 'check') return 10 * minutes;
  return job.kind === 'attempt' ? timeoutMsOf(task) : 60 * minutes;
};

/** 0 means none. */
export const idleTimeoutMsOf = (task: Task): number => task.keys.idleTimeoutMs ?? 30 * minutes;

/** Said on the command line: they override all others. */
export interface AskedLimits {
  readonly maxParallel?: number;
  readonly budgetUsd?: number;
}

/** The limits that are recorded when a run starts. */
export function limitsFor(plan: Plan, settings: Settings, asked: AskedLimits = {}): Limits {
  const { maxParallel } = asked;
  const workspace = maxParallel ?? settings.maxParallel;
  const maxAttempts = plan.maxAttempts ?? settings.maxAttempts;
  const budgetUsd = asked.budgetUsd ?? plan.budgetUsd ?? settings.budgetUsd;
  const attemptUsd = Object.entries(settings.agents).flatMap(([name, agent]) =>
    agent.budgetUsd === undefined ? [] : [[name, agent.budgetUsd] as const],
  );
  return {
    plan: maxParallel ?? plan.maxParallel ?? settings.maxParallel ?? defaultMaxParallel,
    pools: { ...defaultPools, ...settings.pools, ...plan.pools },
    ...(workspace === undefined ? {} : { workspace }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(attemptUsd.length === 0 ? {} : { attemptUsd: Object.fromEntries(attemptUsd) }),
  };
}
