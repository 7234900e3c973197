// Before a run of a plan with a history: prints what was found. On a terminal the person may first retry failed tasks, or look.
import type { FoundReport } from '../../api/decisions/decision-door.ts';
import { Refusal } from '../../api/refusal.ts';
import { plainData } from '../json/plain-data.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { choose } from '../terminal/ask-person.ts';
import { describeEvent } from '../text/describe/describe-event.ts';
import { planHint } from '../text/hint.ts';
import { statusPage } from '../text/status-page.ts';
import { foundLines } from './found-lines.ts';
import { selectOptions } from './run-options.ts';
import { mayStartOver, waiting } from './start-over.ts';

/** False: the person does not want to run. */
export async function beforeRun(request: Request): Promise<boolean> {
  const { box, io, paint, plan, flags } = request;
  await retryNamed(request);
  const found = await (await box.decisions()).found(plan, selectOptions(flags));
  if (!found) return true;
  const said = plainData(found);
  // Flags about failures answer the question already.
  const isAsked = isAskable(io, flags) && flags.retry === undefined && flags.onFailure === undefined;
  if (isAsked || !flags.quiet)
    io.out(`${foundLines(said, { now: io.now(), paint, onFailure: flags.onFailure }).join('\n')}\n\n`);
  return isAsked ? offer(request, found) : true;
}

/** `--yes` wants no questions; it answers none either. */
export const isAskable = ({ interactive }: Request['io'], { yes }: Request['flags']): boolean => interactive && !yes;

/** As `reset` does: a line from the history of the shell may have the flag too. False: nobody confirmed it. */
export async function beforeFresh(request: Request): Promise<boolean> {
  const { box, plan, flags } = request;
  if (!flags.fresh || flags.yes) return true;
  const seen = await (await box.steering()).reset(plan, {});
  if (seen.result === 'nothing') return true;
  if (!flags.json) return mayStartOver(request, seen, 'Add --yes to start over and run.');
  throw new Refusal(waiting, `${seen.plan} would be started over`, {
    instead: `add --yes; to see what would be set aside: ${planHint('reset', plan)} --json`,
  });
}

export async function retryNamed({ box, io, plan, flags }: Request): Promise<void> {
  if (flags.retry === undefined) return;
  const { events } = await (await box.steering()).retry(plan, flags.retry, {});
  if (flags.json || flags.quiet) return;
  for (const event of events) io.out(`${describeEvent(plainEvent(event))}\n`);
}

async function offer(request: Request, found: FoundReport): Promise<boolean> {
  const { box, io, paint, plan } = request;
  const failed = found.failed.map(({ task }) => task);
  const options = [
    { words: 'continue', about: 'run what can run' },
    ...(failed.length === 0 ? [] : [{ words: 'retry', about: 'give failed tasks one more attempt first' }]),
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
      const { events } = await (await box.steering()).retry(plan, failed, {});
      for (const event of events) io.out(`  ${describeEvent(plainEvent(event))}\n`);
    }
    io.out('\n');
    return true;
  }
}
