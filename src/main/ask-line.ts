// One line from the person at the terminal. Between questions the terminal is as it was, so that a run can be interrupted.
import { createInterface } from 'node:readline';

const typedAheadMs = 30;

export async function askLine(prompt: string): Promise<string | null> {
  await forgetTypedAhead();
  const { stdin, stdout } = process;
  const lines = createInterface({ input: stdin, output: stdout, terminal: true, historySize: 0 });
  try {
    return await new Promise<string | null>((resolve) => {
      lines.on('SIGINT', () => resolve(null));
      lines.on('close', () => resolve(null));
      lines.question(prompt, resolve);
    });
  } finally {
    lines.close();
    stdin.pause();
  }
}

/** Keys pressed before the question was shown cannot be meant for it. */
async function forgetTypedAhead(): Promise<void> {
  const { stdin } = process;
  const forget = () => undefined;
  stdin.setRawMode(true);
  stdin.on('data', forget);
  await new Promise((resolve) => setTimeout(resolve, typedAheadMs));
  stdin.off('data', forget);
  stdin.pause();
  stdin.setRawMode(false);
}
