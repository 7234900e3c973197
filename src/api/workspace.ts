// Where things live: the root folder of the workspace, its settings, and the places below it. Looking creates nothing.
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { defaultCurrentPlan, planOutputsFolder } from '../core/model/defaults.ts';
import { type PlanPath, planPath } from '../core/model/ids.ts';
import { emptySettings, type Settings } from '../core/model/settings.ts';
import { type TreePlace, wayInTree, workspaceOfTree } from '../git/trees/tree-marker.ts';
import { readText } from './files/read-text.ts';
import { realPath } from './files/real-path.ts';
import { Refusal } from './refusal.ts';
import { isThere, openToAll, openToAllRefusal, otherOwner, statsOf } from './trust/owner.ts';
import { userFolder } from './trust/user-folder.ts';

export interface Workspace {
  readonly root: string;
  /** `.signalbox`: the store and everything attempts leave behind. */
  readonly stateFolder: string;
  readonly attemptsFolder: string;
  readonly journalsFolder: string;
  /** The user's own state folder, outside of every workspace; null: the environment names none. */
  readonly userFolder: string | null;
  /** The environment named the workspace; it was not looked for. */
  readonly isGiven: boolean;
  /** Names the plan that commands mean when none is named. */
  readonly currentPlanFile: string;
  /** What other programs read of plans, one folder for each. */
  readonly outputsFolder: string;
  readonly settings: Settings;
  readonly settingsText: string;
}

/** @param plan the one that was named: it tells where the workspace is. */
export async function openWorkspace(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  plan?: string,
): Promise<Workspace> {
  const { SIGNALBOX_WORKSPACE: given, SIGNALBOX_TREE: tree } = env;
  const { root, isGiven } = findRoot(cwd, { given, tree, plan: plan ?? planOfPerson(cwd, env) });
  const stateFolder = join(root, '.signalbox');
  const { settings, settingsText } = await loadSettings(root);
  return {
    root,
    stateFolder,
    attemptsFolder: join(stateFolder, 'attempts'),
    journalsFolder: join(stateFolder, 'journals'),
    userFolder: userFolder(env),
    isGiven,
    currentPlanFile: resolve(root, settings.outputs?.currentPlan ?? defaultCurrentPlan),
    outputsFolder: resolve(root, settings.outputs?.folder ?? planOutputsFolder),
    settings,
    settingsText,
  };
}

/** SIGNALBOX_PLAN as a person sets it: seen from the current folder. A runner names the workspace too, and the plan as seen from there. */
export function planOfPerson(
  cwd: string,
  { SIGNALBOX_WORKSPACE: given, SIGNALBOX_PLAN: plan }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return plan && !given && isThere(resolve(cwd, plan)) ? plan : undefined;
}

export interface Whereabouts {
  /** What the runner has told an attempt. It holds below that folder only: a program that an agent tests elsewhere stays on its own. */
  readonly given?: string | undefined;
  /** Where that attempt works, if not there: what is given holds below it too. */
  readonly tree?: string | undefined;
  readonly plan?: string | undefined;
}

/** Seen from the folder of the plan that was named, else from the current one. A tree is never a workspace: it belongs to one. */
export function findRoot(cwd: string, { given, tree, plan }: Whereabouts = {}): Pick<Workspace, 'root' | 'isGiven'> {
  const here = resolve(cwd);
  const start = plan === undefined ? here : folderOf(resolve(cwd, plan));
  if (given && isAbsolute(given) && [given, tree].some((one) => one && isAbsolute(one) && reaches(one, start)))
    return { root: treeAround(given)?.root ?? given, isGiven: true };
  const around = treeAround(start);
  if (around !== null) {
    refuseOthers(around.root, marksIn(around.root));
    return { root: around.root, isGiven: false };
  }
  // A link to a folder is searched as it was named, then where it leads.
  const found = searched(start) ?? (start === here ? null : searched(realPath(start)));
  return { root: found ?? (contains(here, start) ? here : start), isGiven: false };
}

/** By its name, or where links lead: the system tells a process its folder without them. */
const reaches = (folder: string, path: string): boolean =>
  contains(folder, path) || contains(realPath(resolve(folder)), realPath(path));

/** As it was named, then where links lead. */
const treeAround = (folder: string): TreePlace | null => workspaceOfTree(folder) ?? workspaceOfTree(realPath(folder));

