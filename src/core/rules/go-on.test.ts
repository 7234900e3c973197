import { describe, expect, it } from 'vitest';
import { attemptId, taskId } from '../model/ids.ts';
import type { Conversation } from '../state/conversation.ts';
import { type NewBecause, type NextAttempt, talkOf } from './go-on.ts';

const earlier = attemptId(taskId('a'), 1);
const conversation: Conversation = {
  ...{ id: 'ses_1-a', attempt: earlier, by: 'claude', account: 'claude login', folder: '/w', told: 't1' },
  used: { input: 0, output: 0, cached: 0, cacheWrite: 0 },
};
const next: NextAttempt = {
  ...{ by: 'claude', account: 'claude login', folder: '/w', canResume: true, isEscalated: false },
};

describe('the next attempt', () => {
  it('goes on in the conversation of the last one', () => {
    expect(talkOf(conversation, next)).toEqual({ kind: 'goes-on', conversation });
  });

  it('has none to go on in', () => {
    expect(talkOf(null, next)).toBeNull();
  });

  it.each<[NewBecause, Partial<Conversation>, Partial<NextAttempt>]>([
    ['agent', {}, { by: 'codex' }],
    ['agent', {}, { isEscalated: true }],
    ['too-long', { over: 'too-long' }, {}],
    ['gone', { over: 'gone' }, {}],
    ['account', {}, { account: 'claude 1234' }],
    ['folder', {}, { folder: '/w2' }],
    ['program', {}, { canResume: false }],
    ['program', { id: '--continue' }, {}],
    ['program', { id: 'a b' }, {}],
    ['program', { id: '' }, {}],
  ])('begins a new one (%s) where %j and %j', (because, of, more) => {
    expect(talkOf({ ...conversation, ...of }, { ...next, ...more })).toEqual({ kind: 'new', because, earlier });
  });
});
