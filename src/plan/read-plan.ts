// The door for plans: text → `Plan`, or every mistake with its line. Reading looks at nothing but the text.
import type { PlanPath } from '../core/ids.ts';
import type { Plan } from '../core/plan.ts';
import type { Settings } from '../core/settings.ts';
import { assemble } from './assemble.ts';
import { type Diagnostic, quoted } from './diagnostic.ts';
import { mostTasks } from './limits.ts';
import { checkLockKeys } from './lock-keys.ts';
import { readMarkdown } from './markdown/read-markdown.ts';
import { tellNearlyNeeds } from './nearly-needs.ts';
import type { Order } from './order.ts';
import { prepareText } from './prepare-text.ts';
import type { RawPlan } from './raw-plan.ts';
import type { Report } from './report.ts';
import { warnSharedFiles } from './shared-files.ts';
import { readYaml } from './yaml/read-yaml.ts';

export interface PlanText {
  readonly text: string;
  /** As it is shown in diagnostics. */
  readonly file: string;
  readonly path: PlanPath;
  readonly settings?: Settings;
}

export interface PlanReading {
  /** Null if and only if there is an error among the diagnostics. */
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
  /** What holds beside the named needs, when the plan itself does not say it. */
  readonly assumedOrder?: Order;
}

/** Null when there is nothing to go on with. */
export type Reader = (text: string, report: Report) => RawPlan | null;

/** `read` is for those who want to see more than the plan while it is read. */
export function readPlan({ text, file, path, settings }: PlanText, read = readerFor(path)): PlanReading {
  const { report, text: prepared } = prepareText(text, file);
  if (read === null) {
    report.error({
      code: 'unknown-format',
      message: `${quoted(file)} is neither markdown nor YAML by its name`,
      line: 1,
      column: 1,
      help: 'plans end with `.md`, `.markdown`, `.yaml` or `.yml`',
    });
    return { plan: null, diagnostics: report.diagnostics() };
  }
  // Damaged text only makes mistakes that nobody made.
  if (report.failed) return { plan: null, diagnostics: report.diagnostics() };
  const raw = read(prepared, report);
  if (raw && raw.tasks.length > mostTasks) return { plan: null, diagnostics: tooManyTasks(raw, report) };
  if (raw) tellNearlyNeeds(raw, prepared, report);
  const { plan, assumedOrder } = raw ? assemble({ path, raw, settings, report }) : { plan: null };
  if (plan) checkLockKeys(plan, report);
  if (plan && !report.failed) warnSharedFiles(plan, report);
  const assumed = assumedOrder === undefined ? {} : { assumedOrder };
  return { plan: report.failed ? null : plan, diagnostics: report.diagnostics(), ...assumed };
}

/** What they need may stand in the part that was not read, so nothing is said about it. */
function tooManyTasks({ tasks }: RawPlan, report: Report): readonly Diagnostic[] {
  const { line, column } = tasks[mostTasks]!;
  report.error({
    code: 'too-many-tasks',
    message: `this is task number ${mostTasks + 1}; a plan has ${mostTasks} at most`,
    line,
    column,
    help: 'split the plan into several files, and run one after the other',
  });
  return report.diagnostics();
}

function readerFor(path: PlanPath): Reader | null {
  if (/\.(md|markdown)$/i.test(path)) return readMarkdown;
  return /\.ya?ml$/i.test(path) ? readYaml : null;
}
