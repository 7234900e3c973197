import type { DeadlockStep, OwnerId } from './lock-table.ts';
export function cycleWords(steps: readonly DeadlockStep[], nameOf: (owner: OwnerId) => string): string {
  return steps.map((s) => `${nameOf(s.owner)} waits for ${s.waitsFor}, held by ${nameOf(s.heldBy)}`).join(', ');
}
