// `signalbox validate`: each thing that is wrong, with the way out under it.
import type { ValidateReport } from '../../api/signalbox.ts';
import { countWords } from '../count-words.ts';
import { jsonLine } from '../json-line.ts';
import type { Paint } from '../paint.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { signs } from '../signs.ts';

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
  const looked = `${countWords(events, 'event')} and ${countWords(plans.length, 'plan')} were looked at`;
  const word = left > 0 ? paint.red(`${countWords(left, 'thing')} wrong`) : paint.green('All is well');
  return `${[...lines, `${word}: ${looked}.`].join('\n')}\n`;
}
