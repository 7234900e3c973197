// One handle on a log in memory, with a cached state of its own: to the simulator it is a process of its own.
import { CachedStore } from '../cached-store.ts';
import type { Store, StoreClock } from '../store.ts';
import { MemoryHandle } from './memory-handle.ts';
import type { MemoryLog } from './memory-log.ts';

export function openMemory(log: MemoryLog, clock: StoreClock): Store {
  return new CachedStore(new MemoryHandle(log, clock), log.rows.length, clock);
}
