// What starting a plan over does, in words, and the question before it: for `reset` and for `run --fresh`.
import type { ResetReport } from '../../api/reports/steering.ts';
import { countWords } from '../../core/model/count-words.ts';
import type { Io } from '../io.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { agrees } from '../terminal/ask-person.ts';
import { wrapped } from '../terminal/whole-words.ts';

/** A person has to confirm it: the exit code where nobody did. */
export const waiting = 4;

/** Shows what would happen, and asks the person at the terminal; enter is no. @param how to do it where nobody can be asked */
export async function mayStartOver({ io, paint }: Request, report: ResetReport, how: string): Promise<boolean> {
  io.out(startOverText(report, io));
  if (!io.interactive) {
    io.out(paint.dim(`Nothing was done. ${how}\n`));
    return false;
  }
  if (await agrees(io, paint, 'Start over?')) return true;
  io.out('Nothing was done.\n');
  return false;
}

/** Where the person has just read the rest. */
export const startedOver = ({ plan }: ResetReport): string => `${safeLine(plan)} was started over.\n`;

export const startOverText = (report: ResetReport, io: Pick<Io, 'columns'>): string =>
  `${wrapped(startOverLines(report).join('\n'), io)}\n`;

function startOverLines(report: ResetReport): string[] {
  const { plan, summary, attempts, decisions, ticked, results, outputs, result } = plainData(report);
  const done = [
    ...(summary.completed > 0 ? [`${summary.completed} completed`] : []),
    ...(summary.failed > 0 ? [`${summary.failed} failed`] : []),
    countWords(attempts, 'attempt'),
  ];
  const lines = [
    `set aside: ${done.join(', ')}; signalbox events, logs and saved still show them`,
    ...(decisions > 0 ? [`closed: ${countWords(decisions, 'open decision')}`] : []),
    ...(results === null ? ['files: what attempts changed in the workspace stays'] : resultWords(results)),
    ...(outputs === null ? [] : [`findings, times and status.json: ${outputs}`]),
    ...(ticked > 0 ? [`ticked in ${plan}: ${countWords(ticked, 'task')}, done or skipped as before`] : []),
  ];
  const head = result === 'reset' ? `${plan} was started over.` : `${plan} would be started over:`;
  return [head, ...lines.map((line) => `  ${line}`)];
}

function resultWords({ branch, kept, commits }: NonNullable<ResetReport['results']>): string[] {
  if (kept === null) return [`results: your branch has everything of ${branch}`];
  const many = commits === null ? '' : ` (${countWords(commits, 'commit')} that your branch does not have)`;
  return [`results: ${branch} is kept as ${kept}${many}`, 'next run: begins where your branch stands'];
}
