// `signalbox why ID`: the reasons in sentences, and the commands that help.
import type { WhyReport } from '../../api/reports/why.ts';
import type { Reason } from '../../core/explain/explain.ts';
import { isoTime } from '../json/iso-time.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { describeIncident } from '../text/describe/describe-incident.ts';
import { describeReason, waysOut } from '../text/describe/describe-reason.ts';
import { repairWords } from '../text/describe/describe-repair.ts';
import { hint, planHint } from '../text/hint.ts';
import { paintStatus, statusSign } from '../text/signs.ts';

export async function why({ box, io, paint, plan, args, flags }: Request): Promise<number> {
  const report = await box.why(plan, args[0]!);
  if (flags.json) {
    const { task, status, reasons, ...rest } = report;
    io.out(jsonLine({ task, status, reasons: reasons.map(reasonJson), ...rest }));
    return 0;
  }
  const {
    task,
    title,
    status,
    optional,
    reasons,
    running,
    notes,
    finding,
    incidents = [],
    repair,
    unlogged,
  } = plainData(report);
  const word = paintStatus(status, status.replace('_', ' '), paint, optional);
  const lines = [`${statusSign(status, paint, optional)} ${paint.bold(task)}  ${title}  ${word}`];
  const manner = { now: io.now(), isAbsolute: flags.absolute === true, typed: box.typed };
  for (const reason of reasons) lines.push(`  ${describeReason(reason, manner)}`);
  if (reasons.length === 0) lines.push(`  ${readyWords(running)}`);
  if (notes !== undefined) lines.push(`  Notes: ${notes}`);
  if (finding !== undefined) lines.push(`  The findings of the debugging agent are in ${finding}.`);
  for (const incident of incidents) lines.push(`  Note: ${describeIncident(incident)}.`);
  if (repair !== undefined) lines.push(`  ${repairWords(repair)}`);
  const ways = waysOut(task, reasons, unlogged).map((way) => hint(way, plan));
  if (!running && goesOnByRunning(report)) ways.push(planHint('run', plan));
  if (ways.length > 0) lines.push('', ...ways.map((way) => paint.dim(`  ${way}`)));
  io.out(`${lines.join('\n')}\n`);
  return 0;
}

const readyWords = (running: boolean) =>
  running ? 'It is ready and starts when its turn comes.' : 'It is ready, but no run is going on.';

/** A run would help, now or after the commands above it. */
function goesOnByRunning({ status, reasons }: WhyReport): boolean {
  const isByHand = reasons.some((reason) => reason.kind === 'running' && reason.by !== undefined);
  return status !== 'completed' && status !== 'skipped' && !isByHand;
}

/** Times are ISO strings wherever programs read them. */
function reasonJson(reason: Reason): object {
  switch (reason.kind) {
    case 'backoff':
      return { ...reason, until: isoTime(reason.until) };
    case 'quota':
      return { ...reason, until: reason.until > 0 ? isoTime(reason.until) : null };
    case 'review':
    case 'merge':
      return 'since' in reason ? { ...reason, since: isoTime(reason.since) } : reason;
    case 'running':
      return { ...reason, since: isoTime(reason.since) };
    case 'lock':
      return { ...reason, since: reason.since > 0 ? isoTime(reason.since) : null };
    case 'done':
      return { ...reason, at: reason.at > 0 ? isoTime(reason.at) : null };
    default:
      return reason;
  }
}
