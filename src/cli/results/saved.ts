// `signalbox saved` (or `saved list`), `saved show ID` and `saved restore ID`: the saved work of stopped attempts.
import type { SavedShowReport } from '../../api/reports/saved.ts';
import { countWords, numberWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { describeAgo, describeMoment } from '../text/describe/describe-time.ts';
import { patchLines } from '../text/patch-lines.ts';
import { about } from '../text/shell-word.ts';
import { showTable } from '../text/show-table.ts';
import { signs } from '../text/signs.ts';

export async function savedList({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.results()).savedList(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { saved } = plainData(report);
  if (saved.length === 0) {
    io.out('No work was saved here.\n');
    return 0;
  }
  const head = ['id', 'task', 'when', 'why', 'files'].map((text) => ({ text, color: paint.dim }));
  const rows = saved.map(({ id, task, at, reason, files, commits = 0 }) => [
    { text: id, color: paint.bold },
    { text: task },
    { text: moment(at, flags.absolute ? null : io.now()) },
    { text: commits === 0 ? reason : `${reason} (${countWords(commits, 'commit')})` },
    { text: numberWords(files) },
  ]);
  io.out(showTable([head, ...rows], io.columns(), 3));
  return 0;
}

export async function savedShow({ box, io, paint, args, flags }: Request): Promise<number> {
  const report = await (await box.results()).savedShow(args[0]!);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { id, attempt, plan, at, reason, branch } = plainData(report);
  io.out(`${paint.bold(id)}: ${attempt} of ${plan}, ${moment(at, flags.absolute ? null : io.now())}\n`);
  io.out(`Why: ${reason}\n`);
  if (branch !== undefined) io.out(`Branch: ${branch}\n`);
  for (const file of report.files) {
    io.out(showFile(file, paint));
    // A difference may be long, and its reader slow.
    await io.drained();
  }
  io.out(paint.dim(`\nsignalbox ${about('saved restore', id)} writes it back.\n`));
  return 0;
}

export async function savedRestore({ box, io, paint, args, flags }: Request): Promise<number> {
  const { to, force } = flags;
  const report = await (await box.results()).savedRestore(args[0]!, {
    ...(to === undefined ? {} : { to }),
    ...(force === undefined ? {} : { force }),
  });
  const exitCode = report.left.length > 0 ? 1 : 0;
  if (flags.json) {
    io.out(jsonLine(report));
    return exitCode;
  }
  const { written, deleted, same, left, to: folder } = plainData(report);
  const parts = [
    ...(written.length > 0 ? [`${countWords(written.length, 'file')} written`] : []),
    ...(deleted.length > 0 ? [`${countWords(deleted.length, 'file')} deleted`] : []),
    ...(same.length > 0 ? [`${countWords(same.length, 'file')} already as saved`] : []),
  ];
  io.out(`${paint.green(signs.completed)} ${folder}: ${parts.length > 0 ? parts.join(', ') : 'nothing to do'}\n`);
  if (flags.verbose) for (const path of [...written, ...deleted]) io.out(`  ${path}\n`);
  for (const { path, why } of left) io.err(`  ${paint.yellow(signs.warning)} ${path} ${why}\n`);
  return exitCode;
}

/** Null: date, clock and zone are wanted. */
const moment = (at: string, now: number | null) =>
  now === null ? describeMoment(Date.parse(at)) : describeAgo(Date.parse(at), now);

type ShownFile = SavedShowReport['files'][number];

function showFile(file: ShownFile, paint: Paint): string {
  const { path, was, mode, target } = plainData({ ...file, diff: null });
  const details = [
    was,
    ...(mode === null ? [] : [`mode ${mode}`]),
    ...(target === null ? [] : [`a symlink to ${target}`]),
  ];
  const head = `\n${paint.bold(path)} ${paint.dim(`(${details.join(', ')})`)}\n`;
  if (file.diff === null) return `${head}  ${withoutDiff(file)}\n`;
  return `${head}--- ${path} as it is now\n+++ ${path} as it was saved\n${patchLines(file.diff, paint)}`;
}

function withoutDiff({ without, bytes }: ShownFile): string {
  const size = bytes === null ? '' : countWords(bytes, 'byte');
  switch (without) {
    case 'same':
      return 'the file is now as it was saved';
    case 'not-there':
      return 'the saved file is empty; there is no such file now';
    case 'mode':
      return 'the text is now as it was saved; only the mode differs';
    case 'binary':
      return `not text: ${size}`;
    case 'large':
      return `too large to compare here: ${size}`;
    case 'deleted':
      return 'the attempt had deleted it';
    case 'unreadable':
      return 'not compared: this user may not read it';
    case 'lost':
      return 'not compared: the saved copy is gone';
    default:
      return 'not a file: nothing to compare';
  }
}
