// `signalbox land`: the results of a run with worktrees come to the person's branch.

import type { LandReport } from '../../api/reports/results.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { wrapped } from '../terminal/whole-words.ts';
import { planHint } from '../text/hint.ts';
import { namePlan } from '../text/show-error.ts';
import { signs } from '../text/signs.ts';

export async function land({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.results()).land(plan, { dryRun: flags.dryRun === true });
  const exitCode = report.result === 'refused' ? 1 : 0;
  if (flags.json) {
    io.out(jsonLine(report));
    return exitCode;
  }
  const { instead, ...rest } = plainData(report);
  // The report does not know how the plan was named.
  const shown = { ...rest, instead: instead === null || plan === undefined ? instead : namePlan(instead, plan) };
  if (report.result !== 'refused') io.out(wrapped(words(shown, paint, { plan, all: flags.verbose === true }), io));
  else
    io.err(
      `${paint.red('signalbox:')} nothing was landed: ${shown.because}\n  ${paint.bold('help')}: ${shown.instead}\n`,
    );
  return exitCode;
}

interface Manner {
  readonly plan: string | undefined;
  /** Every file is named. */
  readonly all: boolean;
}

function words(report: LandReport, paint: Paint, { plan, all }: Manner): string {
  const { result, onto, branch, how, commits, files, because, before, instead } = report;
  if (result === 'nothing') return `Nothing to land: ${because}.\n${instead === null ? '' : `  ${instead}\n`}`;
  const what = `${countWords(commits, 'commit')} of ${branch}, ${countWords(files.length, 'file')}`;
  const by = how === 'merge' ? 'with a merge commit' : 'by fast-forward';
  const most = all ? files.length : 20;
  const more = files.length > most ? [`and ${files.length - most} more (--verbose names them)`] : [];
  const listed = [...files.slice(0, most), ...more].map((file) => `  ${file}\n`).join('');
  if (result === 'would-land')
    return `Would land on ${onto} ${by}: ${what}\n${listed}${paint.dim(`${planHint('land', plan)} does it.\n`)}`;
  const undo = paint.dim(`git reset --keep ${before!.slice(0, 12)} takes it back.\n`);
  return `${paint.green(signs.completed)} Landed on ${onto} ${by}: ${what}\n${listed}${undo}`;
}
