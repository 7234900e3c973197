// Plans that agents write, and the approval that they need.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import { approvalOf, approvePlan } from '../approval/approve-plan.ts';
import { readInput, readNotes } from '../files/read-text.ts';
import type { ApprovalReport, PlanReport } from '../reports/plan-files.ts';
import type { WriteOptions, WritingParts } from './write-plan.ts';

export interface PlanningDoor {
  /**
   * Lets an agent write a plan file. Null: it was interrupted.
   * @param words what is wanted, or the name of a file that says it; none, or `-`: the standard input says it
   */
  write(words: readonly string[], options: WriteOptions): Promise<PlanReport | null>;
  /** Whose work a plan is, and what it would make a shell do. */
  approval(plan: string | undefined): Promise<ApprovalReport>;
  /** @param options the digest of the text that the person has seen: another one is not approved */
  approve(plan: string | undefined, options?: { readonly digest?: string }): Promise<ApprovalReport>;
}

export interface PlanningParts extends WritingParts {
  readonly user: string;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
}

export function openPlanningDoor(parts: PlanningParts): PlanningDoor {
  const { workspace, user: by, which } = parts;
  return {
    write: async (words, options) => {
      const { writePlan } = await import('./write-plan.ts');
      return writePlan(parts, wishOf(parts, words), options);
    },
    approval: async (plan) => approvalOf(workspace, await which(plan)),
    approve: async (plan, { digest } = {}) => approvePlan(workspace, await which(plan), { by, digest }),
  };
}

function wishOf({ cwd }: WritingParts, words: readonly string[]): string {
  const [first, ...more] = words;
  if (first === undefined || (first === '-' && more.length === 0)) return readInput();
  const isFile = more.length === 0 && isFileAt(resolve(cwd, first));
  return isFile ? readNotes(resolve(cwd, first), first) : words.join(' ');
}

/** Words may be longer than any name. */
function isFileAt(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
