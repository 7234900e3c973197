import { describe, expect, it } from 'vitest';
import { describeStore } from '../../../test/rigs/conformance.ts';
import { paused } from '../../../test/rigs/sample-events.ts';
import { MemoryLog } from './memory-log.ts';
import { openMemory } from './open-memory.ts';

const systemClock = { now: () => Date.now() };

describeStore('memory', async () => {
  const log = new MemoryLog();
  return {
    open: async (clock = systemClock) => openMemory(log, clock),
    alterSnapshot: async (how) => {
      const kept = log.snapshot;
      if (!kept) return;
      if (how === 'text') log.snapshot = { ...kept, workspace: '{' };
      else if (how === 'version') log.snapshot = { ...kept, version: -1 };
      else log.snapshot = { ...kept, workspace: JSON.stringify({ ...JSON.parse(kept.workspace), ...how }) };
    },
    dispose: async () => undefined,
  };
});

describe('memory', () => {
  it('keeps the log when all handles are gone, as a database would', async () => {
    const log = new MemoryLog('w');
    const first = openMemory(log, systemClock);
    await first.transact((tx) => tx.record(paused('x')));
    await first.close();
    expect(await openMemory(log, systemClock).read((state) => state.seq)).toBe(1);
  });
});
