// The door for rewriting: a plan's text in the native form, with the same meaning. The result is read again and compared
// before it is given out, so that no mistake of a writer can ever reach a file.
import type { Plan } from '../core/model/plan.ts';
import { type Diagnostic, quoted } from './diagnostics/diagnostic.ts';
import { Report } from './diagnostics/report.ts';
import { readFrontMatter } from './read/markdown/front-matter.ts';
import { readMarkdown } from './read/markdown/read-markdown.ts';
import { prepareText } from './read/prepare-text.ts';
import type { RawTask } from './read/raw-plan.ts';
import { readYaml } from './read/yaml/read-yaml.ts';
import { type PlanReading, type PlanText, readPlan } from './read-plan.ts';
import { type FormattedMarkdown, formatMarkdown, type MarkdownSource } from './write/markdown/format-markdown.ts';
import { RecordingOutline } from './write/markdown/recording-outline.ts';
import { type Difference, differenceOf } from './write/plan-difference.ts';
import { formatYaml } from './write/yaml/format-yaml.ts';
import { writeIds } from './write/yaml/write-ids.ts';

export type Formatting =
  | {
      readonly ok: true;
      readonly text: string;
      readonly reading: PlanReading;
      /** Those that were given. */
      readonly ids: readonly string[];
      /** Why the text is the author's own: no spelling was found that says the same. Null when it is in the native form. */
      readonly untouched: Hindrance | null;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** What keeps a plan from being rewritten. */
export interface Hindrance {
  readonly line: number;
  readonly message: string;
  readonly help: string;
}

export interface FormatManner {
  /** Write the ids of tasks that have none. */
  readonly ids: boolean;
}

export function formatPlan(plan: PlanText, manner: FormatManner): Formatting {
  return /\.ya?ml$/i.test(plan.path) ? formatYamlPlan(plan, manner) : formatMarkdownPlan(plan, manner);
}

function formatYamlPlan(plan: PlanText, manner: FormatManner): Formatting {
  const seen: { tasks: readonly RawTask[] } = { tasks: [] };
  const reading = readPlan(plan, (text, report) => {
    const raw = readYaml(text, report);
    if (manner.ids && raw) seen.tasks = raw.tasks;
    return raw;
  });
  if (reading.plan === null) return { ok: false, diagnostics: reading.diagnostics };
  const read = reading.plan;
  const before = prepareText(plan.text, plan.file).text;
  const isUnnamed = seen.tasks.some(({ id }) => id === null);
  const names = () => read.tasks.map(({ id }) => id);
  const { text, named } = isUnnamed ? writeIds(before, seen.tasks, names()) : { text: before, named: [] };
  let difference: Difference = { task: -1, what: 'text' };
  for (const written of formatYaml(text)) {
    const found = compare({ read, before, plan, byPhase: false }, written);
    if (found === null) return { ok: true, text: written, reading, ids: named, untouched: null };
    difference = found;
  }
  return untouched(plan, reading, hindranceOf(read, difference));
}

function formatMarkdownPlan(plan: PlanText, manner: FormatManner): Formatting {
  // What is no plan is not worth a list of its lines: of a large one that takes half a gigabyte.
  const first = plan.text.length > large ? readPlan(plan) : null;
  if (first?.plan === null) return { ok: false, diagnostics: first.diagnostics };
  const seen: Work['seen'] = { last: null };
  const reading = readPlan(plan, (text, report) => {
    const source = text.split('\n');
    const outline = new RecordingOutline(report, source);
    const raw = readMarkdown(text, report, outline);
    seen.last = { text, source, raw, outline, start: readFrontMatter(text, new Report('', text)).line };
    return raw;
  });
  if (reading.plan === null) return { ok: false, diagnostics: reading.diagnostics };
  return rewriteMarkdown({ plan, reading, read: reading.plan, seen }, manner);
}

/** Characters: of 20,000 tasks, or so. */
const large = 4_000_000;

interface Seen extends MarkdownSource {
  readonly text: string;
}

interface Work {
  readonly plan: PlanText;
  readonly reading: PlanReading;
  readonly read: Plan;
  /** Let go of as soon as it has been written anew: a large plan is in memory often enough. */
  readonly seen: { last: Seen | null };
}

function rewriteMarkdown({ plan, reading, read, seen }: Work, manner: FormatManner): Formatting {
  const before = seen.last!.text;
  const isTable = seen.last!.outline.tasks.length === 0;
  const isForeign = isTable || seen.last!.outline.sections.size > 0;
  // What was a warning about an order that is only assumed would be silent in another form: there it has to be said.
  const isDoubtful = isForeign && reading.diagnostics.some(({ code }) => code === 'assumed-order');
  // Rows stand in any order of their batches. Where tasks follow each other in the order of the file, that means something.
  const byPhase = isTable && (read.order === 'phases' || read.order === 'explicit');
  const isId = (word: string) => read.tasks.some(({ id }) => id === word);
  let found: Hindrance | null = null;
  // Names made from titles depend on what comes first; written down they do not.
  for (const withIds of manner.ids ? [true] : isForeign ? [false, true] : [false]) {
    const names = withIds ? read.tasks.map(({ id }) => id) : null;
    const done: FormattedMarkdown = formatMarkdown(seen.last!, { ids: names, isId });
    if (!isForeign) seen.last = null;
    if ('stuck' in done) return untouched(plan, reading, found ?? unwritable(read, done));
    // Empty lines at the start go, and a mark that stood behind them would be taken for the one of the file.
    const written = done.text.replace(/^\ufeff+/, '');
    for (const saysOrder of isDoubtful ? [true] : [false, true]) {
      const text = saysOrder ? withOrder(written, read.order) : written;
      if (text === null) continue;
      const difference = compare({ read, before, plan, byPhase }, text);
      if (difference === null) return { ok: true, text, reading, ids: manner.ids ? done.named : [], untouched: null };
      // An order can be said; what is left after that is the reason.
      if (found === null || difference.what !== 'order') found = hindranceOf(read, difference);
      if (difference.what !== 'order') break;
    }
  }
  return untouched(plan, reading, found!);
}

interface Comparison {
  readonly read: Plan;
  /** The text that it was read from. */
  readonly before: string;
  readonly plan: PlanText;
  readonly byPhase: boolean;
}

/** Null when it says the same. */
function compare({ read, before, plan, byPhase }: Comparison, text: string): Difference | null {
  if (text === before) return null;
  const { plan: after } = readPlan({ ...plan, text });
  return after === null ? { task: -1, what: 'text' } : differenceOf(read, after, { byPhase });
}

const untouched = ({ text }: PlanText, reading: PlanReading, hindrance: Hindrance): Formatting => ({
  ok: true,
  text,
  reading,
  ids: [],
  untouched: hindrance,
});

function unwritable({ tasks }: Plan, { stuck, for: what }: { stuck: number; for: string }): Hindrance {
  const { id, line, ticked } = tasks[stuck]!;
  if (what === 'place') {
    return {
      line,
      message: `task ${quoted(id)} goes back to a phase that others came behind, and boxes cannot do that`,
      help: 'move it up to the tasks of its phase, or put a heading of its own above it',
    };
  }
  return ticked === 'suspended'
    ? {
        line,
        message: `task ${quoted(id)} is suspended, and markdown has no box for that`,
        help: 'make it `pending` or `skipped`, and suspend it with `signalbox suspend` when the plan is loaded',
      }
    : {
        line,
        message: `no other spelling of task ${quoted(id)} is read as the same`,
        help: 'write its title without signs that mean something else, such as arrows, backticks and comments',
      };
}

function hindranceOf({ tasks }: Plan, { task, what }: Difference): Hindrance {
  const help = 'write what stands there in plainer words, and try again';
  if (what === 'sequences') {
    const message = 'in the native form `[SEQUENTIAL]` would hold for other tasks';
    return { line: 1, message, help: 'name the tasks that it holds for: "Tasks a, b and c are [SEQUENTIAL]"' };
  }
  if (task < 0) return { line: 1, message: `in the native form it would have other ${quoted(what)}`, help };
  const { id, line } = tasks[task]!;
  return { line, message: `in the native form task ${quoted(id)} would have another ${quoted(what)}`, help };
}

/** With `order:` in its front matter; null when that says one already. */
function withOrder(text: string, order: string): string | null {
  const match = /^---[ \t]*\n([\s\S]*?\n|)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text);
  if (match === null) return `---\norder: ${order}\n---\n${text}`;
  const keys = match[1]!;
  if (/^["']?order["']?\s*:/m.test(keys)) return null;
  const start = text.indexOf('\n') + 1;
  // Keys of one map in braces have no line that another could be added to.
  return `${text.slice(0, start)}${keys}order: ${order}\n${text.slice(start + keys.length)}`;
}
