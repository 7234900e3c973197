// For tests: a process that dies at its nth write, without a process: from then on nothing is written any more.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const writes = ['openSync', 'writeFileSync', 'fsyncSync', 'linkSync', 'renameSync', 'rmSync', 'mkdirSync'] as const;

/** True: it came to its nth write. */
export async function dyingAt(nth: number, work: () => Promise<unknown>): Promise<boolean> {
  const originals = writes.map((name) => [name, fs[name]] as const);
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  let calls = 0;
  for (const [name, original] of originals) {
    functions[name] = (...args) => {
      const isReading = name === 'openSync' && (args[1] === 'r' || typeof args[1] === 'number');
      if (!isReading && ++calls >= nth) throw Object.assign(new Error('dead'), { code: 'EDEAD' });
      return (original as (...all: unknown[]) => unknown)(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const [name, original] of originals) functions[name] = original as never;
    syncBuiltinESMExports();
  }
  return calls >= nth;
}

/** What it was writing is left by a process that is no more. */
export function disownDrafts(folder: string): void {
  for (const name of fs.readdirSync(folder))
    if (name.endsWith(`.${process.pid}.new`))
      fs.renameSync(`${folder}/${name}`, `${folder}/${name.replace(/\d+\.new$/, '999999999.new')}`);
}
