// `signalbox reset [PLAN]`: starts a plan over without running it. It is shown first and done with a person's word, or with `--yes`.
import type { ResetReport } from '../../api/reports/steering.ts';
import { jsonLine } from '../json/json-line.ts';
import { safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { planHint } from '../text/hint.ts';
import { mayStartOver, startedOver, startOverText, waiting } from './start-over.ts';

export async function reset(request: Request): Promise<number> {
  const { box, io, paint, plan, flags } = request;
  const desk = await box.steering();
  const seen = await desk.reset(plan, { yes: flags.yes === true });
  if (flags.json) io.out(jsonLine(seen));
  else if (seen.result === 'nothing') io.out(nothingWords(seen));
  if (seen.result === 'nothing') return 0;
  if (seen.result === 'would-reset') {
    if (flags.json) return waiting;
    if (!(await mayStartOver(request, seen, `${planHint('reset', plan)} --yes does it.`))) return waiting;
    const done = await desk.reset(plan, { yes: true });
    io.out(done.result === 'nothing' ? nothingWords(done) : startedOver(done));
  } else if (!flags.json) io.out(startOverText(seen, io));
  if (!flags.json) io.out(paint.dim(`Next: ${planHint('run', plan)}\n`));
  return 0;
}

const nothingWords = ({ plan }: ResetReport): string =>
  `${safeLine(plan)} has nothing to set aside: no task of it was ever worked on.\n`;
