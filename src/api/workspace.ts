// Where things live: the root folder of the workspace, its settings, and the places below it. Looking creates nothing.
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { defaultCurrentPlan, planOutputsFolder } from '../core/model/defaults.ts';
import { type PlanPath, planPath } from '../core/model/ids.ts';
import { emptySettings, type Settings } from '../core/model/settings.ts';
import { readText } from './files/read-text.ts';
import { realPath } from './files/real-path.ts';
import { Refusal } from './refusal.ts';

export interface Workspace {
  readonly root: string;
  /** `.signalbox`: the store and everything attempts leave behind. */
  readonly stateFolder: string;
  readonly attemptsFolder: string;
  readonly journalsFolder: string;
  /** On the PATH of every attempt: the `signalbox` command itself. */
  readonly commandFolder: string;
  /** Names the plan that commands mean when none is named. */
  readonly currentPlanFile: string;
  /** What other programs read of plans, one folder for each. */
  readonly outputsFolder: string;
  readonly settings: Settings;
  readonly settingsText: string;
}

export async function openWorkspace(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Workspace> {
  const root = findRoot(cwd, env.SIGNALBOX_WORKSPACE);
  const stateFolder = join(root, '.signalbox');
  const { settings, settingsText } = await loadSettings(root);
  return {
    root,
    stateFolder,
    attemptsFolder: join(stateFolder, 'attempts'),
    journalsFolder: join(stateFolder, 'journals'),
    commandFolder: join(stateFolder, 'bin'),
    currentPlanFile: resolve(root, settings.outputs?.currentPlan ?? defaultCurrentPlan),
    outputsFolder: resolve(root, settings.outputs?.folder ?? planOutputsFolder),
    settings,
    settingsText,
  };
}

/**
 * The nearest folder upward with settings or state, else the git root, else the current folder. Inside an attempt the runner
 * has said which one it is; that holds below it only, so that a program that an agent tests elsewhere stays on its own.
 */
export function findRoot(cwd: string, given?: string): string {
  if (given && isAbsolute(given) && contains(given, cwd)) return given;
  const folders = upward(cwd);
  const own = folders.find((f) => existsSync(join(f, 'signalbox.yaml')) || existsSync(join(f, '.signalbox')));
  return own ?? folders.find((folder) => existsSync(join(folder, '.git'))) ?? resolve(cwd);
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

/** The workspace-relative name of a plan file given relative to the current folder. */
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

/** A link to the root or to the folder of the plan is followed; a plan that is a link itself keeps its name. Null: it lies elsewhere. */
function wayTo(root: string, file: string): string | null {
  if (contains(root, file)) return relative(root, file);
  const real = join(realPath(dirname(file)), basename(file));
  const way = relative(realPath(resolve(root)), real);
  return leadsOut(way) ? null : way;
}

async function loadSettings(root: string): Promise<Pick<Workspace, 'settings' | 'settingsText'>> {
  const file = join(root, 'signalbox.yaml');
  if (!existsSync(file)) return { settings: emptySettings, settingsText: '' };
  const { readSettings } = await import('../plan/read-settings.ts');
  const settingsText = readText(file, 'signalbox.yaml');
  const { settings, diagnostics } = readSettings({ text: settingsText, file: 'signalbox.yaml' });
  if (!settings) throw new Refusal(3, 'signalbox.yaml has mistakes', { diagnostics });
  return { settings, settingsText };
}
