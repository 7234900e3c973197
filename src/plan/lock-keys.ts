// Keys of `files:`, `reads:` and `locks:` that nothing can be locked by: outside the workspace, absolute, or no pattern at all.
import type { Plan, TaskKeys } from '../core/plan.ts';
import { parseResource } from '../locks/resource.ts';
import { quoted } from './diagnostic.ts';
import type { Report } from './report.ts';

/** What many tasks inherit from one place is told once, for the first of them. */
export function checkLockKeys({ tasks }: Plan, report: Report): void {
  const seen = new Set<TaskKeys | readonly string[]>();
  for (const [at, { id, line, keys }] of tasks.entries()) {
    if (seen.has(keys)) continue;
    seen.add(keys);
    for (const name of ['files', 'reads', 'locks'] as const) {
      const texts = keys[name];
      if (!texts || seen.has(texts)) continue;
      seen.add(texts);
      for (const text of texts) {
        const read = parseResource(text);
        if (read.ok) continue;
        report.error({
          code: 'bad-lock-key',
          message: `${quoted(text)} in \`${name}\` of ${quoted(id)} ${read.problem}`,
          ...placeOf(text, { from: line, to: tasks[at + 1]?.line ?? line + mostLines }, report),
          help: 'paths and globs start at the root of the workspace; anything else has a name such as `db:test`',
        });
      }
    }
  }
}

/** A task with more lines than this has its keys somewhere at the top. */
const mostLines = 100;

/** Where the key is written: under the task, else above it, for all of them; the task itself when it is not found. */
function placeOf(text: string, { from, to }: { readonly from: number; readonly to: number }, report: Report) {
  const lines = [
    ...range(from, Math.min(Math.max(to, from + 1), from + mostLines)),
    ...range(1, Math.min(from, mostLines)),
  ];
  for (const line of lines) {
    const at = report.lineAt(line).indexOf(text);
    if (at !== -1) return { line, column: at + 1, length: text.length };
  }
  return { line: from, column: 1 };
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
