// Reads a plan file of the workspace. The revision is a hash of everything that the plan's meaning depends on, so an unchanged
// plan need not be read again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlanReading } from '../../plan/read-plan.ts';
import { linksIn } from '../locks/lock-key.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';
import { nearPlan } from './near-plan.ts';
import { MissingFile, readText } from './read-text.ts';

export interface PlanFile {
  readonly path: PlanPath;
  readonly text: string;
  readonly revision: string;
}

/** To be raised whenever the same text is read as something else. */
const readerVersion = 4;

export function readPlanFile(workspace: Workspace, path: PlanPath): PlanFile {
  const text = readPlanText(workspace, path);
  return { path, text, revision: revisionOf(workspace.settingsText, text) };
}

export function revisionOf(settingsText: string, text: string): string {
  // Loaded here: most commands find the plan in the log and never come this far.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(`${readerVersion}\n${settingsText.length}\n`);
  return hash.update(settingsText).update(text).digest('hex').slice(0, 32);
}

/** A name that is nearly that of a plan is answered with it: `p` for `p.md`. */
function readPlanText(workspace: Workspace, path: PlanPath): string {
  try {
    return readText(join(workspace.root, path), path);
  } catch (error) {
    const near = error instanceof MissingFile ? nearPlan(workspace, path) : undefined;
    throw near === undefined ? error : new Refusal(2, (error as Error).message, { instead: `did you mean ${near}?` });
  }
}

/** For commands that a plan only tells where to look: a mistyped one must not lead them elsewhere. */
export function refuseMissingPlan(workspace: Workspace, path: PlanPath): void {
  if (!existsSync(join(workspace.root, path))) readPlanText(workspace, path);
}

/** The readers are loaded only when there is something to read: most commands find the plan in the log. */
export async function parsePlan(workspace: Workspace, file: PlanFile): Promise<PlanReading> {
  const { readPlan } = await import('../../plan/read-plan.ts');
  const { root, settings } = workspace;
  return readPlan({ text: file.text, file: file.path, path: file.path, settings, followLinks: linksIn(root) });
}

/** For callers who want the diagnostics instead of a refusal. */
export async function checkPlan(workspace: Workspace, path: PlanPath): Promise<PlanReading> {
  let file: PlanFile;
  try {
    file = readPlanFile(workspace, path);
  } catch (error) {
    if (!(error instanceof Refusal) || error.diagnostics.length === 0) throw error;
    return { plan: null, diagnostics: error.diagnostics };
  }
  return parsePlan(workspace, file);
}

/** Fills in the settings where the plan says nothing, and marks whether an agent performs the last step. */
export function withSettings(plan: Plan, settings: Workspace['settings']): Plan {
  const { finish, baseline, isolation, land, worktree } = settings;
  const usual = Object.entries({ finish, baseline, isolation, land }).filter(([, value]) => value !== undefined);
  const filled: Plan = { ...Object.fromEntries(usual), ...plan };
  const isAgent = filled.finish !== undefined && Object.hasOwn(settings.agents, filled.finish);
  return {
    ...filled,
    ...(isAgent ? { finishAgent: true } : {}),
    ...(worktree === undefined ? {} : { worktree: { ...worktree, ...plan.worktree } }),
  };
}

/** The plan, or a refusal with every mistake in it. Warnings go to `warn`. @param before if the same text was read already. */
export async function validPlan(
  workspace: Workspace,
  file: PlanFile,
  warn: (read: PlanReading) => void = () => undefined,
  before?: PlanReading,
): Promise<Plan> {
  const read = before ?? (await parsePlan(workspace, file));
  if (!read.plan) {
    const errors = read.diagnostics.filter((d) => d.severity === 'error').length;
    const many = errors === 1 ? 'a mistake' : `${errors} mistakes`;
    throw new Refusal(3, `${file.path} has ${many}`, { diagnostics: read.diagnostics });
  }
  warn(read);
  return withSettings(read.plan, workspace.settings);
}
