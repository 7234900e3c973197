// What people tell a plan: retry, skip, suspend, resume, pause, stop. Each prints what was recorded and who acts on it.
import { Refusal } from '../../api/refusal.ts';
import type { SteerOptions, SteerReport } from '../../api/signalbox.ts';
import { describeEvent } from '../describe-event.ts';
import { eventJson } from '../event-json.ts';
import { hint, planHint } from '../hint.ts';
import { jsonLine } from '../json-line.ts';
import { plainEvent } from '../plain-event.ts';
import type { Request } from '../request.ts';
import { about } from '../shell-word.ts';

export async function retry(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  if (flags.reason !== undefined && !flags.force)
    throw new Refusal(2, '--reason is why a completed task is done again', {
      instead: 'say --force with it; what is to be done differently is --note TEXT',
    });
  const options = { ...spoken(flags.note), ...(flags.force ? { forced: spoken(flags.reason) } : {}) };
  return show(request, await box.retry(plan, args, options), toRun);
}

export async function skip(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  const options = {
    ...spoken(flags.reason),
    ...(flags.dependents ? { dependents: true } : {}),
    ...(flags.treatAsDone ? { treatAsDone: true } : {}),
  };
  return show(request, await box.skip(plan, args, options), toRun);
}

export async function suspend(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  return show(request, await box.suspend(plan, args, spoken(flags.reason)), ({ args: ids }) =>
    hint(about('resume', ids), plan),
  );
}

export async function resume(request: Request): Promise<number> {
  const { box, plan, args } = request;
  return show(request, await box.resume(plan, args, {}), toRun);
}

export async function pause(request: Request): Promise<number> {
  const { box, plan, flags } = request;
  return show(request, await box.pause(plan, spoken(flags.reason)), () => hint('resume', plan));
}

export async function stop(request: Request): Promise<number> {
  const { box, plan, flags } = request;
  const options = { ...spoken(flags.reason), ...(flags.now ? { kill: true } : {}) };
  return show(request, await box.stop(plan, options), toRun);
}

const spoken = (reason: string | undefined): SteerOptions => (reason === undefined ? {} : { reason });

/** What to type next, when no run is there to act on it. */
type Next = (request: Request) => string;
const toRun: Next = ({ plan }) => planHint('run', plan);

function show(request: Request, report: SteerReport, next: Next): number {
  const { io, paint, flags } = request;
  if (flags.json) {
    io.out(jsonLine({ ...report, events: report.events.map(eventJson) }));
    return 0;
  }
  const lines = report.events.map((event) => describeEvent(plainEvent(event)));
  if (lines.length === 0) lines.push('nothing had to be changed');
  const then = report.running ? 'the run that goes on acts on it' : next(request);
  io.out(`${lines.join('\n')}\n${paint.dim(`  ${then}`)}\n`);
  return 0;
}
