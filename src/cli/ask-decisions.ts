// At the end of a run, on a terminal: the open questions one after the other, in the words of `signalbox decide`, answered through
// the same door. What is not answered stays open.
import type { DecisionAnswer, DecisionShowReport } from '../api/decisions/decision-reports.ts';
import { Refusal } from '../api/refusal.ts';
import type { Choice, OpenDecision } from '../core/decision.ts';
import { askFor, choose } from './ask-person.ts';
import { decisionStory } from './decision-page.ts';
import { describeEvent } from './describe-event.ts';
import { describeReason } from './describe-reason.ts';
import { hint } from './hint.ts';
import { plainData, plainLine } from './plain-data.ts';
import { plainEvent } from './plain-event.ts';
import type { Request } from './request.ts';
import { about } from './shell-word.ts';

/** After these there is nothing that a new run could do. */
const leavesThingsAsTheyAre: ReadonlySet<Choice> = new Set(['fix', 'abort']);

/** Whether a new run is to go on from the answers. */
export async function askDecisions(request: Request, open: readonly OpenDecision[]): Promise<boolean> {
  const { io } = request;
  let goesOn = false;
  for (const { id } of open) {
    io.out('\n');
    const answered = await askAbout(request, id);
    if (answered === 'no more') break;
    if (answered === 'abort') return false;
    if (answered !== null && !leavesThingsAsTheyAre.has(answered)) goesOn = true;
  }
  return goesOn;
}

/** Null: it stays open. */
async function askAbout(request: Request, id: string): Promise<Choice | 'no more' | null> {
  const { box, io, paint } = request;
  const door = await box.decisions();
  let report: DecisionShowReport;
  try {
    report = plainData(await door.show(undefined, id));
  } catch (error) {
    // Somebody else has answered it meanwhile, or an earlier answer has made it needless.
    if (error instanceof Refusal) return null;
    throw error;
  }
  io.out(`${decisionStory(report, request).join('\n')}\n\n`);
  // A plan is restructured with more words than fit here.
  const options = report.options.filter(({ choice }) => choice !== 'restructure');
  for (;;) {
    const words = options.map(({ choice, does }) => ({ words: choice, about: does }));
    const chosen = await choose(io, paint, words, 'enter leaves it open');
    if (chosen === null) return 'no more';
    if (chosen === -1) return null;
    const { choice } = options[chosen]!;
    if (choice === 'details') {
      await showDetails(request, report);
      continue;
    }
    const said = await whatIsSaid(request, choice);
    if (said && (await give(request, id, said))) return choice;
  }
}

/** Null: what had to be said was not. */
async function whatIsSaid({ io, paint }: Request, choice: Choice): Promise<DecisionAnswer | null> {
  if (choice === 'retry-with-note') {
    const note = await askFor(io, paint, 'what is the next attempt to be told');
    return note === null ? null : { choice, note };
  }
  if (choice === 'other-agent') {
    const agent = await askFor(io, paint, 'which agent');
    return agent === null ? null : { choice, agent };
  }
  if (choice === 'reject') {
    const reason = await askFor(io, paint, 'what is wrong');
    return reason === null ? null : { choice, reason };
  }
  return { choice };
}

/** False: it was refused, which is said, and the question is asked again. */
async function give({ box, io, paint, plan }: Request, id: string, said: DecisionAnswer): Promise<boolean> {
  try {
    const { events, choice, affected } = await (await box.decisions()).answer(undefined, id, said);
    for (const event of events) io.out(`  ${describeEvent(plainEvent(event))}\n`);
    if (choice === 'fix') {
      const resume = hint(about('resume', affected), plan);
      io.out(paint.dim(`  when it is repaired: ${resume}\n`));
    }
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.out(`  ${plainLine(error.message)}${error.instead === undefined ? '' : `: ${plainLine(error.instead)}`}\n`);
    return false;
  }
}

async function showDetails({ box, io, paint }: Request, { plan, decision }: DecisionShowReport): Promise<void> {
  for (const id of decision.blocks.tasks.slice(0, 20)) {
    const { task, title, reasons } = plainData(await box.why(`${box.root}/${plan}`, id));
    io.out(`  ${paint.bold(task)}  ${title}\n`);
    for (const reason of reasons) io.out(`    ${describeReason(reason, io.now())}\n`);
  }
}
