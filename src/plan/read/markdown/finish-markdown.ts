// What can only be said when the whole file has been read: which tool it comes from, and what that tool means by it.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import type { Cut, Draft, RawPhase, RawPlan, RawSequence, TopKeys } from '../raw-plan.ts';
import type { Headings } from './headings.ts';
import type { Outline } from './outline.ts';
import { looksLikeTasks, readTables, tellLooseRows } from './read-table.ts';
import type { TaskDraft } from './task-draft.ts';

export function finishMarkdown(outline: Outline, top: TopKeys, report: Report, cut: Cut | null): RawPlan {
  const { headings, specKit, headed } = outline;
  const { title, saysPhase } = headings;
  const kiro = outline.kiro ?? numberedPlan(outline);
  const said = top.order?.value;
  const isSpecKit = said === 'spec-kit' || (said === undefined && specKit !== null);
  const isKiro = kiro !== null && !isSpecKit && (said === undefined || said === 'sequential');
  if (!isSpecKit && !isKiro) outline.doubts.tell(report);
  const nearly = isSpecKit || isKiro ? [] : outline.nearly;
  const shared = { title: top.title ?? title, top, specKit, kiro, saysPhase, headed, nearly, cut };
  if (outline.tasks.length === 0) tellLooseRows(outline.tables, report);
  const table = outline.tasks.length === 0 ? readTables(outline.tables.found, report) : null;
  if (table) {
    const sequences = [...table.sequences, ...outline.notes.map((references) => ({ references }))];
    return { ...shared, ...table, sequences, specKit: null, kiro: null };
  }
  warnOfTables(outline, report);
  let { tasks } = outline;
  if (isKiro) readAsKiro(tasks, report);
  if (isSpecKit && specKit) tasks = withoutChecklists(tasks, headings, report);
  const sequences = sequencesOf(outline, tasks);
  const phases = isSpecKit ? mergePhases(tasks, headings) : headings.phases;
  return { ...shared, phases, tasks, sequences };
}

/** "# Implementation Plan" over numbered tasks with numbered subtasks, none of which names a need: a file of Kiro. */
function numberedPlan({ headings, tasks }: Outline): { line: number; column: number } | null {
  if (headings.title === null || !/^implementation plan\b/i.test(headings.title)) return null;
  let hasSubtask = false;
  for (const { id, parent, references } of tasks) {
    if (references !== null || id === null) return null;
    if (parent < 0 && !/^\d+$/.test(id)) return null;
    if (parent >= 0 && id.startsWith(`${tasks[parent]!.id}.`)) hasSubtask = true;
  }
  return hasSubtask ? { line: 1, column: 1 } : null;
}

/** Kiro means `1.1` as a part of `1`, also where it is not indented. */
function readAsKiro(tasks: readonly TaskDraft[], report: Report): void {
  let group = -1;
  tasks.forEach((task, i) => {
    if (task.box === 'skipped') inProgress(task, report);
    if (task.parent >= 0) return;
    const isPart = group >= 0 && task.id?.startsWith(`${tasks[group]!.id}.`) && tasks[group]!.phase === task.phase;
    if (isPart) task.parent = group;
    else group = task.id !== null && /^\d+$/.test(task.id) ? i : -1;
  });
}

function inProgress({ line, column }: TaskDraft, report: Report): void {
  report.warning({
    code: 'skipped-box',
    message: '`[-]` is a skipped task here; Kiro also writes it for one in progress',
    line,
    column,
    help: 'write `[ ]` if there is still work to do',
  });
}

/** Spec-kit's "Validation Checklist" and the like: boxes for whoever wrote the plan, without ids. */
function withoutChecklists(tasks: TaskDraft[], { phases }: Headings, report: Report): TaskDraft[] {
  const numbered = new Set(tasks.filter(({ id }) => id !== null && /^T\d/.test(id)).map(({ phase }) => phase));
  const isChecklist = (phase: number) =>
    !numbered.has(phase) && /\b(?:checklist|gates?|validation)\b/i.test(phases[phase]!.name);
  if (!tasks.some(({ phase }) => isChecklist(phase))) return tasks;
  const kept: TaskDraft[] = [];
  const places = new Map<number, number>();
  const told = new Set<number>();
  tasks.forEach((task, i) => {
    if (!isChecklist(task.phase)) {
      places.set(i, kept.length);
      if (task.parent >= 0) task.parent = places.get(task.parent)!;
      kept.push(task);
    } else if (!told.has(task.phase)) {
      told.add(task.phase);
      report.warning({
        code: 'checklist',
        message: `the boxes under ${quoted(phases[task.phase]!.name)} have no ids such as \`T001\`: they are not read as tasks`,
        line: task.line,
        column: task.column,
        help: 'give each an id such as `T001` if they are tasks',
      });
    }
  });
  return kept;
}

/** In a plan of spec-kit the headings that say "Phase" are the phases; those below them only tell its tasks apart. */
function mergePhases(tasks: readonly TaskDraft[], { phases, around }: Headings): RawPhase[] {
  const merged: Draft<RawPhase>[] = [];
  const byHeading = new Map<unknown, number>();
  const used = new Set(tasks.map((task) => task.phase));
  const place = phases.map((phase, i) => {
    if (!used.has(i)) return -1;
    const heading = around[i]!.phase ?? phase;
    const known = byHeading.get(heading);
    if (known === undefined) {
      byHeading.set(heading, merged.length);
      return merged.push({ ...phase, name: heading.name }) - 1;
    }
    if (phase.check) merged[known]!.check = [...(merged[known]!.check ?? []), ...phase.check];
    return known;
  });
  for (const task of tasks) task.phase = place[task.phase]!;
  return merged;
}

/** Phases as the headings made them must still be in the tasks. */
function sequencesOf({ headings, notes }: Outline, tasks: readonly TaskDraft[]): RawSequence[] {
  const lists = new Map<unknown, number[]>();
  const add = (key: unknown, task: number) => {
    const list = lists.get(key);
    if (list) list.push(task);
    else lists.set(key, [task]);
  };
  const hasMark = headings.around.some(({ sequence }) => sequence !== null);
  tasks.forEach((task, i) => {
    const heading = hasMark && task.parent < 0 ? headings.around[task.phase]!.sequence : null;
    if (heading) add(heading, i);
    else if (task.sequential) add(`${task.phase} ${task.parent}`, i);
  });
  return [...[...lists.values()].map((list) => ({ tasks: list })), ...notes.map((references) => ({ references }))];
}

function warnOfTables({ tables }: Outline, report: Report): void {
  for (const table of tables.found) {
    if (!looksLikeTasks(table)) continue;
    report.warning({
      code: 'table-not-read',
      message: 'this table is prose: the tasks of this plan are its boxes or headings',
      line: table.header[0]!.line,
      column: table.header[0]!.column,
      help: 'a plan is either a table or boxes',
    });
  }
}
