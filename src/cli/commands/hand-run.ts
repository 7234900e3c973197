// `signalbox start-run` and `complete-run`: a name for a stretch of work by hand.
import { countWords } from '../count-words.ts';
import { jsonLine } from '../json-line.ts';
import type { Request } from '../request.ts';

export async function startRun({ box, io, plan, flags }: Request): Promise<number> {
  const report = await (await box.hand()).startRun(plan);
  io.out(flags.json ? jsonLine(report) : `${report.run}\n`);
  return 0;
}

export async function completeRun({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.hand()).completeRun(plan, args[0]);
  const { run, completed, failed } = report;
  const words = `${run} has ended: ${countWords(completed, 'task')} completed, ${failed} failed\n`;
  io.out(flags.json ? jsonLine(report) : words);
  return 0;
}
