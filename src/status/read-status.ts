// Reads a `status.json`, ours or another program's with the same names, to build the state of a plan when the log is lost. A file that is
// no status says why. In a status, every entry that makes sense is taken, and every other one is named.
import type { ImportedTask } from '../core/model/hand-event.ts';
import type { Status } from '../core/state/state.ts';

/** A task under the id in the file. The plan may have no task of this id. */
export interface ReadTask extends Omit<ImportedTask, 'task'> {
  readonly id: string;
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
  readonly tasks: readonly ReadTask[];
  readonly runs: readonly ImportedRun[];
}

/** An entry that is not as it should be. */
export interface OddEntry {
  /** Null: it has none. */
  readonly id: string | null;
  readonly problem: string;
  /** What it was understood to say; null: nothing. */
  readonly readAs: Status | null;
}

export type StatusReading =
  | {
      readonly ok: true;
      readonly status: ImportedStatus;
      /** The first of them; the others are only counted. */
      readonly odd: readonly OddEntry[];
      readonly oddCount: number;
      /** Something that it says could not be used. */
      readonly isDamaged: boolean;
    }
  | { readonly ok: false; readonly problem: string };

const mostOdd = 100;

export function readStatus(text: string): StatusReading {
  const found = lookInto(text);
  if (!found.ok) return found;
  const { value, entries, odd, oddCount, isDamaged } = found;
  const runs = Array.isArray(value.runs) ? value.runs.flatMap((run) => (isObject(run) ? readRun(run) : [])) : [];
  const planPath = typeof value.planPath === 'string' ? value.planPath : null;
  const tasks = [...entries].map(([name, { status, entry }]) => readTask(name, status, entry));
  return { ok: true, status: { seq: count(value.seq), planPath, tasks, runs }, odd, oddCount, isDamaged };
}

/** Whether all that it says about tasks could be used. What it says is not looked at further: every command asks this. */
export function isWholeStatus(text: string): boolean {
  const found = lookInto(text);
  return found.ok && !found.isDamaged;
}

type Look =
  | ({ readonly ok: true; readonly value: JsonObject } & Entries)
  | { readonly ok: false; readonly problem: string };

const wrong = (problem: string): Look => ({ ok: false, problem });

function lookInto(text: string): Look {
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
  const found = sortEntries(value.tasks);
  // One that says nothing at all is none; an empty list says that there are no tasks.
  if (found.entries.size === 0 && found.odd[0]) return wrong(found.odd[0].problem);
  return { ok: true, value, ...found };
}

interface Entries extends Pick<Extract<StatusReading, { ok: true }>, 'odd' | 'oddCount' | 'isDamaged'> {
  /** By the id in the file. */
  readonly entries: ReadonlyMap<string, Entry>;
}

interface Entry {
  readonly status: Status;
  readonly entry: JsonObject;
}

/** Entry by entry: one that makes no sense takes nothing from the others. */
function sortEntries(all: readonly unknown[]): Entries {
  const entries = new Map<string, Entry>();
  const odd: OddEntry[] = [];
  let oddCount = 0;
  let isDamaged = false;
  const note = (one: () => OddEntry) => {
    if (oddCount++ < mostOdd) odd.push(one());
  };
  for (let i = 0; i < all.length; i++) {
    const entry = all[i];
    const name = isObject(entry) ? nameOf(entry) : null;
    if (!isObject(entry) || name === null) {
      const what = isObject(entry) ? 'it has no id' : 'it is not an object';
      note(() => ({ id: null, problem: `task ${i + 1}: ${what}`, readAs: null }));
      isDamaged = true;
      continue;
    }
    const status = statusIn(entry);
    if (status === null) {
      note(() => ({ id: name, problem: `${said(name, entry)}, which there is not`, readAs: null }));
      isDamaged = true;
      continue;
    }
    if (entry.status !== status) note(() => ({ id: name, problem: said(name, entry), readAs: status }));
    const before = entries.get(name);
    const kept = before && isFurther(before.status, status) ? before : { status, entry };
    entries.set(name, kept);
    if (!before) continue;
    isDamaged = true;
    const both = `the task ${JSON.stringify(name)} is there twice (${statuses[before.status]}, ${statuses[status]})`;
    note(() => ({ id: name, problem: both, readAs: statuses[kept.status] }));
  }
  return { entries, odd, oddCount, isDamaged };
}

const said = (name: string, { status }: JsonObject): string =>
  `the task ${JSON.stringify(name)} has the status ${shortened(JSON.stringify(status) ?? 'nothing')}`;

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const order: readonly ReadTask['status'][] = ['completed', 'skipped', 'failed', 'suspended', 'pending'];

/** Finished work first: the other file was written too early to see it. */
const isFurther = (a: Status, b: Status): boolean => order.indexOf(statuses[a]) <= order.indexOf(statuses[b]);

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A task that ran when the file was written runs no more. A blocked task is recorded as pending. */
const statuses: Readonly<Record<Status, ReadTask['status']>> = {
  pending: 'pending',
  in_progress: 'pending',
  blocked: 'pending',
  completed: 'completed',
  failed: 'failed',
  skipped: 'skipped',
  suspended: 'suspended',
};

/** What other programs call them. */
const otherWords: Readonly<Record<string, Status>> = {
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
  cancelled: 'skipped',
  canceled: 'skipped',
  todo: 'pending',
  open: 'pending',
};

function nameOf({ id }: JsonObject): string | null {
  const name = typeof id === 'number' ? String(id) : id;
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Null: it has none that could be understood. */
function statusIn({ status }: JsonObject): Status | null {
  if (typeof status !== 'string') return null;
  if (Object.hasOwn(statuses, status)) return status as Status;
  const word = status.trim().toLowerCase().replace(/[- ]/g, '_');
  if (Object.hasOwn(statuses, word)) return word as Status;
  return Object.hasOwn(otherWords, word) ? otherWords[word]! : null;
}

function readTask(name: string, status: Status, entry: JsonObject): ReadTask {
  const failures = count(entry.retryCount);
  // Ours say 0 for what was ticked in the plan; files without that field tell no more than that it was done.
  const isCounted = status === 'completed' && Number.isSafeInteger(entry.attempts);
  const least = !isCounted && (status === 'completed' || status === 'failed') ? 1 : 0;
  return {
    id: name,
    status: statuses[status],
    startedAt: time(entry.startedAt),
    endedAt: time(entry.completedAt),
    notes: textOrNull(entry.notes),
    error: textOrNull(entry.lastError),
    errorAt: time(entry.lastErrorAt),
    failures: status === 'failed' ? Math.max(1, failures) : failures,
    attempts: Math.max(count(entry.attempts), failures, least),
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
/** More attempts than anybody makes. A larger number is nonsense and must not make later counts overflow. */
const mostCounted = 1_000_000;
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, mostCounted) : 0;

/** 0: none that can be understood. */
function time(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : 0;
  return Number.isFinite(at) && at > 0 ? at : 0;
}
