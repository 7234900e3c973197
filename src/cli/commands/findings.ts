// `signalbox write-findings` and `read-findings`: what was found out while a task was done.
import { PlainTextStream } from '../../api/plain-text.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';

export async function writeFindings({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.hand()).writeFindings(plan, args[0]!, {
    ...(flags.file === undefined || flags.file === '-' ? {} : { file: flags.file }),
    ...(flags.append ? { append: true } : {}),
  });
  if (flags.json) io.out(jsonLine(report));
  else io.out(`written to ${plainData(report.file)}\n`);
  return 0;
}

/** Without anything that could move a cursor; `--json` has it as it is. */
export async function readFindings({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.hand()).readFindings(plan, args[0]!);
  const plain = new PlainTextStream();
  io.out(flags.json ? jsonLine(report) : plain.push(report.text) + plain.end());
  return 0;
}
