// Every decision so far, two lines each: the question, and the answer with who, when and why.
import type { PastDecision } from '../../api/reports/decisions.ts';
import { listWords } from '../../core/model/count-words.ts';
import type { OpenDecision } from '../../core/model/decision.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { describeDecision } from './describe/describe-decision.ts';
import { describeMoment, describeTime } from './describe/describe-time.ts';

export async function decisionHistory({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.decisions()).history(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { decisions } = plainData(report);
  const at = (time: string) =>
    flags.absolute ? describeMoment(Date.parse(time)) : describeTime(Date.parse(time), io.now());
  if (decisions.length === 0) io.out('Nothing has ever needed a decision.\n');
  for (const decision of decisions) {
    io.out(`${paint.bold(decision.id)}  ${paint.dim(at(decision.openedAt))}  ${describeDecision(asked(decision))}\n`);
    io.out(`    ${outcomeOf(decision, at)}\n`);
  }
  return 0;
}

function outcomeOf({ state, answer, closedAt }: PastDecision, at: (time: string) => string): string {
  if (state === 'open') return 'still open';
  if (!answer) return `${at(closedAt!)}  closed without an answer: it no longer needed one`;
  const { choice, by, reason, note, agent, affected, policy } = answer;
  // A policy's reason is only its name, which `who` has already.
  const who = policy === null ? by : `${by} (on-failure: ${policy})`;
  const why = reason === null || policy !== null ? '' : `: ${reason}`;
  const what = affected.length === 0 ? '' : `; changed ${listWords(affected)}`;
  const told = `${note === null ? '' : `; note: ${note}`}${agent === null ? '' : `; agent: ${agent}`}`;
  return `${at(answer.at)}  ${choice}, by ${who}${why}${told}${what}`;
}

const asked = ({ id, kind, task, attempt, blocks, goesOn, options, evidence, openedAt }: PastDecision): OpenDecision =>
  ({
    id,
    kind,
    blocks,
    goesOn,
    options,
    openedAt: Date.parse(openedAt),
    ...(task === null ? {} : { task }),
    ...(attempt === null ? {} : { attempt }),
    ...(evidence === null ? {} : { evidence }),
  }) as OpenDecision;
