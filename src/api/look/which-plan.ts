// Which plan a command means: the one it names, else the one of the attempt it is called from, else the current one, else the one that
// is being run, else the only one known.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { standingOf } from '../../core/explain/standing.ts';
import { listWords } from '../../core/model/count-words.ts';
import { type PlanPath, planPath } from '../../core/model/ids.ts';
import { readStart } from '../files/read-text.ts';
import { isSameFolder, targetOf } from '../files/real-path.ts';
import { Refusal } from '../refusal.ts';
import { planOfPerson, planPathOf, type Workspace } from '../workspace.ts';
import { plansWithFiles } from './plans-with-files.ts';
import type { IsRunning } from './reports.ts';
import type { Seen } from './state-view.ts';

export interface Asking {
  readonly isRunning: IsRunning;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function whichPlan(
  workspace: Workspace,
  asking: Asking,
  named: string | undefined,
  openStore: () => Promise<Seen>,
): Promise<PlanPath> {
  const found = await planMeant(workspace, asking, named, openStore);
  if (typeof found === 'string') return found;
  if (found.length > 0) throw new Refusal(2, knownWords(found), { instead: chooseOne });
  const { planFiles } = await import('../hand/plan-files.ts');
  const files = await planFiles(workspace, []);
  const [first] = files;
  throw first === undefined
    ? new Refusal(2, knownWords([]), { instead: 'name the plan file; signalbox init writes a first one' })
    : new Refusal(2, `${knownWords([])}; plan files: ${listWords(files, mostListed)}`, { instead: chooseOne });
}

const mostListed = 8;
const chooseOne = 'name the plan with -p PLAN, or choose one for all commands: signalbox set PLAN';

/** A plan that could be meant. */
export interface KnownPlan {
  readonly path: PlanPath;
  readonly isRunning: boolean;
  /** Where it stands; null where the log cannot be read. */
  readonly standing: string | null;
}

export function knownWords(known: readonly KnownPlan[]): string {
  if (known.length === 0) return 'no plan is known here';
  const hidden = known.length - mostListed;
  const listed = known.slice(0, mostListed);
  const words = listed.map(({ path, standing }) => (standing === null ? path : `${path} (${standing})`));
  const more = hidden > 0 ? [`and ${hidden} more`] : [];
  return `${known.length} plans are known here: ${[...words, ...more].join(', ')}`;
}

/** A list: these are known here, and none of them is meant more than the others. */
export async function planMeant(
  workspace: Workspace,
  asking: Asking,
  named: string | undefined,
  openStore: () => Promise<Seen>,
): Promise<PlanPath | readonly KnownPlan[]> {
  const typed = named ?? planOfPerson(asking.cwd, asking.env);
  if (typed !== undefined) return planPathOf(workspace, asking.cwd, typed);
  const { SIGNALBOX_PLAN: given, SIGNALBOX_WORKSPACE: of } = asking.env;
  if (given && (!of || isSameFolder(of, workspace.root))) return planPathOf(workspace, workspace.root, given);
  const current = currentPlan(workspace);
  if (current !== null && existsSync(join(workspace.root, current))) return current;
  const { plansReport } = await import('./reports.ts');
  const { store, broken } = await openStore();
  const recorded = store ? await store.read((state) => plansReport(state, current, asking.isRunning).plans) : [];
  const known: KnownPlan[] = broken
    ? plansWithFiles(workspace).map((path) => ({ path, isRunning: false, standing: null }))
    : recorded.map((one) => ({ path: planPath(one.plan), isRunning: one.running, standing: standingOf(one) }));
  if (current !== null) {
    if (known.some(({ path }) => path === current)) return current;
    const file = relative(workspace.root, workspace.currentPlanFile);
    throw new Refusal(2, `the current plan ${current} does not exist; ${file} names it`, {
      instead: 'choose another: signalbox set PLAN',
    });
  }
  const running = known.filter(({ isRunning }) => isRunning);
  if (running.length === 1) return running[0]!.path;
  return known.length === 1 ? known[0]!.path : known;
}

/** Longer than any system allows for a file name. */
const longestName = 65_536;

export function currentPlan(workspace: Workspace): PlanPath | null {
  // A link leads to what does not name a plan, and its text would be told in an error.
  if (!existsSync(workspace.currentPlanFile) || targetOf(workspace.currentPlanFile) !== null) return null;
  const name = relative(workspace.root, workspace.currentPlanFile);
  const [first = ''] = readStart(workspace.currentPlanFile, name, longestName).split('\n');
  return first.trim() === '' ? null : planPath(planPathOf(workspace, workspace.root, first.trim()));
}
