// A person's interrupts during a run: the first lets attempts end, the second stops them, the third kills them, the fourth
// leaves at once (the next run finds and adopts whatever still lives). A termination signal stops, a second one kills.
import type { Io } from '../io.ts';

type Mode = 'drain' | 'stop' | 'kill';
type Stop = (mode: Mode, exitCode: 130 | 143) => void;

export class Interrupts {
  /** Resolves with the exit code when the person will not wait any longer. */
  readonly abandoned: Promise<number>;
  private stop: Stop | null = null;
  private asked: { readonly mode: Mode; readonly exitCode: 130 | 143 } | null = null;
  private interrupts = 0;
  private terminations = 0;
  private abandon: (exitCode: number) => void = () => undefined;
  private readonly off: readonly (() => void)[];
  private readonly say: (words: (running: number) => string) => void;

  constructor(io: Io, say: (words: (running: number) => string) => void) {
    this.say = say;
    this.abandoned = new Promise((resolve) => {
      this.abandon = resolve;
    });
    this.off = [io.onInterrupt(() => this.interrupted()), io.onTerminate(() => this.terminated())];
  }

  /** The end was asked for at this terminal, so its event is not printed again. */
  get any(): boolean {
    return this.asked !== null;
  }

  /** The run can be stopped from now on; an earlier interrupt is passed on. */
  interruptible(stop: Stop): void {
    this.stop = stop;
    if (this.asked) stop(this.asked.mode, this.asked.exitCode);
  }

  close(): void {
    for (const unhook of this.off) unhook();
  }

  private interrupted(): void {
    this.interrupts++;
    if (this.interrupts === 1) {
      this.say((running) =>
        running === 0
          ? 'starting nothing new; Ctrl-C again stops everything'
          : `letting ${running === 1 ? '1 attempt' : `${running} attempts`} end; Ctrl-C again stops ${running === 1 ? 'it' : 'them'}`,
      );
      this.ask('drain', 130);
    } else if (this.interrupts === 2) {
      this.say(() => 'stopping attempts; Ctrl-C again kills them');
      this.ask('stop', 130);
    } else if (this.interrupts === 3) {
      this.say(() => 'killing attempts');
      this.ask('kill', 130);
    } else this.abandon(130);
  }

  private terminated(): void {
    this.terminations++;
    this.say(() =>
      this.terminations === 1 ? 'received SIGTERM: stopping attempts' : 'received SIGTERM again: killing attempts',
    );
    this.ask(this.terminations === 1 ? 'stop' : 'kill', 143);
  }

  private ask(mode: Mode, exitCode: 130 | 143): void {
    this.asked = { mode, exitCode };
    this.stop?.(mode, exitCode);
  }
}
