// `signalbox reload` and `signalbox sync-check`: the differences between the plan file and the loaded plan, and what a run would do
// about them.
import type { SyncReport } from '../../api/reports/plan-files.ts';
import { listWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Flags, Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { planHint } from '../text/hint.ts';

export async function reload({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.files()).reload(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { plan: path, added, removed, changed, nextAttempt, ticked, planChanges, rewritten } = plainData(report);
  const lines = changeLines(flags, [
    [paint.green, 'new', added],
    [paint.red, 'removed', removed],
    [paint.cyan, 'changed', changed],
    [paint.yellow, 'changed while running, for the next attempt', nextAttempt],
    [paint.cyan, 'ticked', ticked],
    [paint.cyan, 'changed in the whole plan', planChanges],
    [paint.yellow, 'changed after they had started', rewritten],
  ]);
  const nothing = lines === '' ? ': nothing has changed' : '';
  io.out(`${paint.bold(path)} was reloaded${nothing}\n${lines}`);
  return 0;
}

export async function syncCheck({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.files()).syncCheck(plan);
  io.out(
    flags.json
      ? jsonLine(report)
      : showSync(plainData(report), paint, flags, planHint('reload', box.typed(report.plan))),
  );
  return 0;
}

type Change = readonly [color: (text: string) => string, word: string, names: readonly string[]];

function changeLines({ verbose }: Flags, changes: readonly Change[]): string {
  const most = verbose ? Number.POSITIVE_INFINITY : 10;
  return changes
    .filter(([, , names]) => names.length > 0)
    .map(([color, word, names]) => `  ${color(`${word}:`)} ${listWords(names, most)}\n`)
    .join('');
}

function showSync(report: SyncReport, paint: Paint, flags: Flags, reloading: string): string {
  const { plan, loaded, inSync, added, removed, kept, changed, nextAttempt, ticked, planChanges, renamed, conflicts } =
    report;
  if (inSync) return `${paint.bold(plan)} has not changed since it was loaded\n`;
  const lines = changeLines(flags, [
    [paint.green, 'new', added],
    [paint.red, 'removed before they ran', removed],
    [paint.dim, 'removed from the file, kept in the log', kept],
    [paint.cyan, 'changed', changed],
    [paint.yellow, 'changed while running, for the next attempt', nextAttempt],
    [paint.cyan, 'ticked', ticked],
    [paint.cyan, 'changed in the whole plan', planChanges],
    [paint.cyan, 'renamed (counts as one removed and one new)', renamed.map(({ from, to }) => `${from} → ${to}`)],
    [paint.yellow, 'in conflict with work already done', conflicts.map(({ task, what }) => `${task} was ${what}`)],
  ]);
  const head = loaded ? 'was edited since it was loaded' : 'was never loaded';
  return `${paint.bold(plan)} ${head}\n${lines}${next(report, reloading)}\n`;
}

function next({ run }: SyncReport, reloading: string): string {
  switch (run) {
    case 'refuses':
      return `signalbox run refuses the new text; ${reloading} uses it as it is`;
    case 'waits':
      return `an agent is running that could have written it, so the run does not use it; ${reloading} does`;
    case 'nothing':
      return 'this changes nothing that runs';
    default:
      return `signalbox run uses the new text, and so does ${reloading}`;
  }
}
