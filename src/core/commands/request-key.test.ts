// What a repeated call finds: the same success, a refusal, or nothing.
import { describe, expect, it } from 'vitest';
import { restored } from '../../../test/restored.ts';
import { log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { KeyedCall } from '../model/hand-event.ts';
import type { Answer } from './accept-or-refuse.ts';
import { markCompleted, markFailed, markStarted } from './mark-task.ts';
import { heardBefore, isRequestKey } from './request-key.ts';
import { retryTask } from './steer.ts';

const loaded = () => log(planOf('a, b', { keys: { a: { retries: 5 } } })).load();

function recorded(s: Scenario, answer: Answer): Scenario {
  if (!answer.ok) throw new Error(answer.because);
  return s.record(...answer.events).settle();
}
const by = 'ann';
const start = (s: Scenario, request?: string) =>
  recorded(s, markStarted(s.state, s.plan, 0, { by, ...(request === undefined ? {} : { request }) }));
const complete = (s: Scenario, request: string, more = {}) =>
  recorded(s, markCompleted(s.state, s.plan, 0, { by, request, checks: 0, ...more }));
const fail = (s: Scenario, request: string) =>
  recorded(s, markFailed(s.state, s.plan, 0, { by, request, error: 'no', now: 1 }));
const retry = (s: Scenario) => recorded(s, retryTask(s.plan, 0, { by }));

/** `new`, the attempt of the call that is repeated, or the refusal. */
function heard(s: Scenario, call: KeyedCall, key: string, { task = 0, as = by } = {}): string {
  const found = heardBefore(s.plan, task, { key, call, by: as });
  if (found === null) return 'new';
  return 'ok' in found ? found.because : `repeats ${found.attempt}`;
}

describe('a call with a key', () => {
  it.each<[string, (s: Scenario) => Scenario, KeyedCall, string, object, string]>([
    ['the first', (s) => s, 'mark-started', 'k', {}, 'new'],
    ['after one without a key', (s) => start(s), 'mark-started', 'k', {}, 'new'],
    ['after one with another key', (s) => start(s, 'j'), 'mark-started', 'k', {}, 'new'],
    ['a start again', (s) => start(s, 'k'), 'mark-started', 'k', {}, 'repeats a#1'],
    [
      'a start again, when it is completed',
      (s) => complete(start(s, 'k'), 'c'),
      'mark-started',
      'k',
      {},
      'repeats a#1',
    ],
    ['a start again, when it failed', (s) => fail(start(s, 'k'), 'f'), 'mark-started', 'k', {}, 'repeats a#1'],
    ['handing in again', (s) => complete(start(s), 'k'), 'mark-complete', 'k', {}, 'repeats a#1'],
    ['handing in at once, again', (s) => complete(s, 'k'), 'mark-complete', 'k', {}, 'repeats a#1'],
    [
      'against a rule, again',
      (s) => complete(complete(s, 'c'), 'k', { force: true }),
      'mark-complete',
      'k',
      {},
      'repeats null',
    ],
    ['failing again', (s) => fail(start(s), 'k'), 'mark-failed', 'k', {}, 'repeats a#1'],
    ['failing again, after the next start', (s) => start(fail(s, 'k'), 'j'), 'mark-failed', 'k', {}, 'repeats a#1'],
    ['a start, when a person opened it again', (s) => retry(fail(start(s, 'k'), 'f')), 'mark-started', 'k', {}, 'new'],
    [
      'another command',
      (s) => start(s, 'k'),
      'mark-complete',
      'k',
      {},
      'the request key "k" was already used by ann: signalbox mark-started a',
    ],
    [
      'another task',
      (s) => start(s, 'k'),
      'mark-started',
      'k',
      { task: 1 },
      'the request key "k" was already used by ann: signalbox mark-started a',
    ],
    [
      'another caller',
      (s) => start(s, 'k'),
      'mark-started',
      'k',
      { as: 'ben' },
      'the request key "k" was already used by ann: signalbox mark-started a',
    ],
  ])('%s', (_, before, call, key, more, expected) => {
    const s = before(loaded());
    expect(heard(s, call, key, more)).toBe(expected);
    // And so for whoever starts from a snapshot.
    const kept = restored(s.state, s.events).plans.get(s.plan.path)!;
    expect(heardBefore(kept, 0, { key, call, by })).toEqual(heardBefore(s.plan, 0, { key, call, by }));
  });

  it('only the last keys are kept', () => {
    const s = loaded();
    for (let n = 0; n < 11; n++) retryless(s, n);
    expect(s.plan.tasks[0]!.requests).toHaveLength(20);
    expect(heard(s, 'mark-started', 's0')).toBe('new');
    expect(heard(s, 'mark-started', 's1')).toBe('repeats a#2');
  });
});

function retryless(s: Scenario, n: number): void {
  const force = { force: true };
  recorded(s, markStarted(s.state, s.plan, 0, { by, request: `s${n}`, ...force }));
  fail(s, `f${n}`);
}

describe('a key', () => {
  it.each([
    ['k', true],
    ['3f1c-77 start:api/é', true],
    ['👍', true],
    ['k'.repeat(200), true],
    ['👍'.repeat(200), true],
    ['k'.repeat(201), false],
    ['', false],
    ['   ', false],
    ['a\nb', false],
    ['a\u001b[2Jb', false],
    ['a\u202eb', false],
    ['\ud800', false],
  ])('%j: %s', (text, isOne) => {
    expect(isRequestKey(text)).toBe(isOne);
  });
});
