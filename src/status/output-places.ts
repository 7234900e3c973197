// Where what other programs read of a plan lies: a folder named after the plan, and inside it names that any task's id can have.
import { join } from 'node:path';
import type { PlanPath, TaskId } from '../core/ids.ts';
import { shortHash } from '../core/short-hash.ts';

export const defaultOutputs = 'docs/plan-outputs';

/** `others`: the plans that are known; two of the same name are told apart by their folders. */
export function outputName(path: PlanPath, others: Iterable<PlanPath>): string {
  const own = baseName(path);
  const isTaken = [...others].some((other) => other !== path && baseName(other) === own);
  return isTaken ? encodeName(path.replace(/\.(md|markdown|ya?ml)$/i, '').replaceAll('/', '-')) : own;
}

const baseName = (path: PlanPath): string =>
  encodeName(path.slice(path.lastIndexOf('/') + 1).replace(/\.(md|markdown|ya?ml)$/i, ''));

export interface OutputPlaces {
  readonly folder: string;
  readonly status: string;
  readonly backup: string;
  readonly findings: string;
  readonly timestamps: string;
}

export function outputPlaces(folder: string): OutputPlaces {
  const status = join(folder, 'status.json');
  return {
    folder,
    status,
    backup: `${status}.bak`,
    findings: join(folder, 'findings'),
    timestamps: join(folder, 'timestamps'),
  };
}

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
