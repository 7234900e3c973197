// `signalbox explain CODE`: what a diagnostic or an exit code means, with the mistake and the mended text.
import { type CodeReport, explainCode } from '../../api/explain-code.ts';
import { displayWidth } from '../display-width.ts';
import { jsonLine } from '../json-line.ts';
import type { Paint } from '../paint.ts';
import { plainLine } from '../plain-data.ts';
import type { PerformAlone } from '../request.ts';
import { signs } from '../signs.ts';

export const explain: PerformAlone = async ({ io, paint, args, flags }) => {
  const report = explainCode(args[0]!);
  io.out(flags.json ? jsonLine(report) : show(report, paint, Math.min(io.columns(), 100)));
  return 0;
};

function show(report: CodeReport, paint: Paint, columns: number): string {
  const about = filled(report.about, columns);
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
      .map((line) => `    ${plainLine(line.replaceAll('\0', '\\0'))}`.trimEnd()),
    '',
  ];
  return [
    paint.bold(report.code),
    '',
    ...about,
    '',
    ...example(paint.red(signs.failed), 'The mistake', report.wrong),
    ...example(paint.green(signs.completed), 'Mended', report.right),
  ].join('\n');
}

/** Words in lines that fit. */
function filled(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
