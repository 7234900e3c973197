// `signalbox doctor`: one line per check, with the way out below each problem.
import type { DoctorReport } from '../../api/reports/health.ts';
import { countWords, numberWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { signs } from '../text/signs.ts';

export async function doctor({ box, io, paint, flags }: Request): Promise<number> {
  const report = await box.doctor({ fix: flags.fix === true, versions: flags.versions === true });
  io.out(flags.json ? jsonLine(report) : show(plainData(report), paint));
  return report.ok ? 0 : 1;
}

function show({ checks }: DoctorReport, paint: Paint): string {
  const lines = checks.flatMap(({ status, message, help, fixed }) => [
    `${signOf(status, paint)} ${message}${fixed ? paint.cyan(' (fixed)') : ''}`,
    ...(help === undefined ? [] : [`    ${paint.bold('help')}: ${help}`]),
  ]);
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length;
  const trouble = [
    ...(count('broken') > 0 ? [paint.red(`${numberWords(count('broken'))} broken`)] : []),
    ...(count('warning') > 0 ? [paint.yellow(countWords(count('warning'), 'warning'))] : []),
  ];
  return `${[...lines, '', trouble.length > 0 ? trouble.join(', ') : paint.green('OK: nothing is wrong.')].join('\n')}\n`;
}

function signOf(status: DoctorReport['checks'][number]['status'], paint: Paint): string {
  if (status === 'ok') return paint.green(signs.completed);
  return status === 'warning' ? paint.yellow(signs.warning) : paint.red(signs.failed);
}
