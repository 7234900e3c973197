// Many simulations of verification, one after the other.
import { simulateVerification } from './verify-world.ts';

/** The exit code. */
export function verify(healthy: boolean, first: number, count: number, verbose: boolean): number {
  const outcomes = new Map<string, number>();
  let failures = 0;
  let all = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { broken, events, outcome } = simulateVerification(seed, { healthy });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    all += events.length;
    if (!broken) continue;
    failures++;
    console.log(`FAILED seed ${seed}: ${broken.message}`);
    const shown = verbose ? events.slice(-200) : [];
    for (const { seq, type, plan: _p, v: _v, at: _a, ...rest } of shown)
      console.log(`  ${seq} ${type} ${JSON.stringify(rest).slice(0, 220)}`);
    console.log(`see it again: npm run prove -- sim-${healthy ? 'healthy' : 'verify'} --seed ${seed} --verbose`);
  }
  const told = [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ');
  console.log(`${count} seeds, ${failures} failed, ${all} events; ${told}`);
  return failures > 0 ? 1 : 0;
}
