// Open decisions, asked one after the other on a terminal at the end of a run, in the words of `signalbox decide`. Unanswered
// ones stay open.
import type { DecisionAnswer } from '../../api/decisions/decision-door.ts';
import { Refusal } from '../../api/refusal.ts';
import type { DecisionShowReport } from '../../api/reports/decisions.ts';
import type { Choice, OpenDecision } from '../../core/model/decision.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { askFor, choose } from '../terminal/ask-person.ts';
import { decisionStory } from '../text/decision-page.ts';
import { describeEvent } from '../text/describe/describe-event.ts';
import { describeReason } from '../text/describe/describe-reason.ts';
import { repairLines } from '../text/describe/describe-repair.ts';
import { hint } from '../text/hint.ts';
import { about } from '../text/shell-word.ts';

/** A new run would have nothing to do after these. */
const leavesThingsAsTheyAre: ReadonlySet<Choice> = new Set(['fix', 'abort']);

/** Whether a new run should continue from the answers. */
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

/** Null: the decision stays open. */
async function askAbout(request: Request, id: string): Promise<Choice | 'no more' | null> {
  const { box, io, paint } = request;
  const door = await box.decisions();
  let report: DecisionShowReport;
  try {
    report = plainData(await door.show(undefined, id));
  } catch (error) {
    // Somebody else has answered, or an earlier answer has closed it.
    if (error instanceof Refusal) return null;
    throw error;
  }
  io.out(`${decisionStory(report, request).join('\n')}\n\n`);
  // Restructuring needs flags, which cannot be asked for here.
  const options = report.options.filter(({ choice }) => choice !== 'restructure');
  for (;;) {
    const words = options.map(({ choice, does }) => ({ words: choice, about: does }));
    const chosen = await choose(io, paint, words, 'enter leaves it open');
    if (chosen === null) return 'no more';
    if (chosen === -1) {
      io.out(paint.dim(`  ${id} stays open: ${hint(about('decide', id), request.plan)}\n`));
      return null;
    }
    const { choice } = options[chosen]!;
    if (choice === 'details') {
      await showDetails(request, report);
      continue;
    }
    const said = await whatIsSaid(request, choice);
    if (!said) continue;
    if (await give(request, id, said)) return choice;
    if (!(await isOpen(request, id))) return null;
  }
}

/** Somebody else may have answered while the person was thinking. */
async function isOpen({ box }: Request, id: string): Promise<boolean> {
  try {
    await (await box.decisions()).show(undefined, id);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Null: the required words were not given. */
async function whatIsSaid({ io, paint }: Request, choice: Choice): Promise<DecisionAnswer | null> {
  if (choice === 'retry-with-note') {
    const note = await askFor(io, paint, 'what should the next attempt be told');
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

/** False: the answer was refused. */
async function give({ box, io, paint, plan }: Request, id: string, said: DecisionAnswer): Promise<boolean> {
  try {
    const report = await (await box.decisions()).answer(undefined, id, said);
    const { events, choice, affected } = report;
    for (const event of events) io.out(`  ${describeEvent(plainEvent(event))}\n`);
    if (choice === 'fix') {
      const resume = hint(about('resume', affected), plan);
      const lines = [...repairLines(plainData(report)), `when it is repaired: ${resume}`];
      for (const line of lines) io.out(paint.dim(`  ${line}\n`));
    }
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.out(`  ${safeLine(error.message)}${error.instead === undefined ? '' : `: ${safeLine(error.instead)}`}\n`);
    return false;
  }
}

async function showDetails({ box, io, paint }: Request, { plan, decision }: DecisionShowReport): Promise<void> {
  for (const id of decision.blocks.tasks.slice(0, 20)) {
    const { task, title, reasons } = plainData(await box.why(box.typed(plan), id));
    io.out(`  ${paint.bold(task)}  ${title}\n`);
    for (const reason of reasons) io.out(`    ${describeReason(reason, { now: io.now(), typed: box.typed })}\n`);
  }
}
