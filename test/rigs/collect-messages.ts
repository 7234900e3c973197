// For `npm run messages`: keeps what the command line printed in tests, one line of JSON for each call, where the environment names a file.
import { appendFileSync } from 'node:fs';

export interface Printed {
  readonly args: readonly string[];
  readonly out: string;
  readonly err: string;
}

export function collectMessages({ args, out, err }: Printed): void {
  const file = process.env.COLLECT_MESSAGES;
  if (file) appendFileSync(file, `${JSON.stringify({ args, out, err })}\n`);
}
