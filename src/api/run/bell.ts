// Wakes whoever waits. Ask for the next ring before looking: nothing that happens between looking and waiting is missed.

export class Bell {
  private wakers: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.wakers.push(resolve));
  }

  ring(): void {
    for (const wake of this.wakers.splice(0)) wake();
  }
}
