import { describe, expect, it } from 'vitest';
import type { AgentReport } from '../model/agent-result.ts';
import { attemptId, taskId } from '../model/ids.ts';
import { type Conversation, conversationAfter } from './conversation.ts';

const nth = (n: number) => attemptId(taskId('a'), n);
const used = (n: number) => ({ input: n, output: 2 * n, cached: 3 * n, cacheWrite: 4 * n });
const report = (more: Partial<AgentReport> = {}): AgentReport => ({
  ...{ by: 'claude', class: 'done', session: 's1', folder: '/w', told: 't1' },
  ...more,
});
const first: Conversation = {
  ...{ id: 's1', attempt: nth(1), by: 'claude', account: 'claude login', folder: '/w', told: 't1' },
  used: used(10),
};
const since = (before: Conversation | null, more: AgentReport | undefined) =>
  conversationAfter(before, { attempt: nth(2), account: 'claude login', report: more });
const without = (name: 'session' | 'folder' | 'told', more: Partial<AgentReport> = {}): AgentReport => {
  const { [name]: _, ...rest } = report(more);
  return rest;
};

describe('the conversation after an attempt', () => {
  it('is that of the attempt', () => {
    expect(since(null, report())).toEqual({ ...first, attempt: nth(2), used: used(0) });
    expect(conversationAfter(null, { attempt: nth(2), report: report() })).not.toHaveProperty('account');
  });

  it('has used what all attempts in it have, of all models; another one begins anew', () => {
    const usage = [
      { model: 'x', ...used(1) },
      { model: 'y', ...used(2) },
    ];
    expect(since(first, report({ usage, resumed: true }))!.used).toEqual(used(13));
    expect(since(first, report({ usage, session: 's2' }))!.used).toEqual(used(3));
  });

  it.each<[string, AgentReport | undefined]>([
    ['of which nothing is known', undefined],
    ['that had none', without('session')],
    ['that an older version recorded', without('folder')],
    ['that an older version recorded', without('told')],
  ])('stays what it was after one %s', (_, said) => {
    expect(since(first, said)).toBe(first);
    expect(since(null, said)).toBeNull();
  });

  it.each<[Conversation['over'], AgentReport]>([
    [undefined, report({ class: 'crash' })],
    [undefined, report({ class: 'killed', resumed: true })],
    [undefined, report({ class: 'rate-limit', resumed: true })],
    ['too-long', report({ class: 'context' })],
    ['gone', report({ class: 'crash', resumed: true })],
    ['gone', report({ class: 'no-conversation', resumed: true })],
    ['gone', without('session', { class: 'no-conversation', resumed: true })],
  ])('is over: %s with %j', (over, said) => {
    expect(since(first, said)!.over).toBe(over);
  });

  it('is not made up by an attempt that should go on and has none', () => {
    expect(since(null, without('session', { resumed: true }))).toBeNull();
  });
});
