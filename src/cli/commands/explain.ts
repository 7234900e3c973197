// `signalbox explain CODE`: the meaning of a diagnostic or an exit code, with an example of the mistake and of the fix.
import { explainCode } from '../../api/look/explain-code.ts';
import type { CodeReport } from '../../api/reports/answers.ts';
import { jsonLine } from '../json/json-line.ts';
import { safeLine } from '../json/plain-data.ts';
import type { PerformAlone } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { wrapWords } from '../terminal/whole-words.ts';
import { signs } from '../text/signs.ts';

export const explain: PerformAlone = async ({ io, paint, args, flags }) => {
  const report = explainCode(args[0]!);
  io.out(flags.json ? jsonLine(report) : show(report, paint, Math.min(io.columns(), 100)));
  return 0;
};

function show(report: CodeReport, paint: Paint, columns: number): string {
  const about = wrapWords(report.about, columns, '');
  if (report.kind === 'exit') {
    const heading = paint.bold(`exit code ${report.code}: ${report.word}`);
    return [heading, '', ...about, '', ...report.ways.map((way) => paint.dim(`  ${way}`)), ''].join('\n');
  }
  const example = (sign: string, words: string, { file, text }: typeof report.wrong) => [
    `${sign} ${words} ${paint.dim(`(${file})`)}`,
    '',
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `    ${safeLine(line.replaceAll('\0', '\\0'))}`.trimEnd()),
    '',
  ];
  return [
    paint.bold(report.code),
    '',
    ...about,
    '',
    ...example(paint.red(signs.failed), 'The mistake', report.wrong),
    ...example(paint.green(signs.completed), 'Fixed', report.right),
  ].join('\n');
}
