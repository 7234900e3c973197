// Output that waits until it is known whether something is wrong: what `--quiet` means for commands that act or check.
import type { Io } from '../io.ts';

export interface HeldIo {
  readonly io: Io;
  /** Prints what was held. */
  release(): void;
}

export function holdBack(real: Io): HeldIo {
  let held: (() => void)[] = [];
  const release = () => {
    const printing = held;
    held = [];
    for (const print of printing) print();
  };
  const io: Io = Object.assign(Object.create(real), {
    out: (text: string) => held.push(() => real.out(text)),
    err: (text: string) => held.push(() => real.err(text)),
    // A person needs to see what they are asked about.
    ask: (prompt: string) => {
      release();
      return real.ask(prompt);
    },
  });
  return { io, release };
}
