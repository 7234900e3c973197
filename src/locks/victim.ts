import type { OwnerId } from './lock-table.ts';
export interface Party {
  readonly owner: OwnerId;
  readonly ours: boolean;
  readonly firstStartedAt: number;
  readonly startedAt: number;
  readonly times: number;
  readonly id: string;
}
export type VictimPolicy = 'youngest' | 'least-progress';
export function chooseVictim(
  parties: readonly Party[],
  policy: VictimPolicy,
): { owner: OwnerId; reason: string } | null {
  const ok = parties.filter((p) => p.ours && p.times < 3);
  ok.sort(
    (a, b) =>
      (policy === 'least-progress' ? b.startedAt - a.startedAt : 0) ||
      b.firstStartedAt - a.firstStartedAt ||
      (a.id < b.id ? 1 : -1),
  );
  return ok[0] ? { owner: ok[0].owner, reason: 'of those that Signalbox may stop, it was first started last' } : null;
}
