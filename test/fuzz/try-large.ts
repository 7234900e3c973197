// Every hostile file just below the limit of size, handed to the command line: what it cost, and whether that is too much.
import { spawnSync } from 'node:child_process';
import { askCommand } from './ask-command.ts';
import { largest } from './hostile-large.ts';

const mostMs = 1_500;
const mostMegabytes = 250;

/** False when one of them failed. */
export function tryLarge(): boolean {
  // What is measured is the program as it is now.
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: `${import.meta.dirname}/../..`,
    stdio: 'inherit',
  });
  if (build.status !== 0) return false;
  const failures = Object.entries(largest).filter(([name, { file, text, codes }]) => {
    const answer = askCommand(file, text());
    const isFine =
      answer.exitCode === 3 &&
      answer.ms < mostMs &&
      answer.megabytes < mostMegabytes &&
      answer.codes.join() === codes.join();
    const cost = `${Math.round(answer.ms)} ms, ${Math.round(answer.megabytes)} MB, ${answer.codes.join(', ')}`;
    console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name}: ${cost}`);
    return !isFine;
  }).length;
  console.log(`${Object.keys(largest).length} files, ${failures} failed`);
  return failures === 0;
}
