// Loading and checking a large plan against `JSON.parse` of the same plan, side by side in every round of one process; and
// once in a fresh process, cold, as a command pays for it. Bundled by run.mjs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { planPath } from '../src/core/model/ids.ts';
import { readPlan } from '../src/plan/read-plan.ts';
import { type LargePlan, largePlan, type Size, sizes } from './large-plan.ts';

const forms = ['markdown', 'yaml'] as const;
type Form = (typeof forms)[number];
/** In ms: by the clock, and of all threads, where the collector's helpers count too. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}
type Costs = Record<Form | 'json', Cost[]>;

const tasks = 100_000;

function load(plan: LargePlan, form: Form | 'json'): unknown {
  if (form === 'json') return JSON.parse(plan.json);
  const file = form === 'markdown' ? 'plan.md' : 'plan.yaml';
  const reading = readPlan({ text: plan[form], file, path: planPath(file) });
  if (reading.plan?.tasks.length !== tasks) throw new Error(JSON.stringify(reading.diagnostics[0]));
  return reading.plan;
}

function timed(plan: LargePlan, form: Form | 'json'): Cost {
  globalThis.gc?.();
  const [start, used] = [performance.now(), process.cpuUsage()];
  load(plan, form);
  const { user, system } = process.cpuUsage(used);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

/** The first round warms up and does not count. */
function warm(plan: LargePlan, rounds: number): Costs {
  const costs: Costs = { json: [], markdown: [], yaml: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const form of ['json', ...forms] as const) {
      const cost = timed(plan, form);
      if (round > 0) costs[form].push(cost);
    }
  }
  return costs;
}

/** Each form in a process of its own that has done nothing before but make the text. */
function cold(size: Size, rounds: number): Costs {
  const once = (form: Form | 'json'): Cost => {
    const args = ['--expose-gc', fileURLToPath(import.meta.url), 'cold', size, form];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return JSON.parse(stdout);
  };
  const costs: Costs = { json: [], markdown: [], yaml: [] };
  for (let round = 0; round < rounds; round++) {
    for (const form of ['json', ...forms] as const) costs[form].push(once(form));
  }
  return costs;
}

function print(what: string, costs: Costs): void {
  const median = (form: Form | 'json', of: keyof Cost) => {
    const sorted = costs[form].map((cost) => cost[of]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)]!;
  };
  for (const form of forms) {
    const ratio = (of: keyof Cost) => (median(form, of) / median('json', of)).toFixed(1);
    const name = form === 'yaml' ? 'YAML' : form;
    const [own, json] = [median(form, 'wall').toFixed(0), median('json', 'wall').toFixed(0)];
    console.log(
      `${`load ${tasks} ${what} tasks of ${name}`.padEnd(48)} ${ratio('wall')} × JSON.parse of the same plan (${own} of ${json} ms), ${ratio('cpu')} × its processor time`,
    );
  }
}

const [mode, size, form] = process.argv.slice(2);
if (mode === 'cold') {
  console.log(JSON.stringify(timed(largePlan(size as Size, tasks), form as Form | 'json')));
} else {
  for (const size of sizes) {
    print(`${size}`, warm(largePlan(size, tasks), 9));
    print(`${size}, cold,`, cold(size, 5));
  }
}
