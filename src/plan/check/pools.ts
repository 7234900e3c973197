// Pools that `uses:` names and nobody declares.
import { defaultPools } from '../../core/model/defaults.ts';
import type { Settings } from '../../core/model/settings.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import { nearest } from '../diagnostics/nearest.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { RawPlan } from '../read/raw-plan.ts';

export function checkPools({ tasks, top }: RawPlan, settings: Settings | undefined, report: Report): void {
  const declared = [defaultPools, settings?.pools ?? {}, top.pools ?? {}];
  const known = new Set(declared.flatMap((pools) => Object.keys(pools)));
  const check = (uses: readonly string[] | undefined, at: Place | null | undefined) => {
    if (uses === undefined || !at) return;
    for (const name of uses) {
      if (known.has(name)) continue;
      if (report.isFull('error', 'unknown-pool')) {
        report.count('error', 'unknown-pool');
        continue;
      }
      const meant = nearest(name, known);
      const found = report.lineAt(at.line).indexOf(name, at.column - 1);
      report.error({
        code: 'unknown-pool',
        message: `there is no pool ${quoted(name)}`,
        line: at.line,
        column: found < 0 ? at.column : found + 1,
        length: name.length,
        help:
          meant === undefined
            ? `declare it with \`pools: { ${name}: 1 }\` at the top of the plan, or in signalbox.yaml`
            : `did you mean ${quoted(meant)}?`,
      });
    }
  };
  check(top.defaults.uses, top.usesAt);
  for (const task of tasks) check(task.keys?.uses, task.usesAt);
}
