// One agent, one prompt, one answer, outside of any run and without a store. It is supervised like an attempt: a worker shell starts it, its
// stream is read while it comes, and when its time is over or nobody wants to know any more, everything that it has started is ended.
import { randomBytes } from 'node:crypto';
import { withReset } from '../../agents/ask-limit.ts';
import { agentNamed, kindOf } from '../../agents/kind.ts';
import { type OrderRequest, prepareOrder } from '../../agents/prepare-order.ts';
import { agentHome, errorFile } from '../../agents/process/attempt-files.ts';
import type { StartOrder } from '../../agents/process/attempt-host.ts';
import { writePrivately } from '../../agents/process/furnish.ts';
import { followOutput, readEnd, tailLines } from '../../agents/process/output-tail.ts';
import { openWorkerPool } from '../../agents/process/worker-pool.ts';
import { lastAction } from '../../agents/stream/last-action.ts';
import { StreamReader } from '../../agents/stream/stream-reader.ts';
import type { AgentReport } from '../../core/model/agent-result.ts';
import { killGraceMs, timeoutMsOf } from '../../core/model/defaults.ts';
import type { AttemptEnd, Doom, Failure } from '../../core/model/failure.ts';
import { attemptId, type PlanPath, runId, taskId } from '../../core/model/ids.ts';
import type { Task } from '../../core/model/plan.ts';
import { agentReport } from '../../runner/attempts/agent-report.ts';
import { StreamWatch } from '../../runner/attempts/stream-watch.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

export interface TurnParts {
  readonly workspace: Workspace;
  /** The name of an agent. */
  readonly agent: string;
  readonly model?: string | undefined;
  /** Where it works, and a folder for its prompt and its output. */
  readonly root: string;
  readonly folder: string;
  readonly commandFolder: string;
  /** What it is about. */
  readonly plan: PlanPath;
  readonly environment: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** What it does now, once a second. */
  readonly onAction?: ((action: string) => void) | undefined;
}

export interface Turn {
  readonly end:
    | { readonly kind: 'said'; readonly text: string }
    | { readonly kind: 'failed'; readonly failure: Failure; readonly tail: readonly string[] }
    /** Its account has to wait. */
    | { readonly kind: 'quota'; readonly until: number | null; readonly tail: readonly string[] }
    | { readonly kind: 'interrupted' };
  /** Null: not known. */
  readonly costUsd: number | null;
}

const lookEveryMs = 1_000;
const longestAnswer = 1_000_000;
const shownTail = { lines: 15, maxBytes: 4_000 };
const mostErrors = 2_000;

/** @param n which turn of the same work it is */
export async function agentTurn(parts: TurnParts, n: number, text: string): Promise<Turn> {
  const { workspace, agent: name, folder, root, signal, onAction } = parts;
  const { settings } = workspace;
  const kind = kindOf(agentNamed(settings, name)!)!;
  const { request, order } = orderFor(parts, n, text);
  const { task } = request;
  // Of any program: what it says beside its answer is no part of it.
  const errors = errorFile(folder, order);
  writePrivately(errors, '');
  const stream = new StreamReader(kind.events!);
  const follow = followOutput(order.outputFile, (chunk) => stream.feed(chunk));
  let doom: Doom | null = null;
  const end = await supervise({ ...order, errorFile: errors }, parts, {
    limitMs: timeoutMsOf(task),
    watch: new StreamWatch(() => (kind.known === null ? null : stream.seen)),
    look: () => onAction?.(lastAction(order.outputFile, root) ?? ''),
    doomed: (why) => {
      doom = why;
    },
  });
  await follow.finish().catch(() => undefined);
  const told = await withReset(stream.end(), request);
  const agent = agentNamed(settings, name)!;
  const home = agentHome(folder, { kind: agent.kind, plan: parts.plan, task: task.id });
  const report = agentReport(told, {
    ...{ root, by: name, prices: settings.prices ?? {}, version: null, told: '', resumed: null },
    model: task.keys.model ?? kind.known?.ownModel?.used(home, told.session) ?? '',
    code: end.kind === 'exited' ? end.code : null,
    errors: tailLines(errors, { lines: 20, maxBytes: mostErrors }).join('\n'),
    loads: kind.known?.loads?.(agent, parts.personal) ?? [],
    countsFromBeginning: kind.known?.countsFromBeginning === true,
    classOfExit: kind.known?.classOfExit,
  });
  const costUsd = report.costUsd ?? null;
  if (signal?.aborted) return { end: { kind: 'interrupted' }, costUsd };
  // A wrapper around a coding agent prints the same stream.
  const isStream = kind.known !== null || told.result !== null;
  const tail = [
    ...tailLines(isStream ? errors : order.outputFile, shownTail),
    ...(isStream ? [] : tailLines(errors, shownTail)),
  ];
  if (isStream && report.class === 'rate-limit')
    return { end: { kind: 'quota', until: report.resetsAt ?? null, tail }, costUsd };
  const failure = failureOf(end, doom, isStream ? report : null);
  if (failure) return { end: { kind: 'failed', failure, tail }, costUsd };
  return { end: { kind: 'said', text: isStream ? told.said : readEnd(order.outputFile, longestAnswer) }, costUsd };
}

