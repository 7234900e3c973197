// `signalbox set PLAN`: which plan is meant from now on when none is named.
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';

export async function set({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.set(plan!);
  if (flags.json) io.out(jsonLine(report));
  else {
    const { plan: chosen, file } = plainData(report);
    io.out(`${paint.bold(chosen)} is the current plan now ${paint.dim(`(${file})`)}\n`);
  }
  return 0;
}
