// Verification under chance: nothing that is promised is broken, each promise is seen to be watched, and plans that get somewhere are
// left alone. More of it: `npm run prove -- sim-verify --seeds 10000` and `npm run prove -- sim-healthy --seeds 1000`.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { State } from '../../../src/core/state/state.ts';
import { simulateVerification, type VerifyOptions } from './verify-world.ts';

const brokenBy = (seeds: number, options: VerifyOptions = {}): string[] => {
  const broken: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const result = simulateVerification(seed, options);
    if (result.broken) broken.push(`seed ${seed}: ${result.broken.message}`);
  }
  return broken;
};

it('keeps every promise', () => {
  expect(brokenBy(80)).toEqual([]);
});

it('finds no loop in plans that are slow and get somewhere', () => {
  expect(brokenBy(50, { healthy: true })).toEqual([]);
});

it('the same seed gives the same events', () => {
  const events = () => simulateVerification(7, {}).events;
  expect(events()).toEqual(events());
});

type Plant = (events: Event[], state: State) => Event[];

const replace =
  (from: Event['type'], change: (event: never, state: State) => Event[]): Plant =>
  (events, state) =>
    events.flatMap((event) => (event.type === from ? change(event as never, state) : [event]));

/** The judgement that the rules would come to later. */
const completedEarly = replace(
  'check-scheduled',
  ({ plan, run, task, attempt }: Event & { type: 'check-scheduled' }) => [
    { type: 'task-completed', v: 1, plan, run, task, attempt },
  ],
);

const approvedEarly = replace(
  'review-scheduled',
  ({ plan, run, task, attempt }: Event & { type: 'review-scheduled' }) => [
    { type: 'task-completed', v: 1, plan, run, task, attempt },
  ],
);

const completedAnyway = replace(
  'retry-scheduled',
  ({ plan, run, task, attempt }: Event & { type: 'retry-scheduled' }) => [
    { type: 'task-completed', v: 1, plan, run, task, attempt },
  ],
);

const skippedSilently = replace('decision-opened', (event: Event & { type: 'decision-opened' }) => {
  const { task } = event;
  return task === undefined
    ? [event]
    : [event, { type: 'task-skipped', v: 1, plan: event.plan, task, by: 'signalbox' }];
});

const answeredTwice = replace('decision-answered', (event) => [event, event]);

const neverExhausted = replace('task-failed', (event: Event & { type: 'task-failed' }, state) => {
  const { plan, run, task, attempt, failure } = event;
  if (run === undefined || attempt === undefined) return [event];
  return [{ type: 'retry-scheduled', v: 1, plan, run, task, attempt, because: 'failed', failure, notBefore: state.at }];
});

const outcomeNamed = (outcome: 'complete' | 'waiting' | 'stuck' | 'failed') =>
  replace('run-ended', (event: Event & { type: 'run-ended' }) => [{ ...event, outcome }]);

/** Two reviews at once: the state is told that none goes on. */
const twoReviews: Plant = (events, state) => {
  for (const plan of state.plans.values()) plan.reviewing = 0;
  return events;
};

/** Two merges at once: the state is told that none goes on. */
const twoMerges: Plant = (events, state) => {
  for (const plan of state.plans.values()) plan.merging = 0;
  return events;
};

const mergedEarly = replace('merge-scheduled', ({ plan, run, task, attempt }: Event & { type: 'merge-scheduled' }) => [
  { type: 'task-completed', v: 1, plan, run, task, attempt },
]);

/** Nobody takes the lock on the tree of results. */
const twoOnResults = replace('lock-acquired', (event: Event & { type: 'lock-acquired' }) =>
  event.resource.startsWith('tree:') ? [] : [event],
);

/** The queue is turned round. */
const lastReviewFirst: Plant = (events, state) =>
  events.map((event) => {
    if (event.type !== 'review-scheduled') return event;
    const plan = state.plans.get(event.plan)!;
    const last = [...plan.toReview].at(-1)!;
    return { ...event, task: plan.plan.tasks[last]!.id, attempt: plan.tasks[last]!.ended!.attempt };
  });

const questionDropped = replace('decision-opened', (event: Event & { type: 'decision-opened' }) => [
  event,
  { type: 'decision-closed', v: 1, plan: event.plan, decision: event.decision },
]);

/** A task starts while its own check or review goes on. */
const startedBeside: Plant = (events, state) => {
  const [live] = [...state.live.values()].filter(({ job }) => job.kind !== 'attempt');
  if (!live) return events;
  const { plan, run, task, host } = live;
  const attempt = `${task}#99` as never;
  return [...events, { type: 'attempt-scheduled', v: 1, plan, run, task, attempt, token: state.token + 9, host }];
};

const closedEarly: Plant = (events, state) =>
  events.map((event) => {
    if (event.type !== 'attempt-scheduled') return event;
    const plan = state.plans.get(event.plan)!;
    const last = plan.closing.find((i) => plan.tasks[i]!.status === 'pending' && !plan.tasks[i]!.live);
    if (last === undefined) return event;
    const task = plan.plan.tasks[last]!.id;
    return { ...event, task, attempt: `${task}#${plan.tasks[last]!.attempts + 1}` as never };
  });

const startedWhenAsked: Plant = (events) =>
  events.flatMap((event) => {
    if (event.type !== 'decision-opened' || event.kind !== 'soft-failure') return [event];
    const { plan, run, task } = event;
    const attempt = `${task}#99` as never;
    const started = { type: 'attempt-scheduled', v: 1, plan, run: run!, task: task!, attempt, token: 9_999 } as const;
    return [event, { ...started, host: 'here' as never }];
  });

describe('each of these mistakes is noticed', () => {
  it.each<[string, Plant, string]>([
    ['a check is taken for green', completedEarly, 'done needs green checks'],
    ['a review is taken for an approval', approvedEarly, 'done needs an approval'],
    ['a failure is taken for success', completedAnyway, 'done needs a good end'],
    ['a task is skipped and nobody said so', skippedSilently, 'nothing is skipped silently'],
    ['an answer counts twice', answeredTwice, 'answered at most once'],
    ['attempts never run out', neverExhausted, 'five failures and rejections'],
    ['two reviews at once', twoReviews, 'one review at a time'],
    ['two merges at once', twoMerges, 'one merge at a time'],
    ['what waits to be merged is called done', mergedEarly, 'done needs a merge'],
    ['two work in the tree of results', twoOnResults, 'one at a time in the tree of results'],
    ['the last to come is reviewed first', lastReviewFirst, 'reviews in order of arrival'],
    ['a question is closed unanswered', questionDropped, 'a question stays until it is answered or moot'],
    ['an attempt starts beside the check of the one before', startedBeside, 'one thing at a time'],
    ['the last step comes before the others', closedEarly, 'closing comes last'],
    ['it starts although somebody was asked first', startedWhenAsked, 'asked before it starts'],
    ['everything is called complete', outcomeNamed('complete'), 'true outcome'],
    ['everything is called waiting', outcomeNamed('waiting'), 'true outcome'],
    ['everything is called stuck', outcomeNamed('stuck'), 'true outcome'],
    ['everything is called failed', outcomeNamed('failed'), 'true outcome'],
  ])('%s', (_, sabotage, promise) => {
    const told = new Set<string>();
    for (let seed = 1; seed <= 300 && !told.has(promise); seed++) {
      const { broken } = simulateVerification(seed, { sabotage });
      if (broken) told.add(broken.promise);
    }
    expect([...told]).toContain(promise);
  });
});
