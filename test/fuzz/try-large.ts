// Every hostile file at 30 MB, each in a process of its own: what it cost, and whether that is too much.
import { spawnSync } from 'node:child_process';
import type { HostileAnswer } from './hostile-child.ts';
import { large30 } from './hostile-large.ts';

const mostMs = 15_000;
const mostMegabytes = 1_000;

/** False when one of them failed. */
export function tryLarge(): boolean {
  let failures = 0;
  for (const [name, { codes }] of Object.entries(large30)) {
    const child = spawnSync(
      process.execPath,
      ['--max-old-space-size=900', `${import.meta.dirname}/hostile-child.ts`, name],
      { encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' },
    );
    const answer = child.status === 0 ? (JSON.parse(child.stdout) as HostileAnswer) : null;
    const isFine =
      answer !== null && answer.ms < mostMs && answer.megabytes < mostMegabytes && answer.codes.join() === codes.join();
    if (!isFine) failures++;
    const cost =
      answer === null
        ? `${child.signal ?? child.status}: ${child.stderr.slice(0, 200)}`
        : `${Math.round(answer.ms)} ms, ${Math.round(answer.megabytes)} MB, ${answer.codes.join(', ')}`;
    console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name}: ${cost}`);
  }
  console.log(`${Object.keys(large30).length} files, ${failures} failed`);
  return failures === 0;
}