/** A folder that was named by mistake is refused later, as one of this workspace. */
const folderOf = (file: string): string => (statsOf(file)?.isDirectory() ? file : dirname(file));

/**
 * The nearest folder upward with settings or state, else the git root; null: neither. Not beyond the git root, and only what this user
 * or root owns: whatever another user put there, or could have written, is refused; the repository of another is passed over.
 */
function searched(start: string): string | null {
  for (const folder of upward(start)) {
    const names = marksIn(folder);
    if (names.length > 0) {
      refuseOthers(folder, names);
      return folder;
    }
    const repository = join(folder, '.git');
    if (isThere(repository)) return [folder, repository].every((path) => otherOwner(path) === null) ? folder : null;
  }
  return null;
}

/** What makes a folder a workspace. */
const marksIn = (folder: string): string[] =>
  ['signalbox.yaml', '.signalbox'].map((name) => join(folder, name)).filter(isThere);

function refuseOthers(folder: string, names: readonly string[]): void {
  for (const path of [folder, ...names]) {
    const other = otherOwner(path);
    if (other === null) continue;
    throw new Refusal(2, `${path} belongs to another user (${other}), so ${names.join(' and ')} is not used`, {
      instead: `work as that user, or in a repository or workspace of yours; if you mean it: SIGNALBOX_WORKSPACE=${folder}`,
    });
  }
  for (const path of [...names, join(folder, '.signalbox', 'state.db')]) {
    const open = openToAll(path);
    if (open !== null) throw openToAllRefusal(open, `${names.join(' and ')} is not used`, folder);
  }
}

function upward(cwd: string): string[] {
  const folders = [resolve(cwd)];
  for (;;) {
    const last = folders[folders.length - 1]!;
    if (dirname(last) === last) return folders;
    folders.push(dirname(last));
  }
}

export function contains(folder: string, path: string): boolean {
  return !leadsOut(relative(folder, path));
}

/** @param way from a folder to somewhere. */
export const leadsOut = (way: string): boolean => way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);

/** The workspace-relative name of a plan file given relative to the current folder. In a tree, the plan of that name in the workspace is meant. */
export function planPathOf(workspace: Workspace, cwd: string, file: string): PlanPath {
  const full = resolve(cwd, file);
  const way = wayTo(workspace.root, full);
  if (way === null) {
    throw new Refusal(2, `${file} is outside the workspace ${workspace.root}`, {
      instead: 'run signalbox in the folder that the plan belongs to',
    });
  }
  return planPath(way.split(sep).join('/'));
}

/** The other way round: as it has to be typed in the current folder. */
export const typedPath = ({ root }: Pick<Workspace, 'root'>, cwd: string, plan: string): string =>
  relative(resolve(cwd), join(root, plan)).split(sep).join('/');

/** A link to the root or to the folder of the plan is followed; a plan that is a link itself keeps its name. Null: it lies elsewhere. */
function wayTo(root: string, file: string): string | null {
  const real = join(realPath(dirname(file)), basename(file));
  const inTree = wayInTree(root, file) ?? wayInTree(root, real);
  if (inTree !== null) return inTree;
  if (contains(root, file)) return relative(root, file);
  const way = relative(realPath(resolve(root)), real);
  return leadsOut(way) ? null : way;
}

/** As they are now; null: they cannot be read. */
export function settingsTextIn(root: string): string | null {
  try {
    const file = join(root, 'signalbox.yaml');
    return existsSync(file) ? readText(file, 'signalbox.yaml') : '';
  } catch {
    return null;
  }
}

async function loadSettings(root: string): Promise<Pick<Workspace, 'settings' | 'settingsText'>> {
  const file = join(root, 'signalbox.yaml');
  if (!existsSync(file)) return { settings: emptySettings, settingsText: '' };
  const { readSettings } = await import('../plan/read-settings.ts');
  const { agentKinds } = await import('../agents/kind.ts');
  const settingsText = readText(file, 'signalbox.yaml');
  const { settings, diagnostics } = readSettings({ text: settingsText, file: 'signalbox.yaml', kinds: agentKinds });
  if (!settings) throw new Refusal(3, 'signalbox.yaml has mistakes', { diagnostics });
  return { settings, settingsText };
}
