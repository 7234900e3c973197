// Tasks that wait for each other for ever. Every step of the circle is told: a person then sees which one to take out.
import { taskId } from '../../core/model/ids.ts';
import { impossible } from '../../core/model/impossible.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import { type Cycle, type CycleStep, dropPreferenceCycles, findCycles } from '../../core/ready/cycle.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { RawTask } from '../read/raw-plan.ts';

/** Mending a few shows whether there are more. */
const mostCycles = 10;

/** Needs in a circle are an error; a preference that closes one is dropped with a warning. */
export function withoutCycles(written: Plan, raw: readonly RawTask[], report: Report): Plan | null {
  const isSure = new Set(written.tasks.map(({ id }) => id)).size === written.tasks.length;
  const plan = isSure ? written : withoutDoubtfulNeeds(written);
  const cycles = findCycles(plan, mostCycles);
  for (const cycle of cycles) {
    report.error({
      code: 'cycle',
      message: `these wait for each other for ever: ${describeCycle(cycle)}`,
      ...placeOfNeed(plan, raw, cycle),
      help: 'take one of these needs out',
    });
  }
  if (cycles.length > 0) return null;
  if (!plan.tasks.some((task) => task.prefers)) return plan;
  const { plan: kept, dropped } = dropPreferenceCycles(plan);
  for (const { task, preferred } of dropped) {
    const message = `${quoted(task)} prefers ${quoted(preferred)}, which waits for it: the preference is dropped`;
    const help = 'take it out, or leave it: it changes nothing';
    report.warning({ code: 'preference-cycle', message, ...placeOf(plan, raw, task, preferred), help });
  }
  return kept;
}

/** With an id twice, a need of it could mean either: no cycle is told that may only seem to be one. */
function withoutDoubtfulNeeds(plan: Plan): Plan {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of plan.tasks) (seen.has(id) ? twice : seen).add(id);
  const named = new Set<string>();
  const tasks = plan.tasks.map((task): Task => {
    const id = named.has(task.id) ? taskId(`${task.id} (line ${task.line})`) : task.id;
    named.add(task.id);
    const { needs, prefers: _, ...rest } = task;
    const sure = needs?.filter((need) => !twice.has(need));
    return { ...rest, id, ...(sure ? { needs: sure } : {}) };
  });
  const { sequences: _, ...rest } = plan;
  return { ...rest, tasks };
}

/** The first need of the circle, where it was written. */
function placeOfNeed(plan: Plan, raw: readonly RawTask[], { steps }: Cycle): Place & { length: number } {
  const { from, to } = steps.find(({ why }) => why === 'need') ?? steps[0]!;
  return placeOf(plan, raw, from, to);
}

function placeOf(plan: Plan, raw: readonly RawTask[], from: string, to: string): Place & { length: number } {
  const { references, line, column } = raw[plan.tasks.findIndex((task) => task.id === from)]!;
  const reference = references?.find(({ text }) => text === to) ?? references?.[0];
  if (!reference) return { line, column, length: 1 };
  return { line: reference.line, column: reference.column, length: reference.text.length };
}

/** Longer ones are named by their beginning and end. */
const longestCycle = 60;

function describeCycle({ steps }: Cycle): string {
  const words = (some: readonly CycleStep[]) => some.map(describeStep).join(', ');
  if (steps.length <= longestCycle) return words(steps);
  const half = longestCycle / 2;
  return `${words(steps.slice(0, half))}, … ${steps.length - longestCycle} more …, ${words(steps.slice(-half))}`;
}

function describeStep({ from, to, why }: CycleStep): string {
  const [a, b] = [quoted(from), quoted(to)];
  switch (why) {
    case 'need':
      return `${a} needs ${b}`;
    case 'preference':
      return `${a} prefers ${b}`;
    case 'part-of':
      return `${a} ends with its subtask ${b}`;
    case 'start-of':
      return `${a} waits for its group ${b} to start`;
    case 'phase':
      return `${a} waits for the phase of ${b}`;
    case 'order':
      return `${a} waits for ${b}, which stands before it`;
    default:
      return impossible(why);
  }
}
