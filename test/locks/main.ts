// `npm run prove -- lock-histories [--histories N] [--seed S] [--from F] [--only NUMBER] [--jobs J]`: random histories of locks, where the table
// has to answer like a plain one after every step. A failure is printed with what it takes to see it again, and made small.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { HistoryRun } from './lock-history.ts';
import { randomHistory, shrink, wrongOf } from './random-history.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '20261115' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    jobs: { type: 'string' },
  },
});
const seed = Number(values.seed);
const from = Number(values.only ?? values.from);
const histories = values.only === undefined ? Number(values.histories) : 1;
const jobs = Math.min(histories, Number(values.jobs ?? availableParallelism()));
if (![seed, from, histories, jobs].every((n) => Number.isInteger(n) && n >= 0) || jobs < 1) {
  console.error(
    'usage: npm run prove -- lock-histories [--histories N] [--seed S] [--from F] [--only NUMBER] [--jobs J]',
  );
  process.exit(2);
}

const startedAt = performance.now();
if (jobs === 1) process.exit(prove(from, from + histories) ? 0 : 1);
const share = Math.ceil(histories / jobs);
const parts = Array.from(
  { length: jobs },
  (_, i) => [from + i * share, Math.min(share, histories - i * share)] as const,
);
const ends = await Promise.all(
  parts.filter(([, count]) => count > 0).map(([first, count]) => proveElsewhere(first, count)),
);
const isGood = ends.every((code) => code === 0);
const seconds = (performance.now() - startedAt) / 1_000;
console.log(
  `${histories} histories, ${isGood ? 'all the same' : 'SOME DIFFER'}, ${seconds.toFixed(1)} s, ${Math.round(histories / seconds)} per second, seed ${seed}`,
);
process.exit(isGood ? 0 : 1);

function proveElsewhere(first: number, count: number): Promise<number | null> {
  const args = ['--seed', String(seed), '--from', String(first), '--histories', String(count), '--jobs', '1'];
  return new Promise((resolve) => fork(import.meta.filename, args).on('exit', resolve));
}

function prove(first: number, end: number): boolean {
  const seen = { steps: 0, grants: 0, passes: 0, waits: 0, deadlocks: 0, foreseen: 0, polled: 0, longest: 0 };
  for (let number = first; number < end; number++) {
    const history = randomHistory(seed, number);
    try {
      const run = HistoryRun.of(history);
      seen.steps += history.steps.length;
      for (const what of ['grants', 'passes', 'waits', 'deadlocks', 'foreseen', 'polled'] as const)
        seen[what] += run.seen[what];
      seen.longest = Math.max(seen.longest, run.seen.longest);
    } catch {
      report(number);
      return false;
    }
    const done = number + 1 - first;
    if (done % 100_000 === 0) {
      const rate = done / ((performance.now() - startedAt) / 1_000);
      console.log(`${done} of ${end - first} from ${first}, ${Math.round(rate)} per second`);
    }
  }
  console.log(`from ${first}: ${JSON.stringify(seen)}`);
  return true;
}

function report(number: number): void {
  const history = randomHistory(seed, number);
  if (wrongOf(history) === null) throw new Error(`history ${number} differs only once`);
  const small = shrink(history);
  console.log(
    `\nFAILED history ${number}: ${small.wrong}\nmade small (${small.history.isOrderly ? 'orderly' : 'not orderly'}):`,
  );
  for (const step of small.history.steps) console.log(`  ${JSON.stringify(step)}`);
  console.log(`see it again: npm run prove -- lock-histories --seed ${seed} --only ${number}\n`);
}
