// `retries: 10`, although a task has five attempts at most: whoever wrote it counts on more than there will be.
import { attemptsCap } from '../../core/model/defaults.ts';
import type { Settings } from '../../core/model/settings.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { RawPlan } from '../read/raw-plan.ts';

const most = attemptsCap - 1;

export function tellManyRetries({ tasks, top }: RawPlan, settings: Settings | undefined, report: Report): void {
  const usual = top.defaults.retries;
  if (usual !== undefined && usual > most) tell(usual, find(1, tasks[0]?.line ?? 1, report), report);
  const fromSettings = usual === undefined ? settings?.defaults.retries : undefined;
  if (fromSettings !== undefined && fromSettings > most)
    tell(fromSettings, { line: 1, column: 1 }, report, ' in signalbox.yaml');
  tasks.forEach(({ keys, line, column }, i) => {
    if (keys?.retries === undefined || keys.retries <= most) return;
    tell(keys.retries, find(line, tasks[i + 1]?.line ?? line + farthest, report) ?? { line, column }, report);
  });
}

/** Further away from its task hardly any key stands. */
const farthest = 100;
const key = /(?:^|[\s{,])["']?(?:retries|max_attempts_default)["']?\s*:/;

/** Where the key stands between two lines. */
function find(from: number, to: number, report: Report): Place | null {
  for (let line = from; line <= Math.min(to, from + farthest); line++) {
    const match = key.exec(report.lineAt(line));
    if (match) return { line, column: match.index + match[0].search(/[rm]/) + 1 };
  }
  return null;
}

function tell(retries: number, at: Place | null, report: Report, where = ''): void {
  report.warning({
    code: 'many-retries',
    message: `${retries} retries${where} are cut to ${most}: a task has ${attemptsCap} attempts at most`,
    ...(at ?? { line: 1, column: 1 }),
    length: 'retries'.length,
    help: `write \`retries: ${most}\` or less; \`signalbox retry\` grants one more attempt`,
  });
}
