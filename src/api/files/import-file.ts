// `import`: another tool's file, or Backlog.md's folder of them, as a native plan. Writes only where it was told to, and over
// an existing file only when that was said.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { type ImportFile, type ImportTool, importPlan, importTools } from '../../plan/import-plan.ts';
import { largestFile } from '../../plan/limits.ts';
import { Refusal } from '../refusal.ts';
import type { ImportReport } from '../reports/plan-files.ts';
import { planPathOf, type Workspace } from '../workspace.ts';
import type { ImportOptions } from './files-door.ts';
import { readSource } from './read-text.ts';
import { replaceFile } from './replace-file.ts';
import { writeMistake } from './write-mistake.ts';

export { importTools };

export interface ImportPlace {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly tool: string;
  /** As it was typed. */
  readonly source: string;
}

export function importFile({ workspace, cwd, tool, source }: ImportPlace, options: ImportOptions): ImportReport {
  if (!isTool(tool)) {
    const meant = nearest(tool, importTools);
    throw new Refusal(2, `the tool ${tool} is not known`, {
      instead: meant === undefined ? `the tools are ${importTools.join(', ')}` : `did you mean ${meant}?`,
    });
  }
  if (options.tag !== undefined && tool !== 'taskmaster') throw new Refusal(2, '--tag is for taskmaster only');
  const target = options.out === undefined ? null : targetOf(workspace, cwd, options.out, options.force === true);
  const { files, drafts } = filesOf(cwd, tool, source);
  const done = importPlan({ tool, files, tag: options.tag });
  if (!done.ok) {
    throw new Refusal(3, `${source} cannot be imported from ${tool}; nothing was written`, {
      diagnostics: done.diagnostics,
    });
  }
  if (target) write(target.file, target.plan, done.text, options.force === true);
  const { text, tasks, groups } = done;
  const left = drafts === 0 ? [] : [{ what: drafts === 1 ? 'a draft' : `${drafts} drafts`, tasks: [] }];
  return { tool, source, plan: target?.plan ?? null, tasks, groups, losses: [...left, ...done.losses], text };
}

const isTool = (tool: string): tool is ImportTool => (importTools as readonly string[]).includes(tool);

function targetOf(workspace: Workspace, cwd: string, out: string, force: boolean): { file: string; plan: string } {
  const plan = planPathOf(workspace, cwd, out);
  const file = join(workspace.root, plan);
  if (!/\.(md|markdown)$/i.test(out)) {
    throw new Refusal(2, `${out} does not end with .md`, {
      instead: 'imported plans are markdown: only its boxes can say what is done already',
    });
  }
  if (!force && existsSync(file)) throw exists(plan);
  return { file, plan };
}

const exists = (plan: string) =>
  new Refusal(2, `${plan} exists already`, { instead: 'choose another name, or replace it with --force' });

/** Backlog.md keeps one file per task, finished ones in a folder of their own. */
function filesOf(cwd: string, tool: ImportTool, source: string): { files: ImportFile[]; drafts: number } {
  const full = resolve(cwd, source);
  if (tool !== 'backlog' || !isFolder(full))
    return { files: [{ name: source, text: readSource(full, source) }], drafts: 0 };
  const hasTasks = existsSync(join(full, 'tasks'));
  const folders = hasTasks ? ['tasks', 'completed'] : ['.'];
  const names = folders.flatMap((folder) => taskFiles(full, folder));
  if (names.length === 0) {
    throw new Refusal(2, `there are no task files in ${source}`, {
      instead: `name the folder that backlog made, or its folder ${join(source, 'tasks')}`,
    });
  }
  // Together they become one plan.
  let room = largestFile;
  const files = names.map((name) => {
    const text = readSource(join(full, name), join(source, name), room);
    room = Math.max(0, room - text.length);
    return { name: join(source, name), text };
  });
  return { files, drafts: hasTasks ? taskFiles(full, 'drafts').length : 0 };
}

/** Trouble with looking at the source is reported by the reader. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** In the order of their numbers: task-2 before task-10. */
function taskFiles(full: string, folder: string): string[] {
  const inside = join(full, folder);
  if (!existsSync(inside)) return [];
  return readdirSync(inside)
    .filter((name) => name.endsWith('.md') && basename(name).toLowerCase() !== 'readme.md')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => join(folder, name));
}

function write(file: string, plan: string, text: string, force: boolean): void {
  try {
    if (force && existsSync(file)) replaceFile(file, text);
    else writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(plan);
    if (code === 'ENOENT') throw new Refusal(2, `the folder of ${plan} does not exist`);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new Refusal(2, `${plan} cannot be written by this user`);
    const because = writeMistake(error);
    throw because === undefined ? error : new Refusal(2, `cannot write ${plan}: ${because}`);
  }
}
