// What `init` would write, and what it leaves alone. It only looks. All of it can be written, or it refuses.
//
//   what                    where nothing is    where something is
//   signalbox.yaml          made                left alone
//   plan.md                 made                left alone; if it is no plan, first-plan.md is made instead
//   .gitignore              made, with git      rules that git lacks are added; a link is left alone: git does not follow it
//   AGENTS.md               made                the section is added, unless it is there
//   CLAUDE.md               not made            the import of AGENTS.md is added, unless it is there or both are one file
import { join, relative } from 'node:path';
import { planPath } from '../../core/model/ids.ts';
import { findGitFolders } from '../../git/git-folders.ts';
import { isIgnored } from '../../git/ground/ground.ts';
import { checkPlan } from '../files/plan-file.ts';
import { realPath } from '../files/real-path.ts';
import { Refusal } from '../refusal.ts';
import { repositoryOf } from '../results/repository-of.ts';
import { ownFiles } from '../run/isolation/choose-isolation.ts';
import { isThere, statsOf } from '../trust/owner.ts';
import { leadsOut, type Workspace } from '../workspace.ts';
import {
  type AgentsFound,
  agentsSection,
  ignoreLines,
  ignoreRule,
  importLine,
  planText,
  sectionBegin,
  settingsText,
} from './first-texts.ts';
import type { Written } from './init-record.ts';
import { installedAgents } from './installed-agents.ts';
import { findText, refuseBare, refuseOthersFolder, refuseUnwritable } from './own-place.ts';
import { sectionFor } from './section.ts';

export interface Place {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Change extends Written {
  /** The text that it is added to. */
  readonly before: string;
}

/** A file, and why nothing is done about it. */
export interface LeftAlone {
  readonly path: string;
  readonly because: string;
}

export interface PlannedChanges {
  readonly agents: AgentsFound;
  readonly changes: readonly Change[];
  readonly leftAlone: readonly LeftAlone[];
  /** The plan to run first, from the current folder; null: none is known. */
  readonly plan: string | null;
}

type Step = readonly (Change | LeftAlone)[];

export async function planChanges(place: Place, withAgentsFile: boolean): Promise<PlannedChanges> {
  const { workspace, cwd, env } = place;
  const { root } = workspace;
  refuseOthersFolder(workspace);
  refuseBare(root);
  const agents = installedAgents(workspace, env);
  const settings = whole(root, 'signalbox.yaml', settingsText(agents));
  const { plan, steps: planSteps } = await firstPlan(workspace, agents);
  const steps: Step = [
    settings,
    ...planSteps,
    ...(await ignoreRules(place)),
    ...(withAgentsFile ? agentsFile(root) : []),
  ];
  return {
    agents,
    changes: steps.filter((step) => 'text' in step),
    leftAlone: steps.filter((step) => 'because' in step),
    plan: plan && relative(cwd, join(root, plan)),
  };
}

function whole(root: string, path: string, text: string): Change | LeftAlone {
  if (isThere(join(root, path))) return { path, because: 'is there already' };
  refuseUnwritable(root, path);
  return { path, kind: 'whole', text, existed: false, before: '' };
}

async function firstPlan(workspace: Workspace, agents: AgentsFound): Promise<{ plan: string | null; steps: Step }> {
  const { root, settings } = workspace;
  const steps: (Change | LeftAlone)[] = [];
  // Settings that are made now name the agent.
  const isNamed = !isThere(join(root, 'signalbox.yaml')) || settings.defaults.agent === agents.chosen;
  for (const plan of ['plan.md', 'first-plan.md']) {
    const step = whole(root, plan, planText(agents, plan, isNamed ? null : agents.chosen));
    if ('text' in step) return { plan, steps: [...steps, step] };
    if (await isPlan(workspace, plan)) return { plan, steps: [...steps, step] };
    steps.push({ path: plan, because: 'is there already, and is not a plan' });
  }
  return { plan: null, steps };
}

async function isPlan(workspace: Workspace, path: string): Promise<boolean> {
  try {
    const { plan } = await checkPlan(workspace, planPath(path));
    return plan !== null && plan.tasks.length > 0;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function ignoreRules({ workspace, env }: Place): Promise<Step> {
  const { root } = workspace;
  const path = '.gitignore';
  if (findGitFolders(root) === null) return [];
  if (statsOf(join(root, path))?.isSymbolicLink())
    return [{ path, because: 'is a link, and git follows none; .git/info/exclude can have the rules' }];
  const found = findText(root, path);
  const present = new Set((found ?? '').split(/\r?\n/).map((line) => line.trimEnd()));
  const repository = repositoryOf({ workspace, env });
  const missing: string[] = [];
  for (const [name, inside] of madeByRuns(workspace)) {
    const isRule = present.has(ignoreRule(name)) || present.has(ignoreRule(name).slice(1));
    if (!isRule && !(await isIgnored(repository, name + inside))) missing.push(name);
  }
  if (missing.length === 0) return [{ path, because: 'already ignores what runs write' }];
  refuseUnwritable(root, path);
  return [added(path, found, ignoreLines(missing))];
}

/** With the name of a file in each: git is asked about that. */
function madeByRuns(workspace: Workspace): [string, string][] {
  const [state, outputs, current] = ownFiles(workspace) as [string, string, string];
  const all: [string, string][] = [
    [`${state}/`, 'state.db'],
    [`${outputs}/`, 'plan/status.json'],
    [current, ''],
  ];
  return all.filter(([name]) => !leadsOut(name));
}

const wayOut = 'signalbox init --no-agents-md leaves AGENTS.md and CLAUDE.md alone';

function agentsFile(root: string): Step {
  const section = sectionIn(root, 'AGENTS.md', (text) => text.includes(sectionBegin), agentsSection);
  const agents = section ?? { path: 'AGENTS.md', because: 'already has the section' };
  const [one, other] = ['AGENTS.md', 'CLAUDE.md'].map((name) => join(root, name)) as [string, string];
  if (!isThere(other) || realPath(one) === realPath(other)) return [agents];
  const claude = sectionIn(root, 'CLAUDE.md', (text) => imports.test(text), [importLine]);
  return [agents, claude ?? { path: 'CLAUDE.md', because: 'already imports AGENTS.md' }];
}

const imports = /(?:^|\s)@(?:\.\/)?AGENTS\.md(?![\w/])/;

/** Null: it is there. */
function sectionIn(
  root: string,
  path: string,
  isIn: (text: string) => boolean,
  lines: readonly string[],
): Change | null {
  const found = findText(root, path, wayOut);
  if (isIn(found ?? '')) return null;
  refuseUnwritable(root, path, wayOut);
  return added(path, found, lines);
}

const added = (path: string, found: string | null, lines: readonly string[]): Change => {
  const before = found ?? '';
  return { path, kind: 'section', text: sectionFor(before, lines), existed: found !== null, before };
};
