// Takes the state of a plan from `status.json`, or where that says nothing from its backup, when the log does not know the plan. A task
// that either of them calls completed is completed. The result says in words where the state came from and what could not be used. Without
// both files, the plan and its ticked boxes are all there is.
import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { retriesOf } from '../core/model/defaults.ts';
import type { Event } from '../core/model/event.ts';
import type { ImportedTask } from '../core/model/hand-event.ts';
import { type PlanPath, runId, type TaskId } from '../core/model/ids.ts';
import type { Task } from '../core/model/plan.ts';
import type { PlanState } from '../core/state/state.ts';
import { keepBroken } from './keep-broken.ts';
import { type KnownPlans, type OutputRoots, placesOf } from './output-places.ts';
import { type ImportedStatus, type OddEntry, type ReadTask, readStatus, type StatusReading } from './read-status.ts';
import { isNoRegularFile, readRegular } from './regular-file.ts';

export interface StatusImport {
  /** Null: there was nothing to take. */
  readonly event: Event | null;
  /** One of the files could be used, even where it says no more than the plan. */
  readonly isRead: boolean;
  /** For people: what could not be used, and what was assumed instead. */
  readonly troubles: readonly string[];
  /** These and what was taken from where. */
  readonly words: readonly string[];
  /** Files that say something that could not be used. */
  readonly broken: readonly string[];
}

/** One of the two, and of this plan. */
interface Source {
  readonly name: string;
  readonly read: Extract<StatusReading, { readonly ok: true }>;
}

/** @param plan as it was just loaded. */
export function importStatus(workspace: OutputRoots, known: KnownPlans, plan: PlanState): StatusImport {
  const { status, backup } = placesOf(workspace, known, plan.path);
  const troubles: string[] = [];
  const broken: string[] = [];
  const sources: Source[] = [];
  for (const file of [status, backup]) {
    const name = relative(workspace.root, file);
    const read = readFile(file);
    if (read === null) continue;
    const problem = read.ok ? otherPlan(workspace, plan, read.status) : `could not be used: ${read.problem}`;
    // Where the first file is whole, trouble with the backup is no news.
    const isAsked = sources.length === 0 || broken.length > 0;
    if (isAsked && (problem !== null || (read.ok && read.isDamaged))) broken.push(file);
    if (problem !== null && isAsked) troubles.push(`${name} ${problem}`);
    if (problem === null && read.ok) sources.push({ name, read });
  }
  if (sources.length > 0) return taken(plan, sources, { troubles, broken });
  const begins = `the state of ${plan.path} begins with the plan and the boxes that are ticked in it`;
  return { event: null, isRead: false, troubles, words: troubles.length > 0 ? [...troubles, begins] : [], broken };
}

function otherPlan({ root }: OutputRoots, { path }: PlanState, { planPath }: ImportedStatus): string | null {
  const isOther = planPath !== null && planPath !== path && existsSync(resolve(root, planPath));
  return isOther ? `is about ${planPath}, and was left alone` : null;
}

type Said = ReadTask & { readonly from: string };

function taken(
  plan: PlanState,
  sources: readonly Source[],
  { troubles: before, broken }: Pick<StatusImport, 'troubles' | 'broken'>,
): StatusImport {
  const [{ name: from, read }] = sources as [Source];
  const { said, overruled } = together(plan, sources);
  const unknown = read.status.tasks.flatMap(({ id }) => (taskOf(plan, id) ? [] : [id]));
  const tasks: ImportedTask[] = [];
  for (const [id, { id: _, from: source, ...one }] of said) {
    const task = taskOf(plan, id)!;
    if (one.status === 'pending' && one.attempts === 0 && one.failures === 0 && one.notes === null) continue;
    // A task that was set aside names who did it, or at least the file that says so.
    const by = one.by ?? (one.status === 'skipped' || one.status === 'suspended' ? source : null);
    tasks.push({ task: task.id, ...one, failures: failuresOf(task, one), by });
  }
  const isWhole = read.oddCount === 0 && before.length === 0;
  const odd = (isWhole ? [] : sources).flatMap((source) => oddWords(plan, source, said));
  const more = [...odd, ...notInPlan(unknown, from), ...overruledWords(overruled, sources)];
  const troubles = [...before, ...more];
  const runs = read.status.runs.map(({ run, ...rest }) => ({ run: runId(run), ...rest }));
  if (tasks.length === 0 && runs.length === 0) return { event: null, isRead: true, troubles, words: troubles, broken };
  const completed = tasks.filter((task) => task.status === 'completed').length;
  const failed = tasks.filter((task) => task.status === 'failed').length;
  const account = `the log knew nothing of ${plan.path}: its state was taken from ${from} (${completed} completed, ${failed} failed, ${tasks.length - completed - failed} others)`;
  return {
    event: { type: 'status-imported', v: 1, plan: plan.path, from, tasks, runs },
    isRead: true,
    troubles,
    words: [...before, account, ...more],
    broken,
  };
}

