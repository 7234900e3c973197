// `signalbox validate`: every problem, with the way out below it.
import type { ValidateReport } from '../../api/reports/health.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { signs } from '../text/signs.ts';

export async function validate({ box, io, paint, flags }: Request): Promise<number> {
  const report = await box.validate({ fix: flags.fix === true, deep: flags.deep === true });
  io.out(flags.json ? jsonLine(report) : show(plainData(report), paint));
  return report.ok ? 0 : 1;
}

function show({ problems, events, plans }: ValidateReport, paint: Paint): string {
  const lines = problems.flatMap(({ about, message, help, fixed }) => [
    `${fixed ? paint.cyan(signs.completed) : paint.red(signs.failed)} ${about}: ${message}${fixed ? paint.cyan(' (fixed)') : ''}`,
    ...(fixed ? [] : [`    ${paint.bold('help')}: ${help}`]),
  ]);
  const left = problems.filter(({ fixed }) => !fixed).length;
  const checked = `${countWords(events, 'event')} and ${countWords(plans.length, 'plan')} checked`;
  const word = left > 0 ? paint.red(countWords(left, 'problem')) : paint.green('OK');
  return `${[...lines, `${word}: ${checked}.`].join('\n')}\n`;
}