/** Null: it has answered. What a coding agent says about its end counts before its exit code. */
function failureOf(end: AttemptEnd, doom: Doom | null, report: AgentReport | null): Failure | null {
  if (doom?.kind === 'timeout' || doom?.kind === 'mute') return doom;
  if (end.kind === 'unstartable') return { kind: 'unstartable', message: end.message };
  const hasEnded = end.kind === 'exited' || doom?.kind === 'finished';
  if (!hasEnded) return { kind: 'lost', times: 1 };
  const { class: result = null, said = '' } = report ?? {};
  // It may have been refused what it did not need.
  if (result === 'done' || result === 'refused-tools') return null;
  if (result === 'asks' || result === 'no-conversation' || result === 'rate-limit')
    return { kind: 'said', message: `asks instead of answering: ${said}` };
  if (result !== null) return { kind: 'agent', class: result, message: said };
  return end.kind === 'exited' && end.code !== 0 ? { kind: 'exit', code: end.code } : null;
}

function orderFor(
  parts: TurnParts,
  n: number,
  text: string,
): { readonly request: OrderRequest; readonly order: StartOrder } {
  const { workspace, agent, model, root, folder, commandFolder, plan, environment, personal } = parts;
  const { settings } = workspace;
  const used = model ?? agentNamed(settings, agent)!.model;
  const id = taskId('plan');
  const { timeoutMs } = settings.defaults;
  const keys = { ...(used === undefined ? {} : { model: used }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const task: Task = { id, title: 'Write a plan', line: 1, phase: 0, keys };
  const { budgetUsd } = agentNamed(settings, agent)!;
  const request: OrderRequest = {
    plan: { path: plan, title: '', order: 'explicit', phases: [{ name: '' }], tasks: [task] },
    ...{ task, attempt: attemptId(id, n), token: n, text, environment, personal },
    run: runId(`plan-${n}`),
    job: { kind: 'attempt', agent },
    isOutside: true,
    // In a copy there is nothing to lock, and nobody whom its hooks could ask.
    settings: { ...settings, locks: 'advisory' },
    paths: {
      workspace: workspace.root,
      tree: root,
      attempts: folder,
      commands: commandFolder,
      state: workspace.userFolder!,
    },
    ...(budgetUsd === undefined ? {} : { mostUsd: budgetUsd }),
  };
  const prepared = prepareOrder(request);
  if (prepared.kind === 'order') return { request, order: prepared.order };
  throw new Refusal(7, prepared.message, { instead: 'see what is missing: signalbox doctor' });
}

interface Watching {
  readonly limitMs: number;
  readonly watch: StreamWatch;
  readonly look: () => void;
  readonly doomed: (doom: Doom) => void;
}

async function supervise(
  order: StartOrder,
  { folder, environment, signal }: TurnParts,
  { limitMs, watch, look, doomed }: Watching,
): Promise<AttemptEnd> {
  const { token } = order;
  let ended: (end: AttemptEnd) => void = () => undefined;
  const end = new Promise<AttemptEnd>((resolve) => {
    ended = resolve;
  });
  const pool = openWorkerPool({
    // Never the id of a workspace: what the agent starts is no attempt of any log, and may only look.
    workspace: `plan-${randomBytes(8).toString('hex')}`,
    folder,
    environment: { ...environment },
    onObservation: (observation) => {
      if (observation.kind === 'ended') ended(observation.end);
    },
  });
  const stop = () => pool.stop(token, killGraceMs);
  const doom = (why: Doom) => {
    doomed(why);
    stop();
  };
  const late = limitMs === 0 ? null : setTimeout(() => doom({ kind: 'timeout', limitMs }), limitMs);
  const looking = setInterval(() => {
    look();
    for (const { doom: why } of watch.due(Date.now())) doom(why);
  }, lookEveryMs);
  signal?.addEventListener('abort', stop);
  try {
    watch.begin({ token, parkedSince: 0, doom: null }, Date.now());
    pool.start(order);
    if (signal?.aborted) stop();
    return await end;
  } finally {
    if (late) clearTimeout(late);
    clearInterval(looking);
    signal?.removeEventListener('abort', stop);
    await pool.close();
  }
}
