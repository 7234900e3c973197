// The log knows nothing of a plan, because it was lost or never was here: what `status.json` says about its tasks, else its backup. What was
// taken from where is told in words too. With neither, the plan and its ticked boxes are all there is.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { retriesOf } from '../../core/defaults.ts';
import type { Event } from '../../core/event.ts';
import type { ImportedTask } from '../../core/hand-event.ts';
import { type PlanPath, runId, type TaskId } from '../../core/ids.ts';
import type { Task } from '../../core/plan.ts';
import type { PlanState } from '../../core/state.ts';
import { type ImportedStatus, readStatus, type StatusReading } from '../../status/read-status.ts';
import type { Workspace } from '../workspace.ts';
import { type KnownPlans, placesOf } from './places-of.ts';

export interface StatusImport {
  /** Null: there was nothing to take. */
  readonly event: Event | null;
  /** For people: what was taken from where, and what could not be used. */
  readonly words: readonly string[];
}

/** @param plan as it was just loaded. */
export function importStatus(workspace: Workspace, known: KnownPlans, plan: PlanState): StatusImport {
  const { status, backup } = placesOf(workspace, known, plan.path);
  const words: string[] = [];
  for (const file of [status, backup]) {
    const name = relative(workspace.root, file);
    const read = readFile(file);
    if (read === null) continue;
    if (!read.ok) {
      words.push(`${name} could not be used: ${read.problem}`);
      continue;
    }
    const other = read.status.planPath;
    if (other !== null && other !== plan.path && existsSync(resolve(workspace.root, other))) {
      words.push(`${name} is about ${other}, and was left alone`);
      continue;
    }
    return taken(plan, read.status, name, words);
  }
  if (words.length > 0)
    words.push(`the state of ${plan.path} begins with the plan and the boxes that are ticked in it`);
  return { event: null, words };
}

function taken(plan: PlanState, status: ImportedStatus, from: string, words: readonly string[]): StatusImport {
  const unknown: string[] = [];
  const tasks: ImportedTask[] = [];
  for (const { id, ...said } of status.tasks) {
    const at = plan.index.get(id as TaskId);
    const task = at === undefined ? undefined : plan.plan.tasks[at]!;
    if (!task || task.group) {
      unknown.push(id);
      continue;
    }
    if (said.status === 'pending' && said.attempts === 0 && said.failures === 0 && said.notes === null) continue;
    // Whoever looks at a task that was put aside is told by whom.
    const by = said.by ?? (said.status === 'skipped' || said.status === 'suspended' ? from : null);
    tasks.push({ task: task.id, ...said, failures: failuresOf(task, said), by });
  }
  const runs = status.runs.map(({ run, ...rest }) => ({ run: runId(run), ...rest }));
  if (tasks.length === 0 && runs.length === 0) return { event: null, words: [...words, ...notInPlan(unknown, from)] };
  const completed = tasks.filter((task) => task.status === 'completed').length;
  const failed = tasks.filter((task) => task.status === 'failed').length;
  const account = `the log knew nothing of ${plan.path}: its state was taken from ${from} (${completed} completed, ${failed} failed, ${tasks.length - completed - failed} others)`;
  return {
    event: { type: 'status-imported', v: 1, plan: plan.path, from, tasks, runs },
    words: [...words, account, ...notInPlan(unknown, from)],
  };
}

/** The file counts retries, of which there are no more than the plan allows: whether the last one failed too, the attempts tell. */
function failuresOf(task: Task, { status, failures, attempts }: Omit<ImportedStatus['tasks'][number], 'id'>): number {
  const isUsedUp = status === 'failed' && failures >= retriesOf(task) && attempts > failures;
  return isUsedUp ? failures + 1 : failures;
}

function notInPlan(ids: readonly string[], from: string): string[] {
  if (ids.length === 0) return [];
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return [`not in the plan, and so not taken from ${from}: ${ids.slice(0, 5).join(', ')}${more}`];
}

const largest = 256 * 1024 * 1024;

function readFile(file: string): StatusReading | null {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { ok: false, problem: 'it is no file' };
    if (stats.size > largest) return { ok: false, problem: 'it is larger than 256 MB' };
    return readStatus(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { ok: false, problem: message };
  }
}

/** Loads a plan that the log does not know yet. */
export function importInto(
  tx: { readonly state: { readonly plans: ReadonlyMap<PlanPath, PlanState> }; record(event: Event): void },
  workspace: Workspace,
  path: PlanPath,
): readonly string[] {
  const { event, words } = importStatus(workspace, tx.state.plans, tx.state.plans.get(path)!);
  if (event) tx.record(event);
  return words;
}