/** Both files together: the first counts, except for tasks it does not mention or the other has seen completed. */
function together(plan: PlanState, [first, second]: readonly Source[]) {
  const said = new Map<string, Said>();
  const overruled: string[] = [];
  for (const task of first!.read.status.tasks) {
    if (taskOf(plan, task.id)) said.set(task.id, { ...task, from: first!.name });
  }
  for (const task of second?.read.status.tasks ?? []) {
    const known = said.get(task.id);
    const isNews = !known || (task.status === 'completed' && known.status !== 'completed');
    if (!isNews || !taskOf(plan, task.id)) continue;
    if (known) overruled.push(task.id);
    said.set(task.id, { ...task, from: second!.name });
  }
  return { said, overruled };
}

/** Null: the plan has no such task, or it is a group. */
function taskOf(plan: PlanState, id: string): Task | null {
  const at = plan.index.get(id as TaskId);
  const task = at === undefined ? undefined : plan.plan.tasks[at]!;
  return task && !task.group ? task : null;
}

/** The file counts retries, never more than the plan allows. Whether the last one failed too is known from the attempts. */
function failuresOf(task: Task, { status, failures, attempts }: Omit<ReadTask, 'id'>): number {
  const isUsedUp = status === 'failed' && failures >= retriesOf(task) && attempts > failures;
  return isUsedUp ? failures + 1 : failures;
}

/** Each entry that is not as it should be, with what was made of it. */
function oddWords(plan: PlanState, { name, read }: Source, said: ReadonlyMap<string, Said>): string[] {
  const words = read.odd.map((one) => `${name}: ${one.problem}, ${assumed(plan, one, name, said)}`);
  const more = read.oddCount - read.odd.length;
  return more === 0 ? words : [...words, `${name}: and ${more} more entries that are not as they should be`];
}

function assumed(plan: PlanState, odd: OddEntry, name: string, said: ReadonlyMap<string, Said>): string {
  if (odd.readAs !== null) return `taken as ${odd.readAs}`;
  const at = odd.id === null ? undefined : plan.index.get(odd.id as TaskId);
  if (at === undefined) return 'left out';
  const box = plan.tasks[at]!.status;
  const one = said.get(odd.id!);
  if (!one || box === 'completed') return `taken as ${box}, as in the plan`;
  return `taken as ${one.status}${one.from === name ? '' : `, as ${one.from} says`}`;
}

function overruledWords(ids: readonly string[], [first, second]: readonly Source[]): string[] {
  if (ids.length === 0) return [];
  return [`completed by ${second!.name} though not by ${first!.name}, and taken as completed: ${someOf(ids)}`];
}

function notInPlan(ids: readonly string[], from: string): string[] {
  return ids.length === 0 ? [] : [`not in the plan, and so not taken from ${from}: ${someOf(ids)}`];
}

const someOf = (ids: readonly string[]): string =>
  `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;

const largest = 256 * 1024 * 1024;

function readFile(file: string): StatusReading | null {
  try {
    if (statSync(file).size > largest) return { ok: false, problem: 'it is larger than 256 MB' };
    return readStatus(readRegular(file).toString('utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isNoRegularFile(error)) return { ok: false, problem: 'it is no regular file' };
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { ok: false, problem: message };
  }
}

/** Loads a plan that the log does not know yet. What could not be used is about to be replaced, and is kept. */
export function importInto(
  tx: { readonly state: { readonly plans: ReadonlyMap<PlanPath, PlanState> }; record(event: Event): void },
  workspace: OutputRoots,
  path: PlanPath,
): readonly string[] {
  const { event, words, broken } = importStatus(workspace, tx.state.plans, tx.state.plans.get(path)!);
  if (event) tx.record(event);
  return [...words, ...broken.flatMap((file) => keep(workspace, file))];
}

function keep({ root }: OutputRoots, file: string): string[] {
  const name = relative(root, file);
  try {
    const kept = keepBroken(file, new Date());
    return kept === null ? [] : [`${name} is kept as ${relative(root, kept.place)}`];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [`${name} could not be kept: ${(error as Error).message}`];
  }
}
