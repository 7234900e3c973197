// Work by hand: `mark-started`, `mark-complete`, `mark-failed`, `mark-skipped`, findings, runs by hand, and `detect-stuck`.

import { durationForm, readDuration } from '../../api/files/read-duration.ts';
import { PlainTextStream } from '../../api/look/plain-text.ts';
import { Refusal } from '../../api/refusal.ts';
import type { HandCheck, MarkReport } from '../../api/reports/hand.ts';
import { countWords } from '../../core/model/count-words.ts';
import { eventJson } from '../json/event-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { lateInterruptible } from '../terminal/interruptible.ts';
import { describeEvent } from '../text/describe/describe-event.ts';
import { hint, planHint } from '../text/hint.ts';
import { about } from '../text/shell-word.ts';
import { showTable } from '../text/show-table.ts';

export async function markStarted(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  return showMark(request, await (await box.hand()).markStarted(plan, args[0]!, keyed(flags)), (id) =>
    about('mark-complete', id),
  );
}

export async function markComplete(request: Request): Promise<number> {
  const { box, io, plan, args, flags, paint } = request;
  const plain = new PlainTextStream();
  let exitCode = 0;
  const interrupted = await lateInterruptible(io, true, async (signal) => {
    const report = await (await box.hand()).markCompleted(plan, args[0]!, {
      ...keyed(flags),
      ...(flags.notes === undefined ? {} : { notes: flags.notes }),
      ...(flags.checks === false ? { withoutChecks: true } : {}),
      ...(flags.json
        ? {}
        : {
            onCheck: (command: string) => io.err(`${paint.dim(`$ ${plainData(command)}`)}\n`),
            onOutput: (text: string) => io.err(plain.push(text)),
          }),
      // Only checks read it.
      get signal() {
        return signal();
      },
    });
    if (!flags.json) io.err(plain.end());
    exitCode = showMark(request, report, () => 'next');
  });
  return interrupted === 0 ? exitCode : interrupted;
}

export async function markFailed(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  if (flags.error === undefined)
    throw new Refusal(2, '--error is missing', { instead: 'say what went wrong: --error TEXT' });
  const report = await (await box.hand()).markFailed(plan, args[0]!, { ...keyed(flags), error: flags.error });
  return showMark(request, report, (id) => about('why', id));
}

export async function markSkipped(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  const report = await (await box.hand()).markSkipped(plan, args[0]!, {
    ...said(flags),
    ...(flags.dependents ? { dependents: true } : {}),
    ...(flags.treatAsDone ? { treatAsDone: true } : {}),
  });
  return showMark(request, report, () => 'next');
}

const said = ({ reason, force }: Request['flags']) => ({
  ...(reason === undefined ? {} : { reason }),
  ...(force ? { force } : {}),
});

const keyed = (flags: Request['flags']) => ({
  ...said(flags),
  ...(flags.request === undefined ? {} : { request: flags.request }),
});

/** @param next the command to type next. */
function showMark(request: Request, report: MarkReport, next: (id: string) => string): number {
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
  const done = `${task}: this call was already recorded, with the same request key; nothing was recorded again`;
  const lines = report.repeated ? [done] : report.events.map((event) => describeEvent(plainEvent(event)));
  io.out(`${lines.join('\n')}\n${paint.dim(`  ${hint(report.repeated ? about('why', task) : next(task), plan)}`)}\n`);
  return 0;
}

function redWords({ command, exitCode, because }: HandCheck): string {
  if (because === 'timeout') return `the check "${command}" took longer than 10 minutes`;
  if (because === 'interrupted') return `the check "${command}" was interrupted`;
  return exitCode === null
    ? `the check "${command}" was killed`
    : `the check "${command}" exited with code ${exitCode}`;
}

export async function writeFindings({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.hand()).writeFindings(plan, args[0]!, {
    ...(flags.file === undefined || flags.file === '-' ? { text: io.input() } : { file: flags.file }),
    ...(flags.append ? { append: true } : {}),
  });
  if (flags.json) io.out(jsonLine(report));
  else io.out(`written to ${plainData(report.file)}\n`);
  return 0;
}

/** Control characters are left out; `--json` has the text as it is. */
export async function readFindings({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.hand()).readFindings(plan, args[0]!);
  const plain = new PlainTextStream();
  io.out(flags.json ? jsonLine(report) : plain.push(report.text) + plain.end());
  return 0;
}

export async function startRun({ box, io, plan, flags }: Request): Promise<number> {
  const report = await (await box.hand()).startRun(plan);
  io.out(flags.json ? jsonLine(report) : `${report.run}\n`);
  return 0;
}

export async function completeRun({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.hand()).completeRun(plan, args[0]);
  const { run, completed, failed } = report;
  const words = `${run} has ended: ${countWords(completed, 'task')} completed, ${failed} failed\n`;
  io.out(flags.json ? jsonLine(report) : words);
  return 0;
}

export async function detectStuck({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.hand()).detectStuck(plan, {
    ...(flags.mark ? { mark: true } : {}),
    ...(flags.limit === undefined ? {} : { limitMs: readLimit(flags.limit) }),
  });
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { stuck, watched } = plainData(report);
  if (stuck.length === 0) {
    io.out(
      watched === 0 ? 'Nothing is in progress.\n' : `Nothing is stuck: ${countWords(watched, 'task')} in progress.\n`,
    );
    return 0;
  }
  const rows = stuck.map(({ task, attempt, message, marked }) => [
    { text: task, color: paint.bold },
    { text: attempt, color: paint.dim },
    { text: message },
    { text: marked ? 'marked failed' : '', color: paint.red },
  ]);
  io.out(showTable(rows, io.columns(), 2));
  if (!flags.mark && stuck.some(({ waitsForRun }) => !waitsForRun))
    io.out(`${paint.dim(`  ${hint('detect-stuck --mark', plan)} marks them failed`)}\n`);
  if (stuck.some(({ filesLeft }) => filesLeft))
    io.out(`${paint.dim(`  ${planHint('run', plan)} puts their files back`)}\n`);
  return 0;
}

function readLimit(text: string): number {
  const ms = readDuration(text);
  if (ms === null || ms === 0) throw new Refusal(2, `${JSON.stringify(text)} is not ${durationForm}`);
  return ms;
}
