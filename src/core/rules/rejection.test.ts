// What becomes of a rejected attempt.
import { describe, expect, it } from 'vitest';
import { verifying } from '../../../test/verify-scenario.ts';
import { defaultLivelock } from '../model/defaults.ts';
import type { LivelockRules } from '../model/run-event.ts';

const agent = { agent: 'x', review: 'agent', retries: 9 } as const;
const all = { a: agent, b: agent, c: agent };
const rules = (change: Partial<LivelockRules>) => ({ livelock: { ...defaultLivelock, ...change } });

describe('the same rejection again and again', () => {
  it('stops the task at the third, and asks with the evidence', () => {
    const scenario = verifying('a, b', all)
      .rejected('a', 'low', 'null in a.ts:1')
      .rejected('a', 'medium', 'null in b.ts:9');
    expect(scenario.going()).toEqual(['b#1', 'a#3']);
    scenario.rejected('a', 'low', 'null in c.ts');
    expect([scenario.status('a'), scenario.asked()]).toEqual(['suspended', ['d1 livelock a']]);
    expect(scenario.decision().evidence).toEqual({
      kind: 'same-rejection',
      times: 3,
      issues: [{ message: 'null in c.ts' }],
    });
    expect(scenario.decision().options[0]).toBe('go-on');
  });

  it('another one in between starts the counting anew', () => {
    const scenario = verifying('a, b', all);
    for (const message of ['null', 'null', 'leak', 'null']) scenario.rejected('a', 'low', message);
    expect(scenario.asked()).toEqual([]);
  });

  it('goes before the high severity of the last one', () => {
    const scenario = verifying('a, b', all).rejected('a', 'low').rejected('a', 'low').rejected('a', 'high');
    expect(scenario.asked()).toEqual(['d1 livelock a']);
  });

  it.each([0, 2, 5])('by a threshold of %i', (sameRejections) => {
    const scenario = verifying('a, b', all, rules({ sameRejections }));
    for (let n = 1; n <= 4 && scenario.task('a').live; n++) scenario.rejected('a', 'low');
    expect(scenario.asked()).toEqual(sameRejections === 2 ? ['d1 livelock a'] : []);
  });

  it('go-on lets it run, and the counting starts anew', () => {
    const scenario = verifying('a, b', all)
      .rejected('a', 'low')
      .rejected('a', 'low')
      .rejected('a', 'low')
      .answer('go-on');
    expect([scenario.going(), scenario.task('a').repeated]).toEqual([['b#1', 'a#4'], null]);
    expect(scenario.rejected('a', 'low').asked()).toEqual([]);
  });

  it('no policy tries the same again', () => {
    const scenario = verifying('a, b', all, { onFailure: 'retry' })
      .rejected('a', 'low')
      .rejected('a', 'low')
      .rejected('a', 'low');
    expect(scenario.asked()).toEqual(['d1 livelock a']);
  });
});

describe('rejections', () => {
  it('of low and medium severity run it again with the feedback, and use no retry', () => {
    const scenario = verifying('a, b', { a: { agent: 'x', review: 'agent', retries: 0 } }).rejected(
      'a',
      'medium',
      'null',
    );
    expect([scenario.going(), scenario.task('a').failures]).toEqual([['b#1', 'a#2'], 0]);
    expect(scenario.task('a').review).toEqual({
      verdict: 'rejected',
      severity: 'medium',
      issues: [{ message: 'null' }],
    });
  });

  it('of high severity suspend it: a question about that branch, and the others go on', () => {
    const scenario = verifying('a, b → a, c', all).rejected('a', 'high', 'insecure');
    expect([scenario.status('a'), scenario.asked(), scenario.going()]).toEqual([
      'suspended',
      ['d1 rejection a'],
      ['c#1'],
    ]);
    expect(scenario.decision()).toMatchObject({
      blocks: { tasks: ['b'] },
      evidence: { kind: 'rejected', severity: 'high' },
    });
    expect(scenario.ends('c').says('c', 'approved').outcome()).toBe('waiting');
  });

  it('and failures together are five at most', () => {
    const scenario = verifying('a, b → a, x', { a: agent });
    for (const message of ['one', 'two', 'three', 'four']) scenario.rejected('a', 'low', message);
    scenario.ends('a', 1);
    expect([scenario.status('a'), scenario.task('a').attempts]).toEqual(['failed', 5]);
    const rejected = verifying('a, b → a, x', { a: agent });
    for (const message of ['one', 'two', 'three', 'four', 'five']) rejected.rejected('a', 'low', message);
    expect(rejected.task('a').failure).toEqual({ kind: 'rejected', severity: 'low', times: 5, issue: 'five' });
    expect(rejected.asked()).toEqual(['d1 failure a']);
  });

  it('without an issue fail without one', () => {
    const scenario = verifying('a, x', { a: agent }, rules({ sameRejections: 0 }));
    for (let n = 0; n < 5; n++) scenario.ends('a').says('a', { verdict: 'rejected', severity: 'low', issues: [] });
    expect(scenario.task('a').failure).toEqual({ kind: 'rejected', severity: 'low', times: 5 });
  });

  it('a person’s retry grants one more', () => {
    const scenario = verifying('a, b → a, x', { a: agent });
    for (const message of ['one', 'two', 'three', 'four', 'five']) scenario.rejected('a', 'low', message);
    expect(scenario.answer('retry').rejected('a', 'low', 'six').asked()).toEqual(['d2 failure a']);
  });

  it('are forgotten with the approval', () => {
    const scenario = verifying('a', all).rejected('a', 'low').ends('a').says('a', 'approved');
    expect(scenario.task('a')).toMatchObject({ rejections: 0, review: null, repeated: null });
  });
});
