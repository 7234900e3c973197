// An account at its limit, about whose end the agent's stream says nothing: its program may know. It is asked once, for a moment, as the
// attempt was started; whatever goes wrong, nobody knows, and the account is tried again after a while.

import { performerOf } from './performer.ts';
import { type OrderRequest, surroundingsOf } from './prepare-order.ts';
import { findProgram } from './process/find-program.ts';
import { shortRun } from './process/short-run.ts';
import type { StreamReport } from './stream/stream-reader.ts';

const patienceMs = 5_000;

/** With the time when its account may go on, if that is found out. */
export async function withReset(report: StreamReport, request: OrderRequest): Promise<StreamReport> {
  if (report.result?.class !== 'rate-limit' || report.resetsAt !== null) return report;
  return { ...report, resetsAt: await resetOf(request).catch(() => null) };
}

async function resetOf(request: OrderRequest): Promise<number | null> {
  const performer = performerOf(request.job, request.task, request.settings);
  if ('missing' in performer || !performer.kind.known?.limits) return null;
  const { argv, told, answer } = performer.kind.known.limits;
  const [name, ...args] = argv(performer.agent);
  const { env } = surroundingsOf(request, performer);
  const program = findProgram(name, env.PATH ?? '', request.paths.workspace);
  if (program === null) return null;
  let reset: number | null | undefined;
  const isOver = (text: string) => {
    reset = answer(text);
    return reset !== undefined;
  };
  await shortRun({ program, args, env, timeoutMs: patienceMs, talk: { told, isOver } });
  return reset ?? null;
}
