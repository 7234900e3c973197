// The door for other tools' files: their text → a native plan and what could not be carried over, or every mistake with its
// line. What is written is read again: an import never leaves a plan behind that cannot be read.
import { planPath } from '../core/model/ids.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { Report } from './diagnostics/report.ts';
import { formatPlan } from './format-plan.ts';
import { largestFile, longestLine, mostTasks } from './limits.ts';
import { type ForeignPlan, type ForeignTask, type Loss, Losses, tooManyTasks } from './read/foreign/foreign-task.ts';
import { readBacklog } from './read/foreign/read-backlog.ts';
import { readBeads } from './read/foreign/read-beads.ts';
import { readTaskmaster } from './read/foreign/read-taskmaster.ts';
import { prepareText } from './read/prepare-text.ts';
import { readPlan } from './read-plan.ts';
import { writeForeignPlan } from './write/write-foreign-plan.ts';

export const importTools = ['taskmaster', 'beads', 'backlog', 'speckit', 'kiro'] as const;
export type ImportTool = (typeof importTools)[number];

export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

export interface ImportOptions {
  readonly tool: ImportTool;
  /** One; for Backlog.md one per task. */
  readonly files: readonly ImportFile[];
  readonly tag?: string | undefined;
}

export type ImportReading =
  | {
      readonly ok: true;
      readonly text: string;
      readonly tasks: number;
      readonly groups: number;
      readonly losses: readonly Loss[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function importPlan({ tool, files, tag }: ImportOptions): ImportReading {
  if (tool === 'speckit' || tool === 'kiro') return rewritten(files[0]!);
  const losses = new Losses();
  const diagnostics: Diagnostic[] = [];
  const plan = tool === 'backlog' ? readFolder(files, losses, diagnostics) : readOne(files[0]!, { tool, tag }, losses);
  if ('diagnostics' in plan) return { ok: false, diagnostics: plan.diagnostics };
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  if (plan.tasks.length > mostTasks) return { ok: false, diagnostics: tooMany(files[0]!.name) };
  const text = writeForeignPlan(plan, losses);
  const path = planPath('imported.md');
  const reading = readPlan({ text, file: `the plan made of ${files[0]?.name ?? tool}`, path });
  if (reading.plan === null) return { ok: false, diagnostics: reading.diagnostics };
  return { ok: true, text, ...counted(reading.plan.tasks), losses: losses.list() };
}

function tooLarge(length: number, report: Report): void {
  report.error({
    code: 'wrong-tool',
    message: `this file has ${length} characters; one task of Backlog.md has ${longestLine} at most`,
    line: 1,
    column: 1,
    help: 'each file in `backlog/tasks` is one task: take this one out',
  });
}

function tooMany(file: string): readonly Diagnostic[] {
  const report = new Report(file, '');
  report.error(tooManyTasks);
  return report.diagnostics();
}

/** Forms that are read directly only need to be spelled in the native way. */
function rewritten({ name, text }: ImportFile): ImportReading {
  const done = formatPlan({ text, file: name, path: planPath('imported.md') }, { ids: true });
  if (!done.ok) return done;
  return { ok: true, text: done.text, ...counted(done.reading.plan!.tasks), losses: [] };
}

function counted(tasks: readonly { readonly group?: true }[]): { tasks: number; groups: number } {
  const groups = tasks.filter((task) => task.group).length;
  return { tasks: tasks.length - groups, groups };
}

function readOne(
  { name, text }: ImportFile,
  { tool, tag }: { readonly tool: 'taskmaster' | 'beads'; readonly tag: string | undefined },
  losses: Losses,
): ForeignPlan | { readonly diagnostics: readonly Diagnostic[] } {
  const { text: prepared, report } = prepareText(text, name);
  if (text.length > largestFile) return { diagnostics: report.diagnostics() };
  const plan =
    tool === 'beads' ? readBeads(prepared, losses, report) : readTaskmaster(prepared, { tag }, losses, report);
  return plan === null || report.failed ? { diagnostics: report.diagnostics() } : plan;
}

function readFolder(files: readonly ImportFile[], losses: Losses, diagnostics: Diagnostic[]): ForeignPlan {
  const tasks: ForeignTask[] = [];
  for (const { name, text } of files) {
    const { text: prepared, report } = prepareText(text, name);
    if (prepared.length > longestLine) tooLarge(prepared.length, report);
    const task = report.failed ? null : readBacklog(prepared, losses, report);
    if (task && !report.failed) tasks.push(task);
    diagnostics.push(...report.diagnostics().filter(({ severity }) => severity === 'error'));
  }
  return { title: 'Tasks of Backlog.md', tasks };
}
