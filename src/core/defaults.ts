// What holds when neither the task nor the plan nor the settings say anything. The contract has the same table.
import type { DeadlockRules, Limits, LivelockRules } from './event.ts';
import type { Plan, Task } from './plan.ts';
import type { Settings } from './settings.ts';
import type { Job } from './state.ts';

const minutes = 60_000;

export const defaultMaxParallel = 3;
export const defaultPools: Readonly<Record<string, number>> = { haiku: 5, sonnet: 3, opus: 1 };
export const defaultRetries = 2;
/** Failures and rejections of one task together. */
export const attemptsCap = 5;
export const lostCap = 10;
export const killGraceMs = 5_000;
/** Of one that is stopped to end a deadlock: others wait for its locks, and are to go on within five seconds, its work saved by then. */
export const victimGraceMs = 3_000;
/** Of the workspace: what Signalbox writes for people about its plans. Never part of what an attempt has changed. */
export const planOutputsFolder = 'docs/plan-outputs';
/** Of the workspace: names the plan that commands mean when none is named. */
export const defaultCurrentPlan = '.claude/current-plan.txt';
export const lockWaitMs = 300_000;
/** How long somebody whom Signalbox did not start keeps a lock without a word. */
export const lockLeaseMs = 30 * minutes;
export const escalationsCap = 1;
/** Reviews and checks of one attempt that prove nothing, before that is a failure. */
export const interruptedCap = 3;
export const defaultLivelock: LivelockRules = {
  sameRejections: 3,
  circularRejections: 2,
  noProgress: 3,
  sameCalls: 20,
  undoing: 2,
};
export const defaultDeadlock: DeadlockRules = { detect: true, victim: 'youngest' };

export const retriesOf = (task: Task): number => task.keys.retries ?? defaultRetries;

/** 0 means none: a shell command may take as long as it likes, an agent may not. */
export const timeoutMsOf = (task: Task): number =>
  task.keys.timeoutMs ?? (task.keys.run === undefined ? 60 * minutes : 0);

/** Of a check, or of the review by an agent; of an attempt what the task says. */
export const timeLimitOf = (task: Task, job: Job): number => {
  if (job.kind === 'check') return 10 * minutes;
  return job.kind === 'review' ? 60 * minutes : timeoutMsOf(task);
};

/** 0 means none. */
export const idleTimeoutMsOf = (task: Task): number => task.keys.idleTimeoutMs ?? 30 * minutes;

/** What is recorded when a run starts. `maxParallel`: said for this run on the command line, over everything else. */
export function limitsFor(plan: Plan, settings: Settings, maxParallel?: number): Limits {
  const workspace = maxParallel ?? settings.maxParallel;
  const maxAttempts = plan.maxAttempts ?? settings.maxAttempts;
  return {
    plan: maxParallel ?? plan.maxParallel ?? settings.maxParallel ?? defaultMaxParallel,
    pools: { ...defaultPools, ...settings.pools, ...plan.pools },
    ...(workspace === undefined ? {} : { workspace }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  };
}
