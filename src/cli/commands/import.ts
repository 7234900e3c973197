// `signalbox import TOOL FILE`: the plan on standard output or in a file, and a list of what a plan cannot express.

import { countWords, listWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import { plainDocument } from '../json/plain-document.ts';
import type { Request } from '../request.ts';
import { planHint } from '../text/hint.ts';
import { signs } from '../text/signs.ts';

export async function importTasks({ box, io, paint, args, flags }: Request): Promise<number> {
  const { out, tag, force } = flags;
  const report = await (await box.files()).import(args[0]!, args[1]!, {
    ...(out === undefined ? {} : { out }),
    ...(tag === undefined ? {} : { tag }),
    ...(force === undefined ? {} : { force }),
  });
  const { text, ...about } = report;
  if (flags.json) {
    io.out(jsonLine(report.plan === null ? report : about));
    return 0;
  }
  const { plan, tasks, groups, losses } = plainData(about);
  const most = flags.verbose ? Number.POSITIVE_INFINITY : 5;
  const lost = losses.map(
    ({ what, tasks: ids }) =>
      `  ${paint.yellow(signs.warning)} ${what}${ids.length > 0 ? ` (${listWords(ids, most)})` : ''}\n`,
  );
  const notes = lost.length === 0 ? '' : `Not carried over:\n${lost.join('')}`;
  if (plan === null) {
    io.out(plainDocument(text, io));
    io.err(notes);
    return 0;
  }
  const amount = `${countWords(tasks, 'task')}${groups > 0 ? ` and ${countWords(groups, 'group')}` : ''}`;
  io.out(
    `${paint.green(signs.completed)} ${plan}: ${amount}\n${notes}${paint.dim(`  ${planHint('check', box.typed(report.plan!))}`)}\n`,
  );
  return 0;
}
