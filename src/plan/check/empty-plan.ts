// A file without a task: where its tasks may be hiding, and what kind of file it looks like.
import type { PlanPath } from '../../core/model/ids.ts';
import type { Report } from '../diagnostics/report.ts';

/** Enough to see what it is. */
const looked = 300;

/** `cut` is the line from which on nothing was read. */
export function tellEmptyPlan(path: PlanPath, report: Report, cut?: number): void {
  const isYaml = /\.ya?ml$/i.test(path);
  const seen = isYaml ? null : look(report);
  report.error({
    code: 'empty-plan',
    message:
      cut === undefined
        ? 'this plan has no tasks'
        : `this plan has no tasks in its first ${cut - 1} lines, and was not read further`,
    line: seen?.line ?? 1,
    column: 1,
    help: seen?.help ?? (isYaml ? inYaml : inMarkdown),
  });
}

const inMarkdown =
  'tasks are boxes in markdown (`- [ ] Write the parser`), and a map from id to task under `tasks:` in YAML';
const inYaml =
  'tasks are a map from id to task under `tasks:` in YAML, and boxes in markdown (`- [ ] Write the parser`)';

const signs: readonly (readonly [sign: RegExp, help: string])[] = [
  [/^\s*>[\s>]*[-*+] \[[ xX-]\]/, 'boxes in a quote are prose: take the `>` out'],
  [
    /^\s*[-*+] \[[ xX-]\] /,
    'boxes in a block of code, in a comment, or under a heading such as "Acceptance criteria" are no tasks: move them out of it',
  ],
  [/^(?:tasks|sections):\s*$/, 'this looks like YAML: give the file a name that ends with `.yaml`'],
  [
    /^\s*\{\s*(?:"|$)/,
    'this looks like JSON: give a plan a name that ends with `.yaml`; `signalbox import` reads files of other tools',
  ],
];

/** The first line that says what the file was meant as. */
function look(report: Report): { readonly line: number; readonly help: string } | null {
  for (let line = 1; line <= looked; line++) {
    const text = report.lineAt(line).slice(0, 200);
    const found = signs.find(([sign]) => sign.test(text));
    if (found) return { line, help: found[1] };
  }
  return null;
}
