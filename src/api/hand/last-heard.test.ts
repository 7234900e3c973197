import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../core/model/event.ts';
import { lastHeard, whoDid } from './last-heard.ts';

const event = (type: string, more: object = {}) => ({ type, v: 1, plan: 'p', ...more }) as unknown as StoredEvent;

describe('who did something', () => {
  it.each<[StoredEvent, string | undefined]>([
    [event('task-skipped', { by: 'ann' }), 'ann'],
    [event('decision-answered', { by: 'ann' }), 'ann'],
    [event('attempt-started'), undefined],
    [event('task-failed', { by: 'ann' }), 'ann'],
    [event('task-failed', { by: 'ann', stuck: true }), undefined],
    [event('lock-waiting', { agent: 'ann' }), 'ann'],
    [event('lock-renewed', { agent: 'ann' }), 'ann'],
    [event('lock-acquired', { agent: 'ann' }), 'ann'],
    [event('lock-acquired', { agent: 'ann', ticket: 7 }), undefined],
    [event('lock-acquired', { attempt: 'a#1' }), undefined],
    [event('lock-refused', { agent: 'ann' }), 'ann'],
    [event('lock-refused', { agent: 'ann', ticket: 7 }), undefined],
    [event('lock-wait-ended', { agent: 'ann', because: 'timeout' }), 'ann'],
    [event('lock-wait-ended', { agent: 'ann', because: 'died' }), undefined],
    [event('lock-released', { agent: 'ann', because: 'released' }), 'ann'],
    [event('lock-released', { agent: 'ann', because: 'expired' }), undefined],
    [event('lock-released', { agent: 'ann', because: 'forced', by: 'bob' }), 'bob'],
  ])('%j', (stored, name) => {
    expect(whoDid(stored)).toBe(name);
  });
});

describe('when somebody was heard of', () => {
  /** One event per millisecond; `read` counts how many were looked at. */
  function storeOf(events: readonly StoredEvent[]) {
    const all = events.map((one, i) => ({ ...one, seq: i + 1, at: i + 1 }));
    const store = {
      read: 0,
      async events({ after = 0, limit = Number.POSITIVE_INFINITY }) {
        const part = all.slice(after, after + limit);
        store.read += part.length;
        return part;
      },
    };
    return store;
  }
  const noise = (count: number) => Array.from({ length: count }, () => event('attempt-started'));
  const skip = (by: string) => event('task-skipped', { by });

  it('is when they did the last of what they did', async () => {
    const store = storeOf([skip('ann'), skip('bob'), skip('ann'), ...noise(2)]);
    const heard = await lastHeard(store, new Map([['ann', 1]]), 5);
    expect([...heard]).toEqual([['ann', 3]]);
  });

  it('stays what is known of them when they did nothing since', async () => {
    const store = storeOf([skip('ann'), skip('bob'), ...noise(3)]);
    const heard = await lastHeard(
      store,
      new Map([
        ['ann', 2],
        ['eve', 1],
      ]),
      5,
    );
    expect([...heard]).toEqual([
      ['ann', 2],
      ['eve', 1],
    ]);
  });

  it('is looked for as far back as the last sign, and no further than what was seen', async () => {
    const store = storeOf([...noise(5_000), skip('ann'), ...noise(2_000), skip('ann')]);
    const heard = await lastHeard(store, new Map([['ann', 4_990]]), 7_001);
    expect([...heard]).toEqual([['ann', 5_001]]);
    expect(store.read).toBe(3_000);
  });
});
