// The door for rewriting: a plan's text in the native form, with the same meaning. The result is read again and compared
// before it is given out, so that no mistake of a writer can ever reach a file.
import type { Diagnostic } from './diagnostic.ts';
import { nameTasks } from './ids.ts';
import { formatMarkdown } from './markdown/format-markdown.ts';
import { readMarkdown } from './markdown/read-markdown.ts';
import { prepareText } from './prepare-text.ts';
import { type PlanReading, type PlanText, readPlan } from './read-plan.ts';
import { Report } from './report.ts';
import { formatYaml } from './yaml/format-yaml.ts';

export type Formatting =
  | {
      readonly ok: true;
      readonly text: string;
      readonly reading: PlanReading;
      /** Those that were given. */
      readonly ids: readonly string[];
      /** No spelling was found that says the same, so the text is the author's own. */
      readonly untouched: boolean;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function formatPlan(plan: PlanText, options: { readonly ids: boolean }): Formatting {
  const reading = readPlan(plan);
  if (reading.plan === null) return { ok: false, diagnostics: reading.diagnostics };
  const { text } = prepareText(plan.text, plan.file);
  const rewritten = rewrite(text, plan, options.ids);
  // Empty lines at the start go, and a mark that stood behind them would be taken for the one of the file.
  const written = rewritten.written?.replace(/^\ufeff+/, '') ?? null;
  const isSame = written !== null && meaning(readPlan({ ...plan, text: written })) === meaning(reading);
  if (!isSame) return { ok: true, text: plan.text, reading, ids: [], untouched: true };
  return { ok: true, text: written, reading, ids: rewritten.ids, untouched: false };
}

interface Rewritten {
  readonly written: string | null;
  /** Those that were given. */
  readonly ids: readonly string[];
}

function rewrite(text: string, { path }: PlanText, withIds: boolean): Rewritten {
  if (/\.ya?ml$/i.test(path)) return { written: formatYaml(text), ids: [] };
  const done = formatMarkdown(text, { ids: withIds ? namesOf(text) : null });
  return { written: done?.text ?? null, ids: done?.named ?? [] };
}

function namesOf(text: string): readonly string[] {
  const report = new Report('', text);
  return nameTasks(readMarkdown(text, report).tasks, report).of;
}

/** Everything that a run depends on, whatever the order of keys; lines may change. */
export function meaning({ plan, assumedOrder }: PlanReading): string {
  const tasks = plan?.tasks.map(({ line: _, ...task }) => task);
  return JSON.stringify([{ ...plan, tasks }, assumedOrder], (_, value) => (isPlainMap(value) ? sorted(value) : value));
}

const isPlainMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** As pairs: no name of a variable may mean anything to an object. */
const sorted = (map: object) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
