// What the results of a plan are called: the branch on which they gather and the folder with their trees.
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { PlanPath } from '../../../core/model/ids.ts';
import { withoutPlanEnding } from '../../../core/model/plan-name.ts';
import { shortHash } from '../../../core/model/short-hash.ts';

const longest = 60;

/** Names for a plan, the best first. Two plans of the same base name must not share one. */
export function resultNames(path: PlanPath): readonly string[] {
  const whole = withoutPlanEnding(path);
  const [short, long] = [slugOf(basename(whole)), slugOf(whole)];
  const sure = `${(long || 'plan').slice(0, longest - 9)}-${shortHash(path).slice(0, 8)}`;
  return [...new Set([short, long, sure])].filter((name) => name !== '');
}

/** Short and lower-case, as paths and branches of any disk can be. */
function slugOf(text: string): string {
  const slug = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return slug.slice(0, longest).replace(/^-+|-+$/g, '');
}

export const branchOf = (name: string): string => `signalbox/${name}`;

/** Tells workspaces apart, with a name that a person can recognise. */
export function workspaceId(root: string): string {
  const real = realpathSync.native(root);
  return `${slugOf(basename(real)).slice(0, 20) || 'workspace'}-${shortHash(real).slice(0, 8)}`;
}
