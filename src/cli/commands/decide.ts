// `signalbox decide`: the list of open decisions, one question in full, the answer to it, and the history.

import { Refusal } from '../../api/refusal.ts';
import type { DecisionAnswerReport } from '../../api/reports/decisions.ts';
import { describeElapsed } from '../../core/model/duration-words.ts';
import { decisionJson } from '../json/decision-json.ts';
import { eventJson } from '../json/event-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { wrapped } from '../terminal/whole-words.ts';
import { decisionHistory } from '../text/decision-history.ts';
import { decisionPage } from '../text/decision-page.ts';
import { describeDecision } from '../text/describe/describe-decision.ts';
import { describeEvent } from '../text/describe/describe-event.ts';
import { describeReason } from '../text/describe/describe-reason.ts';
import { repairLines } from '../text/describe/describe-repair.ts';
import { hint, planHint } from '../text/hint.ts';
import { about } from '../text/shell-word.ts';

export async function decide(request: Request): Promise<number> {
  const { args, flags } = request;
  // A note is an answer by itself.
  const [id, choice = flags.note === undefined ? undefined : 'retry-with-note'] = args;
  if (flags.history) {
    if (id !== undefined)
      throw new Refusal(2, '--history lists all decisions and takes no id', { instead: 'leave out the id' });
    return decisionHistory(request);
  }
  if (id === undefined) return list(request);
  if (choice === undefined || choice === 'details') return show(request, id, choice === 'details');
  if (choice === 'restructure') return (await import('./restructure.ts')).restructure(request, id);
  return answer(request, id, choice);
}

async function list({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.decisions()).list(plan);
  if (flags.json) {
    io.out(jsonLine({ ...report, decisions: report.decisions.map(decisionJson) }));
    return 0;
  }
  const { decisions } = plainData(report);
  if (decisions.length === 0) io.out('Nothing needs a decision.\n');
  for (const decision of decisions) {
    const open = paint.dim(`open for ${describeElapsed(io.now() - decision.openedAt)}`);
    const options = `    ${decision.options.join(', ')}\n${paint.dim(`    signalbox decide ${decision.id}`)}`;
    io.out(`${wrapped(`${paint.bold(decision.id)}  ${describeDecision(decision)}  ${open}\n${options}`, io)}\n`);
  }
  return 0;
}

async function show(request: Request, id: string, isDetailed: boolean): Promise<number> {
  const { box, io, plan, flags } = request;
  const report = await (await box.decisions()).show(plan, id);
  if (flags.json) {
    io.out(jsonLine({ ...report, decision: decisionJson(report.decision) }));
    return 0;
  }
  io.out(`${decisionPage(plainData(report), request).join('\n')}\n`);
  if (isDetailed) io.out(await details(request, report.plan, report.decision.blocks.tasks));
  return 0;
}

const mostDetails = 20;

/** Why each blocked task cannot start. */
async function details(
  { box, io, paint }: Pick<Request, 'box' | 'io' | 'paint'>,
  plan: string,
  tasks: readonly string[],
) {
  let text = '';
  for (const id of tasks.slice(0, mostDetails)) {
    const { task, title, reasons } = plainData(await box.why(box.typed(plan), id));
    text += `\n${paint.bold(task)}  ${title}\n`;
    for (const reason of reasons) text += `  ${describeReason(reason, { now: io.now(), typed: box.typed })}\n`;
  }
  return text;
}

async function answer(request: Request, id: string, choice: string): Promise<number> {
  const { box, plan, flags } = request;
  const { reason, note, agent } = flags;
  const report = await (await box.decisions()).answer(plan, id, {
    choice,
    ...(reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { note }),
    ...(agent === undefined ? {} : { agent }),
  });
  return showAnswer(request, report);
}

export async function approve(request: Request): Promise<number> {
  const { approvePlan, meansPlan } = await import('../planning/approve-plan.ts');
  if (await meansPlan(request)) return approvePlan(request);
  const { box, plan, args, flags } = request;
  const { reason } = flags;
  const said = { choice: 'approve', ...(reason === undefined ? {} : { reason }) } as const;
  return showAnswer(request, await (await box.decisions()).review(plan, args[0]!, said));
}

const severities = ['low', 'medium', 'high'] as const;

export async function reject(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  const severity = severities.find((word) => word === flags.severity);
  if (flags.severity !== undefined && severity === undefined) {
    throw new Refusal(2, `there is no severity "${flags.severity}"`, {
      instead: `use one of ${severities.join(', ')}`,
    });
  }
  if (!flags.reason) {
    throw new Refusal(2, 'the reason is missing', {
      instead: 'say what is wrong: --reason TEXT; the next attempt reads it',
    });
  }
  const said = { choice: 'reject', reason: flags.reason, ...(severity === undefined ? {} : { severity }) } as const;
  return showAnswer(request, await (await box.decisions()).review(plan, args[0]!, said));
}

function showAnswer(request: Request, report: DecisionAnswerReport): number {
  const { io, paint, flags } = request;
  if (flags.json) {
    io.out(jsonLine({ ...report, events: report.events.map(eventJson) }));
    return 0;
  }
  const lines = report.events.map((event) => describeEvent(plainEvent(event)));
  const then = nextSteps(plainData(report), request).map((step) => paint.dim(`  ${step}`));
  io.out(`${[...lines, ...then].join('\n')}\n`);
  return 0;
}

const undone: ReadonlySet<string> = new Set(['skip-all', 'treat-as-done', 'accept', 'skip-blocked']);

/** What to type next. */
function nextSteps({ choice, affected, running, ...report }: DecisionAnswerReport, request: Request): string[] {
  // The id of a decision implies its plan; the next command has to name it.
  const plan = request.plan ?? request.box.typed(report.plan);
  if (choice === 'fix') {
    const resume = hint(about('resume', affected), plan);
    return [...repairLines(report), `when it is repaired: ${resume}`, ...(running ? [] : [planHint('run', plan)])];
  }
  const undo = undone.has(choice) && affected.length > 0 ? [`to undo it: ${hint(about('retry', affected), plan)}`] : [];
  return [...undo, ...(running ? ['the current run acts on it'] : [planHint('run', plan)])];
}
