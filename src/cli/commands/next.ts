// `signalbox next [N]`: the tasks that can start next, best first.
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { wholeNumber } from '../table/whole-number.ts';
import { showTable } from '../text/show-table.ts';

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
  return status === 'failed' ? 'failed, with attempts left' : phase;
}
