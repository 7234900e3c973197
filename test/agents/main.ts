// `npm run test:agents`: the real programs against scripted models. Names of kinds choose among them; everything else goes to vitest.
// A program that cannot be installed is a line for a person and a failure for CI. The whole has a limit: a program that hangs where no test
// watches it must not use up CI's time.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type AgentName, installed, programs } from './programs.ts';
import { within } from './within.ts';

/** For each kind; alone on a machine it takes a third of that. */
const mostMinutes = 10;

const all = Object.keys(programs) as AgentName[];
const args = process.argv.slice(2);
const isKind = (word: string): word is AgentName => (all as string[]).includes(word);
const chosen = args.some(isKind) ? all.filter((name) => args.includes(name)) : all;
const ready: AgentName[] = [];
const skipped: string[] = [];
for (const name of chosen) {
  try {
    await installed(name);
    ready.push(name);
  } catch (error) {
    const { package: from, version } = programs[name];
    skipped.push(`SKIPPED ${name}: ${from}@${version} could not be installed: ${(error as Error).message}`);
  }
}
const isFatal = skipped.length > 0 && Boolean(process.env.CI);
let status = isFatal ? 1 : 0;
if (!isFatal && ready.length > 0) {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const rest = args.filter((word) => !isKind(word));
  const minutes = mostMinutes * ready.length;
  const ended = await within(
    AbortSignal.timeout(minutes * 60_000),
    [process.execPath, vitest, 'run', '--config', 'vitest.agents.config.ts', ...rest],
    { ...process.env, SIGNALBOX_TEST_KINDS: ready.join(',') },
  );
  status = ended.status ?? 1;
  if (ended.late !== null)
    console.error(`ENDED after ${minutes} minutes, which is the limit. Still running:\n${ended.late.join('\n')}`);
}
// At the end, where it is seen.
for (const line of skipped) console.error(line);
process.exit(status);
