// Where the files for other programs lie: a folder named after the plan, with file names that work for any task id. The folder has the
// plan's base name, unless another plan has it. Existing files decide first: a plan keeps its folder whatever is loaded later, also after
// the database was lost.
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PlanPath, TaskId } from '../core/model/ids.ts';
import { withoutPlanEnding } from '../core/model/plan-name.ts';
import { shortHash } from '../core/model/short-hash.ts';

/** The name of a plan's folder: its base name or, if another plan has that, its whole path. */
export interface OutputNames {
  readonly short: string;
  readonly long: string;
}

export function outputNames(path: PlanPath): OutputNames {
  const slash = path.lastIndexOf('/');
  // A plan in the root gets a slash too: `plan.yaml` could be the base name of `plan.yaml.md`.
  return {
    short: encodeName(withoutPlanEnding(path.slice(slash + 1))),
    long: encodeName(slash === -1 ? `/${path}` : path),
  };
}

export interface OutputPlaces {
  /** Of the workspace: every folder from there on is a plain one. */
  readonly root: string;
  readonly stateFolder: string;
  readonly folder: string;
  readonly status: string;
  readonly backup: string;
  readonly findings: string;
  readonly timestamps: string;
}

export function outputPlaces({ root, stateFolder }: Omit<OutputRoots, 'outputsFolder'>, folder: string): OutputPlaces {
  const status = join(folder, 'status.json');
  return {
    root,
    stateFolder,
    folder,
    status,
    backup: `${status}.bak`,
    findings: join(folder, 'findings'),
    timestamps: join(folder, 'timestamps'),
  };
}

/** Of the workspace. */
export interface OutputRoots {
  readonly root: string;
  readonly stateFolder: string;
  /** Has a folder for each plan. */
  readonly outputsFolder: string;
}

/** What is known about the other plans: when each was loaded first. */
export type KnownPlans = Iterable<readonly [PlanPath, { readonly loadedAt: number }]>;

export function placesOf(roots: OutputRoots, known: KnownPlans, path: PlanPath): OutputPlaces {
  const { root, outputsFolder } = roots;
  const { short, long } = outputNames(path);
  const [near, far] = [short, long].map((name) => outputPlaces(roots, join(outputsFolder, name))) as [
    OutputPlaces,
    OutputPlaces,
  ];
  const owner = ownerOf(near);
  if (owner === path) return near;
  if (ownerOf(far) === path) return far;
  if (owner !== null && existsSync(resolve(root, owner))) return far;
  return hasElder(known, path, short) ? far : near;
}

function hasElder(known: KnownPlans, path: PlanPath, short: string): boolean {
  const all = [...known];
  const own = all.find(([other]) => other === path)?.[1].loadedAt ?? Number.POSITIVE_INFINITY;
  return all.some(
    ([other, { loadedAt }]) =>
      other !== path && (loadedAt < own || (loadedAt === own && other < path)) && outputNames(other).short === short,
  );
}

/** Of which plan the files there are; null when that cannot be told. */
export function ownerOf({ status, backup }: OutputPlaces): string | null {
  for (const file of [status, backup]) {
    const owner = plannedIn(file);
    if (owner !== null) return owner;
  }
  return null;
}

/** In ours it stands near the beginning; what others wrote may have it anywhere. */
function plannedIn(file: string): string | null {
  try {
    const found = /"planPath"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(beginningOf(file));
    const path: unknown = found ? JSON.parse(found[1]!) : null;
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}

const mostBytes = 20_000;

function beginningOf(file: string): string {
  // A pipe in its place must not be waited for, and a link leads to what is not ours.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

export const timestampFile = ({ timestamps }: OutputPlaces, attempt: string): string =>
  join(timestamps, `${encodeName(attempt)}.json`);

export const findingFile = ({ findings }: OutputPlaces, task: TaskId): string =>
  join(findings, `${encodeName(task)}.md`);

const longest = 120;

/** Plain ids stay as people type them; different texts have different names. */
export function encodeName(text: string): string {
  let name = '';
  for (const byte of Buffer.from(text)) {
    const c = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9_]/.test(c) || (name !== '' && /[.-]/.test(c));
    name += isPlain ? c : `%${byte.toString(16).padStart(2, '0')}`;
  }
  if (name === '') return '%';
  // No short name has such an end: a `%` is followed by two digits there.
  return name.length <= longest ? name : `${name.slice(0, longest - 20).replace(/%.?$/, '')}%-${shortHash(text)}`;
}
