// Reads a `status.json`, ours or one that another program wrote by the same names, to build the state of a plan from it when the log is
// lost. Whatever is not plainly readable is no status, and says why.
import type { Status } from '../core/state.ts';

export interface ImportedTask {
  readonly id: string;
  readonly status: 'pending' | 'completed' | 'failed' | 'skipped' | 'suspended';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly notes: string | null;
  readonly error: string | null;
  readonly errorAt: number;
  readonly failures: number;
  readonly attempts: number;
  readonly treatAsDone: boolean;
  readonly by: string | null;
  readonly reason: string | null;
}

export interface ImportedRun {
  readonly run: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly completed: number;
  readonly failed: number;
}

export interface ImportedStatus {
  readonly seq: number;
  readonly planPath: string | null;
  readonly tasks: readonly ImportedTask[];
  readonly runs: readonly ImportedRun[];
}

export type StatusReading =
  | { readonly ok: true; readonly status: ImportedStatus }
  | { readonly ok: false; readonly problem: string };

const wrong = (problem: string): StatusReading => ({ ok: false, problem });

export function readStatus(text: string): StatusReading {
  let value: unknown;
  try {
    // Some editors put a mark of the byte order in front.
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return wrong(
      text.trim() === '' ? 'it is empty' : `it is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`,
    );
  }
  if (!isObject(value)) return wrong('it is not an object');
  if (!Array.isArray(value.tasks)) return wrong('it has no list of tasks');
  const tasks: ImportedTask[] = [];
  const seen = new Set<string>();
  for (const [i, entry] of value.tasks.entries()) {
    const task = isObject(entry) ? readTask(entry) : 'it is not an object';
    if (typeof task === 'string') return wrong(`task ${i + 1}: ${task}`);
    if (seen.has(task.id)) return wrong(`the task ${JSON.stringify(task.id)} is there twice`);
    seen.add(task.id);
    tasks.push(task);
  }
  const runs = Array.isArray(value.runs) ? value.runs.flatMap((run) => (isObject(run) ? readRun(run) : [])) : [];
  const planPath = typeof value.planPath === 'string' ? value.planPath : null;
  return { ok: true, status: { seq: count(value.seq), planPath, tasks, runs } };
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What ran when the file was written does not run any more, and what was blocked is pending for itself. */
const statuses: Readonly<Record<Status, ImportedTask['status']>> = {
  pending: 'pending',
  in_progress: 'pending',
  blocked: 'pending',
  completed: 'completed',
  failed: 'failed',
  skipped: 'skipped',
  suspended: 'suspended',
};

function readTask(entry: JsonObject): ImportedTask | string {
  const { id, status } = entry;
  const name = typeof id === 'number' ? String(id) : id;
  if (typeof name !== 'string' || name === '') return 'it has no id';
  if (typeof status !== 'string' || !Object.hasOwn(statuses, status)) {
    return `${JSON.stringify(name)} has the status ${JSON.stringify(status) ?? 'nothing'}, which there is not`;
  }
  const failures = count(entry.retryCount);
  return {
    id: name,
    status: statuses[status as Status],
    startedAt: time(entry.startedAt),
    endedAt: time(entry.completedAt),
    notes: textOrNull(entry.notes),
    error: textOrNull(entry.lastError),
    errorAt: time(entry.lastErrorAt),
    failures: status === 'failed' ? Math.max(1, failures) : failures,
    attempts: Math.max(count(entry.attempts), failures, status === 'completed' || status === 'failed' ? 1 : 0),
    treatAsDone: entry.treatAsDone === true,
    by: textOrNull(entry.by),
    reason: textOrNull(entry.reason),
  };
}

function readRun(entry: JsonObject): ImportedRun[] {
  if (typeof entry.runId !== 'string' || time(entry.startedAt) === 0) return [];
  return [
    {
      run: entry.runId,
      startedAt: time(entry.startedAt),
      endedAt: time(entry.completedAt),
      completed: count(entry.tasksCompleted),
      failed: count(entry.tasksFailed),
    },
  ];
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** More than anybody has tried anything: what is larger is nonsense, and must not make later counts overflow. */
const mostCounted = 1_000_000;
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, mostCounted) : 0;

/** 0: none that can be understood. */
function time(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : 0;
  return Number.isFinite(at) && at > 0 ? at : 0;
}
