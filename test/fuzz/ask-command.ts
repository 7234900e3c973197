// Hands a hostile file to the real command line, and tells its answer and its time, its start included.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface CommandAnswer {
  readonly ms: number;
  readonly megabytes: number;
  readonly exitCode: number | null;
  readonly codes: readonly string[];
}

const launcher = resolve(import.meta.dirname, '../../bin/signalbox.cjs');

/** In a folder that holds nothing else. */
export function askCommand(file: string, text: string): CommandAnswer {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  try {
    writeFileSync(join(folder, file), text);
    // Settings are read for a plan, and it is theirs that is refused.
    if (file === 'signalbox.yaml') writeFileSync(join(folder, 'plan.md'), '- [ ] a: x\n');
    return askIn(folder, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of a folder that has it already. */
export function askIn(folder: string, file: string): CommandAnswer {
  const child = spawnSync(
    process.execPath,
    ['--require', `${import.meta.dirname}/tell-cost.cjs`, launcher, ...asking(file), '--json'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 10_000_000,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      timeout: 30_000,
      killSignal: 'SIGKILL',
    },
  );
  if (child.signal) throw new Error(`${child.signal}: ${child.stderr.slice(0, 1_000)}`);
  const { clock, processor, megabytes } = JSON.parse(child.output[3]!) as Record<string, number>;
  // A busy machine makes the clock run on, and the collector of garbage counts on other cores: the smaller one is the reader's.
  const ms = Math.min(clock!, processor!);
  const { diagnostics = [] } = JSON.parse(child.stdout) as { diagnostics?: { code: string }[] };
  return {
    ms,
    megabytes: megabytes!,
    exitCode: child.status,
    codes: [...new Set(diagnostics.map(({ code }) => code))],
  };
}

function asking(file: string): readonly string[] {
  if (file.endsWith('.json')) return ['import', 'taskmaster', file];
  if (file.endsWith('.jsonl')) return ['import', 'beads', file];
  return ['check', file === 'signalbox.yaml' ? 'plan.md' : file];
}
