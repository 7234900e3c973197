// `npm run prove -- fuzz [--inputs N] [--seed S] [--from F] [--only NUMBER]`: every reader with inputs that nobody would write, in
// processes with little memory. A failure is printed with what it takes to see it again, and made small.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { WorkerNotice } from './worker.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '20261115' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const from = Number(values.only ?? values.from);
const inputs = values.only === undefined ? Number(values.inputs) : 1;
if (![seed, from, inputs].every((n) => Number.isInteger(n) && n >= 0) || inputs < 1) {
  console.error('usage: npm run prove -- fuzz [--inputs N] [--seed S] [--from F] [--only NUMBER]');
  process.exit(2);
}

const startedAt = performance.now();
const mostFailures = 20;
/** A batch takes seconds; a process that says nothing for this long hangs. */
const patienceMs = 60_000;
let failures = 0;
let next = from;
const to = from + inputs;
while (next < to && failures < mostFailures) next = await work(next, to, 2_000);
const seconds = (performance.now() - startedAt) / 1_000;
console.log(
  `${next - from} inputs, ${failures} failed, ${seconds.toFixed(1)} s, ${Math.round((next - from) / seconds)} per second, seed ${seed}`,
);
process.exit(failures > 0 ? 1 : 0);

/** Up to where it came; an input that killed the process, or that it never came back from, is found one by one and passed. */
async function work(first: number, end: number, step: number): Promise<number> {
  const { reached, isDone } = await runWorker(first, end, step);
  if (isDone || failures >= mostFailures) return reached;
  if (step > 1) return work(reached, Math.min(end, reached + step), 1);
  report(reached, 'this input', 'the process died or hung: endless, or more than 200 MB', '');
  return reached + 1;
}

function runWorker(first: number, end: number, step: number): Promise<{ reached: number; isDone: boolean }> {
  return new Promise((resolve) => {
    const worker = fork(`${import.meta.dirname}/worker.ts`, [seed, first, end, step].map(String), {
      execArgv: ['--max-old-space-size=200'],
    });
    let reached = first;
    let timer = setTimeout(() => worker.kill('SIGKILL'), patienceMs);
    worker.on('message', (notice: WorkerNotice) => {
      clearTimeout(timer);
      timer = setTimeout(() => worker.kill('SIGKILL'), patienceMs);
      if (notice.kind === 'reached') {
        reached = notice.number;
        if (reached % 50_000 === 0) progress(reached);
      } else if (notice.kind === 'failed') report(notice.number, notice.target, notice.wrong, notice.shrunk);
      else report(notice.number, 'all readers', `memory grew by ${Math.round(notice.bytes / 2 ** 20)} MB`, '');
      if (failures >= mostFailures) worker.kill('SIGKILL');
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve({ reached, isDone: reached >= end });
    });
  });
}

function progress(reached: number): void {
  const rate = (reached - from) / ((performance.now() - startedAt) / 1_000);
  console.log(`${reached - from} of ${inputs}, ${failures} failed, ${Math.round(rate)} per second`);
}

function report(number: number, target: string, wrong: string, shrunk: string): void {
  failures++;
  console.log(`\nFAILED input ${number} for ${target}: ${wrong}`);
  if (shrunk !== '') console.log(`made small: ${JSON.stringify(shrunk)}`);
  console.log(`see it again: npm run prove -- fuzz --seed ${seed} --only ${number}\n`);
}
