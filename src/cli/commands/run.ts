// `signalbox run [PLAN]`: watched by a person, read by a program, or only previewed with `--dry-run`. The exit code is that of
// the outcome.
import { Refusal } from '../../api/refusal.ts';
import type { RunReport } from '../../api/reports/run.ts';
import { eventJson } from '../json/event-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { askDecisions } from '../run/ask-decisions.ts';
import { beforeFresh, beforeRun, isAskable, retryNamed } from '../run/before-run.ts';
import { Interrupts } from '../run/interrupts.ts';
import { outcomeJson } from '../run/outcome-json.ts';
import { runOptions } from '../run/run-options.ts';
import { streamFor } from '../run/run-stream.ts';
import { runSummary } from '../run/run-summary.ts';
import { startedOver, startOverText, waiting } from '../run/start-over.ts';
import { Successor } from '../run/successor.ts';

export async function run(request: Request): Promise<number> {
  const { io, flags } = request;
  // A mistake in the flags is reported before anything is done.
  runOptions(flags);
  if (flags.dryRun && flags.quiet)
    throw new Refusal(2, '--dry-run and --quiet contradict each other', { instead: 'leave one of them out' });
  if (flags.detach) return (await import('../run/detach.ts')).detach(request);
  if (flags.dryRun) return (await import('../run/dry-run.ts')).dryRun(request);
  if (flags.approve) await (await import('../planning/approve-plan.ts')).approveNow(request);
  // A run is worth more than its output: it goes on without a reader.
  const off = io.onOutputGone(() => undefined);
  try {
    return await start(request);
  } catch (error) {
    if (!(error instanceof Refusal) || error.exitCode !== 4) throw error;
    const { askToApprove } = await import('../planning/approve-plan.ts');
    return (await askToApprove(request, error)) ? await start(request) : error.exitCode;
  } finally {
    off();
  }
}

async function start(request: Request): Promise<number> {
  if (!(await beforeFresh(request))) return waiting;
  return request.flags.json ? runForPrograms(request) : runForPeople(request);
}

/** On a terminal the open decisions are asked at the end, and a new run continues from the answers. */
async function runForPeople(request: Request): Promise<number> {
  const { io } = request;
  const { fresh, ...flags } = request.flags;
  if (!fresh && !(await beforeRun(request))) return 130;
  for (let next = request; ; next = { ...request, flags }) {
    const report = await watchRun(next);
    if (typeof report === 'number') return report;
    if (!isAsked(request, report) || !(await askDecisions(request, report.decisions))) return report.exitCode;
    io.out('\n');
  }
}

const isAsked = ({ io, flags }: Request, { outcome, decisions }: RunReport): boolean =>
  isAskable(io, flags) && (outcome === 'stuck' || outcome === 'waiting') && decisions.length > 0;

/** A number: the person did not wait for the end. */
async function watchRun(request: Request): Promise<RunReport | number> {
  const { box, io, paint, plan, flags } = request;
  const successor = new Successor(request);
  const interrupts = new Interrupts(io, (words) => stream.say(words(stream.progress.running.size)));
  const stream = streamFor(request, (event) => event.type === 'run-stopping' && interrupts.any);
  try {
    const running = box.run(plan, {
      ...runOptions(flags),
      waitsPaused: io.interactive,
      refresh: successor.refresh,
      onEvents: (events) => stream.events(events),
      onNotice: (text, kind) => stream.notice(text, kind),
      onReset: (reset) => {
        const words = isAskable(io, flags) ? startedOver(reset) : startOverText(reset, io);
        if (reset.result === 'reset') io.out(`${words}\n`);
      },
      onInterruptible: (stop) => interrupts.interruptible(stop),
    });
    const report = await successor.outlive(untilAbandoned(running, interrupts), () => stream.close());
    await stream.close();
    if (typeof report === 'number') return report;
    const { attempts, paused } = stream.progress;
    io.out(runSummary(plainData(report), { paint, plan, attempts, paused, asks: isAsked(request, report) }));
    return report;
  } finally {
    // Also after a refusal or an outage: the message must not be drawn over.
    await stream.close();
    interrupts.close();
  }
}

async function runForPrograms(request: Request): Promise<number> {
  const { box, io, plan, flags } = request;
  await retryNamed(request);
  const successor = new Successor(request);
  const interrupts = new Interrupts(io, () => undefined);
  try {
    const running = box.run(plan, {
      ...runOptions(flags),
      refresh: successor.refresh,
      onEvents: (events) => io.out(events.map((event) => jsonLine(eventJson(event))).join('')),
      // Notices are not events, so they stay out of the stream: every line of it has a number.
      onNotice: (text, kind) => {
        if (kind === 'warning') io.err(`${plainData(text)}\n`);
      },
      onInterruptible: (stop) => interrupts.interruptible(stop),
    });
    const report = await successor.outlive(untilAbandoned(running, interrupts));
    if (typeof report === 'number') return report;
    io.out(jsonLine(outcomeJson(report)));
    return report.exitCode;
  } finally {
    interrupts.close();
  }
}

function untilAbandoned(running: Promise<RunReport>, interrupts: Interrupts): Promise<RunReport | number> {
  return Promise.race([running, interrupts.abandoned]);
}
