// How often each kind of trouble really happened: a fault that never fires proves nothing.

export const faultKinds = [
  'crash-before-commit',
  'crash-after-commit',
  'outage-before-commit',
  'outage-after-commit',
  'runner-killed',
  'machine-rebooted',
  'journal-tail-lost',
  'supervisor-lost',
  'store-busy',
  'clock-jumped-forward',
  'clock-jumped-back',
  'snapshot-kept',
  'snapshot-damaged',
  'hint-late',
  'hint-for-nothing',
  'order-outlived-its-runner',
  'adopted-alive',
  'adopted-after-its-end',
  'called-back',
  'agent-failed',
  'agent-hung',
  'agent-silent',
  'agent-unstartable',
  'polite-stop-ignored',
  'exited-0-after-a-kill',
  'interrupted',
  'disc-slow',
  'disc-failed',
  'killed-in-salvage',
  'guest-bound',
  'guest-with-lease',
  'guest-died',
  'started-by-hand',
  'ended-by-hand',
  'deadlock-by-hand',
  'waits-side-by-side',
  'polls',
  'polls-in-a-deadlock',
  'upgrade',
  'agent-stopped',
  'lock-command-killed',
  'lock-timeout',
  'lock-forced',
  'lock-given-up',
  'deadlock-refused',
  'deadlock-victim',
  'victim-three-times',
  'detection-off',
  'least-progress',
  'plan-edited',
  'edit-taken',
  'edit-waits',
  'edit-refused',
  'reload',
  'retry',
  'redo',
  'skip',
  'skip-dependents',
  'treat-as-done',
  'suspend',
  'resume',
  'pause',
  'resume-plan',
  'stop',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Those that the simulation inflicts; the others are ways in which it then comes out. */
export class Tally {
  readonly counts = new Map<FaultKind, number>();

  fired(kind: FaultKind): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  get total(): number {
    let total = 0;
    for (const count of this.counts.values()) total += count;
    return total;
  }

  add(other: Tally): void {
    for (const [kind, count] of other.counts) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  missing(): FaultKind[] {
    return faultKinds.filter((kind) => !this.counts.has(kind));
  }
}
