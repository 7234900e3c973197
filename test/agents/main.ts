// `npm run test:agents`: the real programs against scripted models. Names of kinds choose among them; everything else goes to vitest.
// A program that cannot be installed is a line for a person and a failure for CI.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type AgentName, installed, programs } from './programs.ts';

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
  const ended = spawnSync(process.execPath, [vitest, 'run', '--config', 'vitest.agents.config.ts', ...rest], {
    stdio: 'inherit',
    env: { ...process.env, SIGNALBOX_TEST_KINDS: ready.join(',') },
  });
  status = ended.status ?? 1;
}
// At the end, where it is seen.
for (const line of skipped) console.error(line);
process.exit(status);
