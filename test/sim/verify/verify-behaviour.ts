// How agents, checks and reviewers come out, by chance.
import type { AttemptEnd, Evidence } from '../../../src/core/model/failure.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Issue } from '../../../src/core/model/review.ts';
import type { MergeAnswer, ReviewAnswer } from '../../../src/core/rules/job-end.ts';
import type { LiveAttempt } from '../../../src/core/state/state.ts';
import type { Random } from '../random.ts';

export interface CameOut {
  readonly end: AttemptEnd;
  readonly evidence?: Evidence;
  readonly answer: ReviewAnswer | null;
  /** Of a merge. */
  readonly merge?: MergeAnswer;
}

/** How likely it goes well. */
export interface Odds {
  readonly attempt: number;
  readonly check: number;
  readonly review: number;
  readonly merge: number;
  /** Whether what agents do ever differs from what they did before. */
  readonly healthy: boolean;
  /** Attempts work in trees of their own. */
  readonly isolated: boolean;
}

const words = ['null', 'empty', 'missing test', 'wrong name', 'race', 'leak', 'typo', 'slow loop'] as const;

/** @param isLost its runner is dead, and perhaps nobody knows. */
export function comesOut(random: Random, live: LiveAttempt, plan: Plan, odds: Odds, isLost: boolean): CameOut {
  const none = { answer: null };
  if (live.startedAt === 0 && random.chance(0.5)) return { end: { kind: 'never-started' }, ...none };
  if (isLost && random.chance(0.3)) return { end: { kind: 'lost' }, ...none };
  if (live.doom && random.chance(0.8)) return { end: { kind: 'killed', code: 143 }, ...none };
  if (!odds.healthy && random.chance(0.02))
    return { end: { kind: 'unstartable', message: 'no program', permanent: random.chance(0.3) }, ...none };
  const code = random.chance(odds[live.job.kind]) ? 0 : 1;
  if (live.job.kind === 'review') return reviewed(random, live, plan, odds);
  if (live.job.kind === 'merge')
    return { end: { kind: 'exited', code: 0 }, ...none, ...(code === 0 ? merged : unmerged(random, odds)) };
  if (live.job.kind === 'check') return { end: { kind: 'exited', code }, ...none };
  return {
    end: { kind: 'exited', code },
    evidence: { ...evidenceOf(random, live, odds), ...workOf(random, live, odds) },
    ...none,
  };
}

function workOf(random: Random, { attempt, token }: LiveAttempt, { isolated, healthy }: Odds): Evidence {
  if (!isolated) return {};
  if (!healthy && random.chance(0.03)) return { unfit: 'a rebase was begun' };
  return { work: { branch: attempt, base: 'base', head: `head ${token}` } };
}

const merged: { merge: MergeAnswer } = { merge: { kind: 'ended', result: 'merged' } };

function unmerged(random: Random, { healthy }: Odds): { merge?: MergeAnswer } {
  const result = random.pick(['conflict', 'red', 'nothing'] as const);
  if (healthy || random.chance(0.5)) return { merge: { kind: 'ended', result, files: ['a'], command: 'test' } };
  if (random.chance(0.3)) return {};
  if (random.chance(0.3)) return { merge: { kind: 'trouble', problem: 'the disk is full' } };
  return { merge: { kind: 'held', because: { kind: 'red-branch', command: 'test' } } };
}

function evidenceOf(random: Random, { token }: LiveAttempt, { healthy }: Odds): Evidence {
  if (healthy) {
    const file = random.pick(['a', 'b', 'c']);
    return { toolCalls: 3, changed: true, files: [{ file, before: '', after: `version ${token}` }] };
  }
  const file = random.pick(['a', 'b']);
  const after = random.pick(['one', 'two']);
  return {
    changed: random.chance(0.8),
    output: true,
    ...(random.chance(0.3) ? { files: [{ file, before: '', after }] } : {}),
    ...(random.chance(0.1) ? { repeated: { call: 'ls', times: random.int(5, 30) } } : {}),
  };
}

function reviewed(random: Random, { task, token }: LiveAttempt, plan: Plan, { review, healthy }: Odds): CameOut {
  const end: AttemptEnd = { kind: 'exited', code: !healthy && random.chance(0.05) ? 1 : 0 };
  if (random.chance(review)) return { end, answer: { verdict: 'approved' } };
  if (healthy) {
    // Another thing each time, and nobody else's fault.
    const issues = [{ message: `${random.pick(words)} in ${spell(token)}`, task }];
    return { end, answer: { verdict: 'rejected', severity: random.pick(['low', 'medium']), issues } };
  }
  if (random.chance(0.2)) return { end, answer: { verdict: 'unreadable', problem: 'no verdict' } };
  const severity = random.weighted({ low: 3, medium: 3, high: 1 });
  return { end, answer: { verdict: 'rejected', severity, issues: randomIssues(random, plan) } };
}

export function randomIssues(random: Random, plan: Plan): Issue[] {
  return Array.from({ length: random.int(0, 2) }, () => ({
    message: `${random.pick(words.slice(0, 3))} at line ${random.int(1, 99)}`,
    ...(random.chance(0.5) ? { task: random.chance(0.9) ? random.pick(plan.tasks).id : 'nobody' } : {}),
  }));
}

/** A number in letters: digits make no difference between two rejections. */
const spell = (n: number): string => [...`${n}`].map((digit) => 'abcdefghij'[Number(digit)]).join('');
