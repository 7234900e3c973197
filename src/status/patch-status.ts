// The next `status.json` made of the one that is there: of 10,000 tasks a command changes one or two, and the lines of the others can
// stay as they are. Only for one that nobody has touched (`as-placed.ts`): then it is what was made of the log up to its number.
import type { StoredEvent } from '../core/event.ts';
import type { TaskId } from '../core/ids.ts';
import type { PlanState } from '../core/state.ts';
import { isInFile, type StatusWorld, statusFrame, statusTasks } from './status-file.ts';
import { frameText, taskText } from './status-text.ts';

const opening = ',\n  "tasks": [\n';
const closing = '\n  ],\n  "runs": ';
const taskOpening = '\n    {"id":';
/** Nothing inside a text looks like this, as its quotes would not be bare. */
const blocked = ',"status":"blocked",';
/** With more of them, looking for each takes as long as making all. */
const mostLines = 16;

/** Tasks whose line these events may have changed, beside those that are or were blocked. Null: any task's. */
export function touchedBy(events: readonly StoredEvent[], plan: PlanState): Set<number> | null {
  const touched = new Set<number>();
  for (const event of events) {
    if (event.type === 'plan-loaded' || event.type === 'status-imported') return null;
    const at = 'task' in event && event.task !== undefined ? plan.index.get(event.task) : undefined;
    if (at !== undefined) touched.add(at);
  }
  return touched;
}

/** Null: it has to be made from the beginning. */
export function patchStatus(
  old: Buffer,
  plan: PlanState,
  touched: ReadonlySet<number>,
  world: StatusWorld,
): readonly Buffer[] | null {
  const from = old.indexOf(opening) + opening.length;
  const to = old.lastIndexOf(closing);
  const was = blockedIn(old, plan);
  if (from < opening.length || to < from || !was) return null;
  const wanted = new Set([...touched, ...was, ...blockedNow(plan)].filter((i) => isInFile(plan, i)));
  if (wanted.size > mostLines) return null;
  const inOrder = [...wanted].sort((a, b) => a - b);
  const tasks = statusTasks(plan, inOrder, world);
  const { before, behind } = frameText(statusFrame(plan, tasks, world), true);
  const pieces: Buffer[] = [Buffer.from(before)];
  let kept = from;
  for (const task of tasks) {
    const start = old.indexOf(`${taskOpening}${JSON.stringify(task.id)},`, kept - 1) + 1;
    if (start === 0 || start >= to) return null;
    const end = Math.min(old.indexOf('\n', start), to);
    const comma = end === to ? '' : ',';
    pieces.push(old.subarray(kept, start), Buffer.from(`${taskText(task)}${comma}`));
    kept = end;
  }
  pieces.push(old.subarray(kept, to), Buffer.from(behind));
  return pieces;
}

function blockedNow(plan: PlanState): number[] {
  if (plan.counts.required.blocked + plan.counts.optional.blocked === 0) return [];
  return plan.counted.flatMap((status, i) => (status === 'blocked' ? i : []));
}

/** Tasks that are blocked by what is written. Null: there are too many, or there is one that the plan does not have. */
function blockedIn(old: Buffer, plan: PlanState): number[] | null {
  // Told in its summary, near the beginning: most often there is none, and all of it need not be searched.
  if (/^ {2}"summary": .*"blocked":0,/m.test(old.toString('latin1', 0, 4000))) return [];
  const found: number[] = [];
  for (let at = old.indexOf(blocked); at !== -1; at = old.indexOf(blocked, at + 1)) {
    const start = old.lastIndexOf(taskOpening, at) + taskOpening.length;
    const id = JSON.parse(old.toString('utf8', start, old.indexOf(',"phase":', start)));
    const task = plan.index.get(id as TaskId);
    if (task === undefined || found.push(task) > mostLines) return null;
  }
  return found;
}
