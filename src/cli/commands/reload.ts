// `signalbox reload [PLAN]`: what the file changed in the plan, task by task.
import { listWords } from '../count-words.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';

export async function reload({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.reload(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { plan: path, added, removed, changed, planChanges, rewritten } = plainData(report);
  const most = flags.verbose ? Number.POSITIVE_INFINITY : 10;
  const lines = (
    [
      [paint.green, 'new', added],
      [paint.red, 'gone', removed],
      [paint.cyan, 'changed', changed],
      [paint.cyan, 'changed in the plan itself', planChanges],
      [paint.yellow, 'changed, although they have a history', rewritten],
    ] as const
  )
    .filter(([, , ids]) => ids.length > 0)
    .map(([color, word, ids]) => `  ${color(`${word}:`)} ${listWords(ids, most)}\n`);
  const nothing = lines.length === 0 ? ', which says nothing new' : '';
  io.out(`${paint.bold(path)} was read again${nothing}\n${lines.join('')}`);
  return 0;
}
