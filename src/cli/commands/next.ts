// `signalbox next [N]`: what would start next, in the order in which it would.
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { showTable } from '../show-table.ts';
import { wholeNumber } from '../whole-number.ts';

const usual = 5;

export async function next({ box, io, paint, plan, args, flags }: Request): Promise<number> {
  const most = args[0] === undefined ? usual : wholeNumber(args[0], 'the number of tasks', 1);
  const report = await box.next(plan, most);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { tasks } = plainData(report);
  if (tasks.length === 0) {
    io.out('Nothing can start now. "signalbox status" shows where everything is.\n');
    return 0;
  }
  const rows = tasks.map(({ id, title, phase, status, waitsFor }) => [
    { text: id, color: paint.bold },
    { text: title },
    { text: remark(status, phase, waitsFor), color: paint.dim },
  ]);
  io.out(showTable(rows, io.columns(), 1));
  return 0;
}

function remark(status: 'pending' | 'failed', phase: string, waitsFor: readonly string[]): string {
  if (waitsFor.length > 0) return `waits for ${waitsFor.join(', ')}`;
  return status === 'failed' ? 'failed, and may be tried again' : phase;
}
