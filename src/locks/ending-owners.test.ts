import { describe, expect, it } from 'vitest';
import { LockTable } from './lock-table.ts';

describe('a cycle without some of its owners', () => {
  const circle = () => {
    const table = new LockTable();
    table.hold('a', 'x', 'exclusive', 1);
    table.hold('b', 'y', 'exclusive', 2);
    table.queue({ ticket: 3, owner: 'a', wants: [{ key: 'y', mode: 'exclusive' }] });
    table.queue({ ticket: 4, owner: 'b', wants: [{ key: 'x', mode: 'exclusive' }] });
    return table;
  };

  it('is none; those that nobody knows change nothing', () => {
    expect(circle().findDeadlock('a', ['b'])).toBeNull();
    expect(circle().findDeadlock('a', ['nobody'])).toHaveLength(2);
  });

  it('nor is one that would close through them', () => {
    const table = circle();
    table.unqueue(4);
    const asked = { owner: 'b', wants: [{ key: 'x', mode: 'exclusive' as const }] };
    expect(table.wouldDeadlock(asked)).toHaveLength(2);
    expect(table.wouldDeadlock(asked, ['a'])).toBeNull();
  });
});
