// Runs many simulations: `npm run prove -- sim --seeds N [--seed S] [--from F] [--verbose] [--verify | --healthy]`. A failing seed is
// printed with what it takes to see it again.
import { parseArgs } from 'node:util';
import { type SimResult, simulate } from './simulate.ts';
import { Tally } from './tally.ts';
import { verify } from './verify/verify-many.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    /** Checks, reviews and decisions, on the rules alone. */
    verify: { type: 'boolean', default: false },
    /** Slow plans that get somewhere: no loop may be found. */
    healthy: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
if (!Number.isInteger(first) || !Number.isInteger(count) || count < 1) {
  console.error('usage: npm run prove -- sim [--seeds N] [--from F] [--seed S] [--verbose] [--verify | --healthy]');
  process.exit(2);
}

if (values.verify || values.healthy) process.exit(verify(values.healthy, first, count, values.verbose));

const tally = new Tally();
const startedAt = performance.now();
let failures = 0;
let events = 0;
for (let seed = first; seed < first + count; seed++) {
  const result = await simulate(seed);
  tally.add(result.tally);
  events += result.events.length;
  if (result.violation) {
    failures++;
    report(result);
  } else if (values.verbose) console.log(line(result));
  const done = seed - first + 1;
  if (done % 200 === 0)
    console.log(`${done} of ${count} seeds, ${failures} failed, ${(done / seconds()).toFixed(1)} per second`);
}
console.log(`${count} seeds, ${failures} failed, ${events} events, ${tally.total} faults, ${seconds().toFixed(1)} s`);
if (values.verbose || count >= 200)
  for (const [kind, times] of [...tally.counts].sort()) console.log(`  ${kind}: ${times}`);
// So many seeds make every kind of trouble, or what they find nothing wrong with was not tried.
const missing = count >= 1_000 ? tally.missing() : [];
if (missing.length > 0) console.log(`FAILED: never fired: ${missing.join(', ')}`);
process.exit(failures > 0 || missing.length > 0 ? 1 : 0);

function seconds(): number {
  return (performance.now() - startedAt) / 1_000;
}

function line({ seed, tasks, agents, events: all, tally: fired, outcomes, virtualMs, hash }: SimResult): string {
  const size = `${tasks} tasks, ${agents} agents at once, ${all.length} events, ${fired.total} faults`;
  return `seed ${seed}: ${outcomes.join(' and ')}; ${size}, ${Math.round(virtualMs / 1_000)} s; ${hash.slice(0, 12)}`;
}

function report(result: SimResult): void {
  console.log(`\nFAILED ${line(result)}`);
  console.log(`violated: ${result.violation!.message}`);
  const shown = values.verbose ? 200 : 25;
  for (const { seq, at, type, plan, v: _, ...rest } of result.events.slice(-shown)) {
    console.log(
      `  ${seq} ${new Date(at).toISOString().slice(11, 23)} ${type} ${plan} ${JSON.stringify(rest).slice(0, 220)}`,
    );
  }
  console.log(`see it again: npm run prove -- sim --seed ${result.seed} --verbose\n`);
}
