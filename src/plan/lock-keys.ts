// Keys of `files:`, `reads:` and `locks:` that nothing can be locked by: outside the workspace, absolute, or no pattern at all.
import type { Plan, TaskKeys } from '../core/plan.ts';
import { parseResource } from '../locks/resource.ts';
import { quoted } from './diagnostic.ts';
import type { Report } from './report.ts';

/** What many tasks inherit from one place is told once, for the first of them. */
export function checkLockKeys({ tasks }: Plan, report: Report): void {
  const seen = new Set<TaskKeys | readonly string[]>();
  for (const { id, line, keys } of tasks) {
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
          line,
          column: 1,
          help: 'paths and globs start at the root of the workspace; anything else has a name such as `db:test`',
        });
      }
    }
  }
}
