// `signalbox detect-stuck`: work that nobody does any more.
import { readLimit } from '../../api/read-limit.ts';
import { countWords } from '../count-words.ts';
import { hint, planHint } from '../hint.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { showTable } from '../show-table.ts';

export async function detectStuck({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.hand()).detectStuck(plan, {
    ...(flags.mark ? { mark: true } : {}),
    ...(flags.limit === undefined ? {} : { limitMs: readLimit(flags.limit) }),
  });
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { stuck, watched } = plainData(report);
  if (stuck.length === 0) {
    io.out(watched === 0 ? 'Nobody is at work.\n' : `Nothing is stuck: ${countWords(watched, 'task')} in work.\n`);
    return 0;
  }
  const rows = stuck.map(({ task, attempt, message, marked }) => [
    { text: task, color: paint.bold },
    { text: attempt, color: paint.dim },
    { text: message },
    { text: marked ? 'failed now' : '', color: paint.red },
  ]);
  io.out(showTable(rows, io.columns(), 2));
  if (!flags.mark && stuck.some(({ waitsForRun }) => !waitsForRun))
    io.out(`${paint.dim(`  ${hint('detect-stuck --mark', plan)} fails them`)}\n`);
  if (stuck.some(({ filesLeft }) => filesLeft))
    io.out(`${paint.dim(`  ${planHint('run', plan)} puts their files back`)}\n`);
  return 0;
}
