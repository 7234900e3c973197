// `signalbox mark-started`, `mark-complete`, `mark-failed`, `mark-skipped`: tasks driven by hand.
import type { CheckReport, MarkReport } from '../../api/hand/hand-reports.ts';
import { PlainTextStream } from '../../api/plain-text.ts';
import { Refusal } from '../../api/refusal.ts';
import { describeEvent } from '../describe-event.ts';
import { eventJson } from '../event-json.ts';
import { hint } from '../hint.ts';
import { lateInterruptible } from '../interruptible.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import { plainEvent } from '../plain-event.ts';
import type { Request } from '../request.ts';
import { about } from '../shell-word.ts';

export async function markStarted(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  return show(request, await (await box.hand()).markStarted(plan, args[0]!, said(flags)), (id) =>
    about('mark-complete', id),
  );
}

export async function markComplete(request: Request): Promise<number> {
  const { box, io, plan, args, flags, paint } = request;
  const plain = new PlainTextStream();
  let exitCode = 0;
  const interrupted = await lateInterruptible(io, true, async (signal) => {
    const report = await (await box.hand()).markCompleted(plan, args[0]!, {
      ...said(flags),
      ...(flags.notes === undefined ? {} : { notes: flags.notes }),
      ...(flags.checks === false ? { withoutChecks: true } : {}),
      ...(flags.json
        ? {}
        : {
            onCheck: (command: string) => io.err(`${paint.dim(`$ ${plainData(command)}`)}\n`),
            onOutput: (text: string) => io.err(plain.push(text)),
          }),
      // Asked for only by checks.
      get signal() {
        return signal();
      },
    });
    if (!flags.json) io.err(plain.end());
    exitCode = show(request, report, () => 'next');
  });
  return interrupted === 0 ? exitCode : interrupted;
}

export async function markFailed(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  if (flags.error === undefined)
    throw new Refusal(2, 'what went wrong is not said', { instead: 'say it with --error TEXT' });
  const report = await (await box.hand()).markFailed(plan, args[0]!, { ...said(flags), error: flags.error });
  return show(request, report, (id) => about('why', id));
}

export async function markSkipped(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  const report = await (await box.hand()).markSkipped(plan, args[0]!, {
    ...said(flags),
    ...(flags.dependents ? { dependents: true } : {}),
    ...(flags.treatAsDone ? { treatAsDone: true } : {}),
  });
  return show(request, report, () => 'next');
}

const said = ({ reason, force }: Request['flags']) => ({
  ...(reason === undefined ? {} : { reason }),
  ...(force ? { force } : {}),
});

/** @param next what may be typed next, about the task. */
function show(request: Request, report: MarkReport, next: (id: string) => string): number {
  const { io, paint, flags, plan } = request;
  if (flags.json) {
    io.out(jsonLine({ ...report, events: report.events.map(eventJson) }));
    return report.ok ? 0 : 1;
  }
  const { task, checks } = plainData({ task: report.task, checks: report.checks });
  const red = checks.find(({ green }) => !green);
  if (red) {
    io.err(`${task} is not complete: ${redWords(red)}; nothing was recorded\n`);
    const how = flags.force ? '--force --no-checks' : '--no-checks';
    io.err(`${paint.dim(`  ${hint(about('mark-complete', task, how), plan)}`)}\n`);
    return 1;
  }
  const lines = report.events.map((event) => describeEvent(plainEvent(event)));
  io.out(`${lines.join('\n')}\n${paint.dim(`  ${hint(next(task), plan)}`)}\n`);
  return 0;
}

function redWords({ command, exitCode, because }: CheckReport): string {
  if (because === 'timeout') return `the check "${command}" took longer than 10 minutes`;
  if (because === 'interrupted') return `the check "${command}" was interrupted`;
  return exitCode === null ? `the check "${command}" was killed` : `the check "${command}" ended with code ${exitCode}`;
}
