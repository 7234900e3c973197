// Commands that steer a plan: retry, skip, suspend, resume, pause, stop. Each prints what was recorded and what happens next.

import type { SteerOptions } from '../../api/act/steer-door.ts';
import { Refusal } from '../../api/refusal.ts';
import type { SteerReport } from '../../api/reports/steering.ts';
import { eventJson } from '../json/event-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { describeEvent } from '../text/describe/describe-event.ts';
import { hint, planHint } from '../text/hint.ts';
import { about } from '../text/shell-word.ts';

export async function retry(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  if (flags.reason !== undefined && !flags.force)
    throw new Refusal(2, '--reason goes with --force only', {
      instead: 'add --force to redo a completed task, or tell the next attempt what to change: --note TEXT',
    });
  const options = { ...spoken(flags.note), ...(flags.force ? { forced: spoken(flags.reason) } : {}) };
  return show(request, await (await box.steering()).retry(plan, args, options), toRun);
}

export async function skip(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  const options = {
    ...spoken(flags.reason),
    ...(flags.dependents ? { dependents: true } : {}),
    ...(flags.treatAsDone ? { treatAsDone: true } : {}),
  };
  return show(request, await (await box.steering()).skip(plan, args, options), toRun);
}

export async function suspend(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  const { question } = flags;
  if (question !== undefined && flags.reason !== undefined)
    throw new Refusal(2, '--reason and --question contradict each other', { instead: 'the question is the reason' });
  const options = question === undefined ? spoken(flags.reason) : { question };
  return show(request, await (await box.steering()).suspend(plan, args, options), ({ args: ids }) =>
    question === undefined ? hint(about('resume', ids), plan) : hint('decide', plan),
  );
}

export async function resume(request: Request): Promise<number> {
  const { box, plan, args, flags } = request;
  return show(request, await (await box.steering()).resume(plan, args, spoken(flags.note)), toRun);
}

export async function pause(request: Request): Promise<number> {
  const { box, plan, flags } = request;
  return show(request, await (await box.steering()).pause(plan, spoken(flags.reason)), () => hint('resume', plan));
}

export async function stop(request: Request): Promise<number> {
  const { box, plan, flags } = request;
  const options = { ...spoken(flags.reason), ...(flags.now ? { kill: true } : {}) };
  return show(request, await (await box.steering()).stop(plan, options), toRun);
}

const spoken = (reason: string | undefined): SteerOptions => (reason === undefined ? {} : { reason });

/** What to type next if no run is going on. */
type Next = (request: Request) => string;
const toRun: Next = ({ plan }) => planHint('run', plan);

function show(request: Request, report: SteerReport, next: Next): number {
  const { io, paint, flags } = request;
  if (flags.json) {
    io.out(jsonLine({ ...report, events: report.events.map(eventJson) }));
    return 0;
  }
  const lines = report.events.map((event) => describeEvent(plainEvent(event)));
  if (lines.length === 0) lines.push('nothing to change');
  const then = report.running ? 'the current run acts on it' : next(request);
  io.out(`${lines.join('\n')}\n${paint.dim(`  ${then}`)}\n`);
  return 0;
}
