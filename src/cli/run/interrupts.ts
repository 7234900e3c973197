// A person's interrupts during a run: the first lets attempts end, the second stops them, the third kills them, the fourth
// leaves at once (the next run finds and adopts whatever still lives). A signal that would end the process stops them, the same once more
// kills them. A closed terminal is told by its shell and by the kernel, so SIGHUP says the same however often it comes; nor is SIGHUP
// behind SIGTERM, which is how a session ends, a second word.
import type { Io } from '../io.ts';

type Mode = 'drain' | 'stop' | 'kill';
type Stop = (mode: Mode, exitCode: 130 | 143) => void;

export class Interrupts {
  /** Resolves with the exit code when the person will not wait any longer. */
  readonly abandoned: Promise<number>;
  private stop: Stop | null = null;
  private asked: { readonly mode: Mode; readonly exitCode: 130 | 143 } | null = null;
  private interrupts = 0;
  private readonly terminations = new Set<string>();
  private abandon: (exitCode: number) => void = () => undefined;
  private readonly off: readonly (() => void)[];
  private readonly say: (words: (running: number) => string) => void;

  constructor(io: Io, say: (words: (running: number) => string) => void) {
    this.say = say;
    this.abandoned = new Promise((resolve) => {
      this.abandon = resolve;
    });
    this.off = [io.onInterrupt(() => this.interrupted()), io.onTerminate((signal) => this.terminated(signal))];
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

  private terminated(signal: string): void {
    const isFirst = this.terminations.size === 0;
    const isAgain = this.terminations.has(signal) && signal !== 'SIGHUP';
    this.terminations.add(signal);
    if (!isFirst && !isAgain) return;
    this.say(() => `received ${signal}${isFirst ? ': stopping attempts' : ' again: killing attempts'}`);
    this.ask(isFirst ? 'stop' : 'kill', 143);
  }

  private ask(mode: Mode, exitCode: 130 | 143): void {
    this.asked = { mode, exitCode };
    this.stop?.(mode, exitCode);
  }
}
