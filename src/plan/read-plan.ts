// The door for plans: text → `Plan`, or every mistake with its line. Reading looks at nothing but the text; where the keys of locks
// lead in the file system is asked of the caller.
import type { PlanPath } from '../core/model/ids.ts';
import type { Plan } from '../core/model/plan.ts';
import type { Settings } from '../core/model/settings.ts';
import { parseResource } from '../locks/resource.ts';
import { buildPlan } from './check/build-plan.ts';
import { tellEmptyPlan } from './check/empty-plan.ts';
import { checkLockKeys, type FollowLinks, followLinks } from './check/lock-keys.ts';
import { tellManyRetries } from './check/many-retries.ts';
import { tellNearlyMarks } from './check/nearly-marks.ts';
import { tellNearlyNeeds } from './check/nearly-needs.ts';
import type { Order } from './check/order.ts';
import { warnSharedFiles } from './check/shared-files.ts';
import { type Diagnostic, quoted } from './diagnostics/diagnostic.ts';
import type { Place, Report } from './diagnostics/report.ts';
import { mostErrors, mostIdleLines, mostTasks } from './limits.ts';
import { readMarkdown } from './read/markdown/read-markdown.ts';
import { prepareText } from './read/prepare-text.ts';
import type { Cut, RawPlan } from './read/raw-plan.ts';
import { readYaml } from './read/yaml/read-yaml.ts';

export interface PlanText {
  readonly text: string;
  /** As it is shown in diagnostics. */
  readonly file: string;
  readonly path: PlanPath;
  readonly settings?: Settings;
  /** Absent: keys are what they say. */
  readonly followLinks?: FollowLinks;
}

export interface PlanReading {
  /** Null if and only if there is an error among the diagnostics. */
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
  /** What holds beside the named needs, when the plan itself does not say it. */
  readonly assumedOrder?: Order;
}

/** Null when there is nothing to go on with; what is wrong is in the report. */
export type Reader = (text: string, report: Report) => RawPlan | null;

/** `read` replaces the reader of the form, for callers that want to see more than the plan. */
export function readPlan(
  { text: written, file, path, settings, followLinks: follow }: PlanText,
  read?: Reader,
): PlanReading {
  const { text, report } = prepareText(written, file);
  const reader = readerOf(path);
  if (reader === null) {
    report.error({
      code: 'unknown-format',
      message: `${quoted(file)} is neither markdown nor YAML by its name`,
      line: 1,
      column: 1,
      help: 'plans end with `.md`, `.markdown`, `.yaml` or `.yml`',
    });
  }
  // Damaged text only makes mistakes that nobody made.
  const raw = reader === null || report.failed ? null : (read ?? reader)(text, report);
  if (raw === null || !isWhole(raw, path, report)) return { plan: null, diagnostics: report.diagnostics() };
  tellNearlyNeeds(raw, text, report);
  if (reader === readMarkdown) tellNearlyMarks(text, report);
  tellManyRetries(raw, settings, report);
  const { plan: built, assumedOrder } = buildPlan({ path, settings, report, raw });
  const plan = built && checkLocks(built, report, follow);
  const assumed = assumedOrder === undefined ? {} : { assumedOrder };
  return { plan: report.failed ? null : plan, diagnostics: report.diagnostics(), ...assumed };
}

function readerOf(path: PlanPath): Reader | null {
  if (/\.(md|markdown)$/i.test(path)) return readMarkdown;
  return /\.ya?ml$/i.test(path) ? readYaml : null;
}

/** False, with a word about it, when the reader stopped before the end: what tasks need may stand in the part it did not read. */
function isWhole({ tasks, tooMany, cut }: RawPlan, path: PlanPath, report: Report): boolean {
  const oneTooMany = tooMany ?? tasks[mostTasks];
  if (oneTooMany) tellTooMany(oneTooMany, report);
  else if (cut && tasks.length === 0 && !report.failed) tellEmptyPlan(path, report, cut.line);
  else if (cut) tellCut(cut, report);
  return !oneTooMany && !cut;
}

function tellTooMany({ line, column }: Place, report: Report): void {
  report.error({
    code: 'too-many-tasks',
    message: `this is task number ${mostTasks + 1}; a plan has ${mostTasks} at most`,
    line,
    column,
    help: 'split the plan into several files, and run one after the other',
  });
}

function tellCut({ line, why }: Cut, report: Report): void {
  if (why === 'wrong') {
    report.stopCounting();
    const message = `above are more than ${mostErrors} mistakes, so from here on the file was not read`;
    report.error({ code: 'more', message, line, column: 1, help: 'mend those first, and check it again' });
    return;
  }
  report.error({
    code: 'long-text',
    message: `from here on the file was not read: there is no task in the ${mostIdleLines} lines above`,
    line,
    column: 1,
    help: 'close blocks and comments that are open, take out what is no plan, and put long text into a file that the task reads',
  });
}

/** Follows links first: two names of one file are one lock. */
function checkLocks(written: Plan, report: Report, follow: FollowLinks | undefined): Plan {
  const readKey = remembered(parseResource);
  const followKey = follow && remembered(follow);
  checkLockKeys(written, report, readKey, followKey);
  const plan = followKey ? followLinks(written, followKey) : written;
  if (!report.failed) warnSharedFiles(plan, report, readKey);
  return plan;
}

/** Many tasks name the same keys, and to follow one means to ask the disk. */
function remembered<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const fresh = find(key);
    known.set(key, fresh);
    return fresh;
  };
}
