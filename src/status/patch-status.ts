// The next `status.json` made of the one that is there: of 10,000 tasks a command changes one or two, and the lines of the others can
// stay as they are. Only for one that nobody has touched (`as-placed.ts`): then it is what was made of the log up to its number.
import type { StoredEvent } from '../core/event.ts';
import type { TaskId } from '../core/ids.ts';
import type { PlanState } from '../core/state.ts';
import { codeOf, placesOf } from '../core/status-code.ts';
import { linesIn, type OldStatus, readPart, UnlikeExpected } from './old-status.ts';
import { isInFile, type StatusTask, type StatusWorld, statusFrame, statusTasks } from './status-file.ts';
import { frameText, taskText } from './status-text.ts';

const opening = ',\n  "tasks": [\n';
const closing = '\n  ],\n  "runs": ';
const taskOpening = '\n    {"id":';
/** Nothing inside a text looks like this, as its quotes would not be bare. */
const blocked = ',"status":"blocked",';
/** With more of them, looking for each takes as long as making all. */
const mostLines = 16;
/** What comes before the tasks, and behind them, is within these; otherwise all of it is made. */
const [withinHead, withinTail] = [4000, 64 * 1024];

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

/**
 * Null: it has to be made from the beginning. So it has when going through the pieces ends in `UnlikeExpected`. Each piece is good until
 * the next one is asked for.
 */
export function patchStatus(
  old: OldStatus,
  plan: PlanState,
  touched: ReadonlySet<number>,
  world: StatusWorld,
): Iterable<Buffer> | null {
  const head = readPart(old, 0, withinHead);
  const tailFrom = Math.max(0, old.size - withinTail);
  const from = head.indexOf(opening) + opening.length;
  const to = tailFrom + readPart(old, tailFrom, old.size).lastIndexOf(closing);
  if (from < opening.length || to < Math.max(from, tailFrom)) return null;
  const lines = { old, from, to };
  const was = hasBlocked(head) ? blockedIn(lines, plan) : [];
  if (!was) return null;
  const wanted = new Set([...touched, ...was, ...blockedNow(plan)].filter((i) => isInFile(plan, i)));
  if (wanted.size > mostLines) return null;
  const inOrder = [...wanted].sort((a, b) => a - b);
  const tasks = statusTasks(plan, inOrder, world);
  const { before, behind } = frameText(statusFrame(plan, tasks, world), true);
  return patched(lines, tasks, before, behind);
}

interface Lines {
  readonly old: OldStatus;
  /** Where the first line of a task begins, and the last one ends. */
  readonly from: number;
  readonly to: number;
}

const blocksOf = ({ old, from, to }: Lines) => linesIn(old, from - 1, to);

/** @param tasks in the order of the lines. */
function* patched(lines: Lines, tasks: readonly StatusTask[], before: string, behind: string): Generator<Buffer> {
  yield Buffer.from(before);
  let next = 0;
  // The end of the line before the first one is part of what comes before.
  let kept = 1;
  for (const block of blocksOf(lines)) {
    for (; next < tasks.length; next++) {
      const start = block.indexOf(`${taskOpening}${JSON.stringify(tasks[next]!.id)},`, Math.max(0, kept - 1)) + 1;
      if (start === 0) break;
      const lineEnd = block.indexOf('\n', start);
      const end = lineEnd === -1 ? block.length : lineEnd;
      yield block.subarray(kept, start);
      // All but the last line of the file end with one.
      yield Buffer.from(`${taskText(tasks[next]!)}${block[end - 1] === comma ? ',' : ''}`);
      kept = end;
    }
    yield block.subarray(kept);
    kept = 0;
  }
  if (next < tasks.length) throw new UnlikeExpected(`it has no line for ${tasks[next]!.id}`);
  yield Buffer.from(behind);
}

const comma = 44;

function blockedNow(plan: PlanState): number[] {
  return placesOf(plan.counted, codeOf.blocked);
}

/** Told in its summary, near the beginning: most often there is none, and all of it need not be searched. */
const hasBlocked = (head: Buffer): boolean => !/^ {2}"summary": .*"blocked":0,/m.test(head.toString('latin1'));

/** Tasks that are blocked by what is written. Null: there are too many, or there is one that the plan does not have. */
function blockedIn(lines: Lines, plan: PlanState): number[] | null {
  const found: number[] = [];
  for (const block of blocksOf(lines)) {
    for (let at = block.indexOf(blocked); at !== -1; at = block.indexOf(blocked, at + 1)) {
      const start = block.lastIndexOf(taskOpening, at) + taskOpening.length;
      const id = JSON.parse(block.toString('utf8', start, block.indexOf(',"phase":', start)));
      const task = plan.index.get(id as TaskId);
      if (task === undefined || found.push(task) > mostLines) return null;
    }
  }
  return found;
}
