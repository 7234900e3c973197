// A setup of trees that fails is the same for all tasks: it costs no task a retry, and the second failure in a row pauses the plan.
import { expect, it } from 'vitest';
import { restored } from '../../../test/restored.ts';
import { type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import type { AttemptEnd } from '../model/failure.ts';
import type { Isolation } from '../model/run-event.ts';

const isolation: Isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '' };
const keys = { agent: 'ann', check: [], retries: 0 };
const broken: AttemptEnd = {
  kind: 'unstartable',
  message: 'npm ci ended:\nx\nnot found',
  permanent: false,
  setup: 'npm ci',
};
const begin = (text = 'a\nb\nc') => verifying(text, { a: keys, b: keys, c: keys }, { isolation });
const paused = ({ plan }: VerifyScenario) => plan.paused && { by: plan.paused.by, reason: plan.paused.reason };
const resume = (s: VerifyScenario) => s.record({ type: 'plan-resumed', v: 1, plan: s.plan.path, by: 'ann' }).goOn();

it.each<[string, (s: VerifyScenario) => VerifyScenario, boolean]>([
  ['once', (s) => s.ends('a', broken), false],
  ['twice in a row, of two tasks', (s) => s.ends('a', broken).ends('b', broken), true],
  ['twice in a row, of one task', (s) => s.ends('a', broken).wait(5_000).ends('a', broken), true],
  ['once before and once after one that went well', (s) => s.ends('a', broken).start('b').ends('c', broken), false],
  [
    'twice, and then something else',
    (s) => s.ends('a', broken).ends('b', broken).ends('c', 0, { changed: true }),
    true,
  ],
  ['once before and once after a person resumed', (s) => resume(s.ends('a', broken)).ends('b', broken), false],
  [
    'twice after that',
    (s) => resume(s.ends('a', broken).ends('b', broken)).ends('c', broken).wait(9e5).ends('a', broken),
    true,
  ],
])('fails %s', (_, happens, isPaused) => {
  const s = happens(begin());
  const reason = 'the setup of trees (npm ci) failed twice in a row: not found; put it right, then: signalbox resume';
  expect(paused(s)).toEqual(isPaused ? { by: 'signalbox', reason } : null);
  expect(restored(s.state, s.events).plans.get(s.plan.path)!.run!.unprepared).toBe(s.plan.run!.unprepared);
});

it('costs no retry, is no failure of the task, and is tried again a little later', () => {
  const s = begin('a').ends('a', broken);
  expect([s.status('a'), s.task('a').failures, s.task('a').failure, s.going()]).toEqual(['pending', 0, null, []]);
  expect(s.wait(5_000).going()).toEqual(['a#2']);
});

it('is told once, however many attempts find it meanwhile', () => {
  const s = begin().ends('a', broken).ends('b', broken).ends('c', broken);
  expect([s.wait(9e5).going(), s.plan.run!.ended!.outcome]).toEqual([[], 'paused']);
  expect(resume(s).runAgain({ isolation }).going()).toEqual(['a#2', 'b#2', 'c#2']);
  expect(s.events.filter(({ type }) => type === 'plan-paused')).toHaveLength(1);
});

it('lets a conflict that came before still be the first of two', () => {
  const work = { changed: true, work: { branch: 'tries/a.1', base: 'aaa', head: 'bbb' } };
  const s = begin('a').ends('a', 0, work).merges('a', 'conflict').ends('a', broken).wait(5_000);
  expect(s.ends('a', 0, work).merges('a', 'conflict').decision().kind).toBe('conflict');
});

it('that printed nothing is told without it', () => {
  const silent = { ...broken, message: 'it ended with code 1' };
  const s = begin().ends('a', silent).ends('b', silent);
  expect(paused(s)?.reason).toBe(
    'the setup of trees (npm ci) failed twice in a row; put it right, then: signalbox resume',
  );
});
