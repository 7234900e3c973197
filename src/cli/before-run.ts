// Before a run of a plan that has a history: what is found is said; on a terminal the person may first retry what failed, or look.
import type { FoundReport } from '../api/decisions/decision-reports.ts';
import { choose } from './ask-person.ts';
import { describeEvent } from './describe-event.ts';
import { foundLines } from './found-lines.ts';
import { plainData } from './plain-data.ts';
import { plainEvent } from './plain-event.ts';
import type { Request } from './request.ts';
import { selectOptions } from './select-options.ts';
import { statusPage } from './status-page.ts';

/** False: the person does not want it to run. */
export async function beforeRun(request: Request): Promise<boolean> {
  const { box, io, paint, plan, flags } = request;
  await retryNamed(request);
  const found = await (await box.decisions()).found(plan, selectOptions(flags));
  if (!found) return true;
  const said = plainData(found);
  io.out(`${foundLines(said, io.now(), paint).join('\n')}\n\n`);
  // Who says what to do about failures need not be asked.
  if (!io.interactive || flags.retry !== undefined || flags.onFailure !== undefined) return true;
  return offer(request, found);
}

export async function retryNamed({ box, io, plan, flags }: Request): Promise<void> {
  if (flags.retry === undefined) return;
  const { events } = await box.retry(plan, flags.retry, {});
  if (flags.json) return;
  for (const event of events) io.out(`${describeEvent(plainEvent(event))}\n`);
}

async function offer(request: Request, found: FoundReport): Promise<boolean> {
  const { box, io, paint, plan } = request;
  const failed = found.failed.map(({ task }) => task);
  const options = [
    { words: 'continue', about: 'run what can be run' },
    ...(failed.length === 0 ? [] : [{ words: 'retry', about: 'first give what failed one more attempt' }]),
    { words: 'show', about: 'show everything, and ask again' },
  ];
  for (;;) {
    const chosen = await choose(io, paint, options, 'enter continues');
    if (chosen === null) return false;
    const { words } = options[Math.max(0, chosen)]!;
    if (words === 'show') {
      io.out(`\n${statusPage(plainData(await box.status(plan)), request).join('\n')}\n\n`);
      continue;
    }
    if (words === 'retry') {
      const { events } = await box.retry(plan, failed, {});
      for (const event of events) io.out(`  ${describeEvent(plainEvent(event))}\n`);
    }
    io.out('\n');
    return true;
  }
}
