// `signalbox attach [PLAN]`: follows a run of another process as the terminal that started it does. Ctrl-C only leaves it.
import type { Attached } from '../../api/run/run-door.ts';
import { eventJson } from '../json/event-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { wrapped } from '../terminal/whole-words.ts';
import { planHint } from '../text/hint.ts';
import { outcomeJson } from './outcome-json.ts';
import { streamFor } from './run-stream.ts';
import { runSummary } from './run-summary.ts';

export async function attach(request: Request): Promise<number> {
  const { io } = request;
  const gone = new AbortController();
  let exitCode = 0;
  const off = [
    io.onInterrupt(() => gone.abort()),
    io.onTerminate(() => {
      exitCode = 143;
      gone.abort();
    }),
    io.onOutputGone(() => gone.abort()),
  ];
  try {
    const attached = await (request.flags.json ? forPrograms(request, gone.signal) : forPeople(request, gone.signal));
    return attached.kind === 'left' ? exitCode : attached.report.exitCode;
  } finally {
    for (const unhook of off) unhook();
  }
}

async function forPrograms({ box, io, plan }: Request, signal: AbortSignal): Promise<Attached> {
  const attached = await (await box.runs()).attach(plan, {
    signal,
    onEvents: (events) => io.out(events.map((event) => jsonLine(eventJson(event))).join('')),
  });
  if (attached.kind !== 'left') io.out(jsonLine(outcomeJson(attached.report)));
  return attached;
}

async function forPeople(request: Request, signal: AbortSignal): Promise<Attached> {
  const { box, io, paint, plan } = request;
  const stream = streamFor(request, () => false);
  let isFollowed = false;
  let attached: Attached;
  try {
    attached = await (await box.runs()).attach(plan, {
      signal,
      onBegin: ({ pid, begunAt }) => {
        isFollowed = true;
        return stream.join(pid, begunAt);
      },
      onEvents: (events) => stream.events(events),
    });
  } finally {
    await stream.close();
  }
  if (attached.kind === 'left') {
    const [again, stop] = [planHint('attach', plan), planHint('stop', plan)];
    io.out(wrapped(`${safeLine(attached.plan)} goes on. Follow it again: ${again}; end it: ${stop}\n`, io));
    return attached;
  }
  const { report, pid, kind } = attached;
  if (!isFollowed)
    io.out(paint.dim(`No run of ${safeLine(report.plan)} is going on. This is how the last one ended:\n`));
  if (kind === 'died') {
    const again = planHint('run', plan);
    io.out(`${paint.yellow(`Process ${pid}, which ran ${safeLine(report.plan)}, died.`)} Go on: ${again}\n`);
    return attached;
  }
  const { attempts, paused } = stream.progress;
  io.out(runSummary(plainData(report), { paint, plan, attempts: isFollowed ? Math.max(1, attempts) : 1, paused }));
  return attached;
}
