// Loading and checking a large plan against `JSON.parse` of the same plan, side by side in every round of one process; and
// once in a fresh process, cold, as a command pays for it. Bundled by run.mjs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { planPath } from '../src/core/ids.ts';
import { readPlan } from '../src/plan/read-plan.ts';
import { type LargePlan, largePlan, type Size, sizes } from './large-plan.ts';

const forms = ['markdown', 'yaml'] as const;
type Form = (typeof forms)[number];
type Times = Record<Form | 'json', number>;

const tasks = 100_000;
const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

function load(plan: LargePlan, form: Form | 'json'): unknown {
  if (form === 'json') return JSON.parse(plan.json);
  const file = form === 'markdown' ? 'plan.md' : 'plan.yaml';
  const reading = readPlan({ text: plan[form], file, path: planPath(file) });
  if (reading.plan?.tasks.length !== tasks) throw new Error(JSON.stringify(reading.diagnostics[0]));
  return reading.plan;
}

/** Processor time in ms, of all threads: what else runs on the machine counts less, and the collector's helpers count too. */
function timed(plan: LargePlan, form: Form | 'json'): number {
  globalThis.gc?.();
  const start = process.cpuUsage();
  load(plan, form);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The first round warms up and does not count. */
function warm(plan: LargePlan, rounds: number): Times {
  const times: Record<Form | 'json', number[]> = { json: [], markdown: [], yaml: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const form of ['json', ...forms] as const) {
      const ms = timed(plan, form);
      if (round > 0) times[form].push(ms);
    }
  }
  return { json: median(times.json), markdown: median(times.markdown), yaml: median(times.yaml) };
}

/** Each form in a process of its own that has done nothing before but make the text. */
function cold(size: Size, rounds: number): Times {
  const once = (form: Form | 'json') => {
    const args = ['--expose-gc', fileURLToPath(import.meta.url), 'cold', size, form];
    return Number(spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).stdout);
  };
  const times: Record<Form | 'json', number[]> = { json: [], markdown: [], yaml: [] };
  for (let round = 0; round < rounds; round++) {
    for (const form of ['json', ...forms] as const) times[form].push(once(form));
  }
  return { json: median(times.json), markdown: median(times.markdown), yaml: median(times.yaml) };
}

function print(what: string, times: Times): void {
  for (const form of forms) {
    const ratio = (times[form] / times.json).toFixed(1);
    const name = form === 'yaml' ? 'YAML' : form;
    console.log(
      `${`load ${tasks} ${what} tasks of ${name}`.padEnd(48)} ${ratio} × JSON.parse of the same plan (${times[form].toFixed(0)} of ${times.json.toFixed(0)} ms)`,
    );
  }
}

const [mode, size, form] = process.argv.slice(2);
if (mode === 'cold') {
  const plan = largePlan(size as Size, tasks);
  console.log(timed(plan, form as Form | 'json'));
} else {
  for (const size of sizes) {
    print(`${size}`, warm(largePlan(size, tasks), 5));
    print(`${size}, cold,`, cold(size, 3));
  }
}
