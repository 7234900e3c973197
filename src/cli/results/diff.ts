// `signalbox diff ID`: what an attempt changed, file by file.
import type { DiffReport, FileDiffReport } from '../../api/reports/results.ts';
import { countWords, numberWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { patchLines } from '../text/patch-lines.ts';
import { showTable } from '../text/show-table.ts';
import { signs } from '../text/signs.ts';

export async function diff({ box, io, paint, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.results()).diff(plan, args[0]!);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { attempt, notes, cut } = plainData({ ...report, files: [] });
  if (report.files.length === 0)
    io.out(`${attempt} ${report.source === 'tree' ? 'has changed nothing yet' : 'changed nothing'}.\n`);
  if (flags.stat) io.out(table(report.files, paint, io.columns()));
  else
    for (const file of report.files) {
      io.out(`${head(file, paint)}${file.diff === null ? '' : patchLines(file.diff, paint)}\n`);
      // A difference may be long, and its reader slow.
      await io.drained();
    }
  if (report.files.length > 0) io.out(`${sum(report, attempt)}\n`);
  if (cut) io.err(`${paint.yellow(signs.warning)} There is more than can be shown here: not all lines are there.\n`);
  for (const note of notes) io.err(`${paint.yellow(signs.warning)} ${note}\n`);
  return 0;
}

function sum({ files }: DiffReport, attempt: string): string {
  const total = (of: 'added' | 'removed') => numberWords(files.reduce((all, file) => all + (file[of] ?? 0), 0));
  return `${attempt}: ${countWords(files.length, 'file')}, +${total('added')} -${total('removed')}`;
}

function head(file: FileDiffReport, paint: Paint): string {
  const { path, from } = plainData({ path: file.path, from: file.from });
  const name = from === null ? path : `${from} → ${path}`;
  const details = [file.was, ...modes(file), ...size(file)];
  return `${paint.bold(name)} ${paint.dim(`(${details.join(', ')})`)}\n`;
}

const kinds: Readonly<Record<string, string>> = { '120000': 'symlink', '160000': 'submodule' };
const modeWords = (mode: string): string => kinds[mode] ?? `mode ${mode.slice(-4)}`;

function modes({ modeBefore, mode }: FileDiffReport): string[] {
  if (modeBefore !== null && mode !== null)
    return modeBefore === mode ? [] : [`${modeWords(modeBefore)} → ${modeWords(mode)}`];
  const only = modeBefore ?? mode;
  return only === null || only === '100644' ? [] : [modeWords(only)];
}

/** Of what is no text. */
function size({ added, bytesBefore, bytes }: FileDiffReport): string[] {
  if (added !== null) return [];
  const sizes = [bytesBefore, bytes].filter((one) => one !== null).map((one) => countWords(one, 'byte'));
  return sizes.length === 0 ? ['not text'] : [`not text: ${sizes.join(' → ')}`];
}

function table(files: readonly FileDiffReport[], paint: Paint, columns: number): string {
  const rows = files.map((file) => {
    const { path, from } = plainData({ path: file.path, from: file.from });
    const isText = file.added !== null;
    return [
      { text: from === null ? path : `${from} → ${path}` },
      { text: isText ? `+${numberWords(file.added)}` : '', color: paint.green },
      { text: isText ? `-${numberWords(file.removed ?? 0)}` : '', color: paint.red },
      { text: [file.was, ...modes(file), ...size(file)].join(', '), color: paint.dim },
    ];
  });
  return showTable(rows, columns, 0);
}
