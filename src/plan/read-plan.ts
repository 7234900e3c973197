// The door for plans: text → `Plan`, or every mistake with its line. Reading looks at nothing but the text; where the keys of locks
// lead in the file system is asked of the caller.
import type { PlanPath } from '../core/ids.ts';
import type { Plan } from '../core/plan.ts';
import type { Settings } from '../core/settings.ts';
import { assemble } from './assemble.ts';
import { type Diagnostic, quoted } from './diagnostic.ts';
import { tellEmptyPlan } from './empty-plan.ts';
import { type Finishing, finishReady, type ReadyPlan, type TooManyTasks } from './finish-ready.ts';
import { mostErrors, mostIdleLines, mostTasks } from './limits.ts';
import { checkLockKeys, type FollowLinks, followLinks } from './lock-keys.ts';
import { readMarkdown } from './markdown/read-markdown.ts';
import { readReadyMarkdown } from './markdown/ready-markdown.ts';
import { tellNearlyNeeds } from './nearly-needs.ts';
import type { Order } from './order.ts';
import { refuseCharacters, withOneLineEnd } from './prepare-text.ts';
import type { Cut, RawPlan } from './raw-plan.ts';
import type { Place, Report } from './report.ts';
import { areSeparate } from './separate-files.ts';
import { warnSharedFiles } from './shared-files.ts';
import { readYaml } from './yaml/read-yaml.ts';
import { readReadyYaml } from './yaml/ready-yaml.ts';

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

/** `read` is for those who want to see more than the plan while it is read. */
export function readPlan({ text, file, path, settings, followLinks: follow }: PlanText, read?: Reader): PlanReading {
  const prepared = withOneLineEnd(text, file);
  const { report } = prepared;
  const known = formOf(path);
  const form = known && read ? { ...known, ready: giveUp, any: read } : known;
  const rest = { path, settings, report };
  const ready = form?.looksAtAll ? readReady(form, prepared.text, rest) : null;
  if (!ready?.plan) refuseCharacters(prepared);
  if (form === null) {
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
  const fast = form.looksAtAll ? ready : readReady(form, prepared.text, rest);
  if (fast?.tooMany) tellTooMany(fast.tooMany, report);
  const { plan: written, assumedOrder, areSeparate: isKnown } = fast ?? readAny(form, prepared.text, rest);
  const plan = written && checkedLocks(written, report, { isKnown: isKnown === true, follow });
  const assumed = assumedOrder === undefined ? {} : { assumedOrder };
  return { plan: report.failed ? null : plan, diagnostics: report.diagnostics(), ...assumed };
}

interface LockChecks {
  /** That no two keys have anything to do with each other. */
  readonly isKnown: boolean;
  readonly follow: FollowLinks | undefined;
}

/** With links followed: what they lead to may be somebody else's, so that everything is looked at again. */
function checkedLocks(written: Plan, report: Report, { isKnown, follow }: LockChecks): Plan {
  if (!follow && (isKnown || areSeparate(written))) return written;
  const known = follow && remembered(follow);
  checkLockKeys(written, report, known);
  const plan = known ? followLinks(written, known) : written;
  if (plan === written && (isKnown || areSeparate(plan))) return plan;
  if (!report.failed) warnSharedFiles(plan, report);
  return plan;
}

/** Each key is followed on the disk once. */
function remembered(follow: FollowLinks): FollowLinks {
  const known = new Map<string, ReturnType<FollowLinks>>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const fresh = follow(key);
    known.set(key, fresh);
    return fresh;
  };
}

interface Form {
  /** Null when it cannot be read that fast. */
  readonly ready: (text: string) => ReadyPlan | TooManyTasks | null;
  /** It gives up at a NUL character or half of one too, so that nobody has to look for them before. */
  readonly looksAtAll: boolean;
  readonly any: Reader;
}

interface Reading {
  readonly plan: Plan | null;
  readonly assumedOrder?: Order;
  /** It is known already that nothing is to be said about its lock keys. */
  readonly areSeparate?: boolean;
  /** The place of the first task that a plan has no room for. */
  readonly tooMany?: Place;
}

/** The fast way, which either reads it all without a word, or leaves it to the general one. */
export function readReady(form: Form, text: string, rest: Finishing): Reading | null {
  const ready = form.ready(text);
  if (ready && 'tooMany' in ready) return { plan: null, ...ready };
  return ready && finishReady(ready, rest);
}

/** The general way; it says all that there is to say. */
export function readAny(form: Form, text: string, rest: Finishing): Reading {
  const { report } = rest;
  const raw = form.any(text, report);
  if (raw === null) return { plan: null };
  const tooMany = raw.tooMany ?? raw.tasks[mostTasks];
  if (tooMany) {
    tellTooMany(tooMany, report);
    return { plan: null };
  }
  if (raw.cut) return notReadOn(raw, raw.cut, rest);
  tellNearlyNeeds(raw, text, report);
  return assemble({ ...rest, raw });
}

/** What they need may stand in the part that was not read, so nothing is said about it. */
function tellTooMany({ line, column }: Place, report: Report): void {
  report.error({
    code: 'too-many-tasks',
    message: `this is task number ${mostTasks + 1}; a plan has ${mostTasks} at most`,
    line,
    column,
    help: 'split the plan into several files, and run one after the other',
  });
}

/** As above. Where there is no task at all, that is what is wrong. */
function notReadOn({ tasks }: RawPlan, { line, why }: Cut, { path, report }: Finishing): Reading {
  if (tasks.length === 0 && !report.failed) tellEmptyPlan(path, report, line);
  else if (why === 'wrong') {
    report.stopCounting();
    const message = `above are more than ${mostErrors} mistakes, so from here on the file was not read`;
    report.error({ code: 'more', message, line, column: 1, help: 'mend those first, and check it again' });
  } else
    report.error({
      code: 'long-text',
      message: `from here on the file was not read: there is no task in the ${mostIdleLines} lines above`,
      line,
      column: 1,
      help: 'close blocks and comments that are open, take out what is no plan, and put long text into a file that the task reads',
    });
  return { plan: null };
}

const giveUp = (): null => null;

const markdown: Form = { ready: readReadyMarkdown, looksAtAll: true, any: readMarkdown };
const yaml: Form = { ready: readReadyYaml, looksAtAll: false, any: readYaml };

export function formOf(path: PlanPath): Form | null {
  if (/\.(md|markdown)$/i.test(path)) return markdown;
  return /\.ya?ml$/i.test(path) ? yaml : null;
}
