// From a scheduled attempt to the order that starts it: which program with which arguments, what it is told, what it may see.
import { constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { RunId } from '../core/model/ids.ts';
import type { AgentSettings, Settings } from '../core/model/settings.ts';
import type { Job } from '../core/state/state.ts';
import { performerOf } from './performer.ts';
import { outputFile, promptFile } from './process/attempt-files.ts';
import type { StartOrder } from './process/attempt-host.ts';
import { findProgram } from './process/find-program.ts';
import { type PromptParts, prompt } from './prompt/prompt.ts';

export interface OrderRequest extends PromptParts {
  readonly token: number;
  readonly run: RunId;
  /** What the process is for. */
  readonly job: Job;
  readonly settings: Settings;
  readonly paths: OrderPaths;
  /** What it is told, where that is not what the parts say. */
  readonly text?: string;
  /** What attempts get of ours: see `baseEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** All absolute. */
export interface OrderPaths {
  readonly workspace: string;
  readonly attempts: string;
  /** Holds the command `signalbox`; goes in front of the PATH of every attempt. */
  readonly commands: string;
}

export type PreparedOrder =
  | { readonly kind: 'order'; readonly order: StartOrder }
  /** Nobody can perform it here; trying again cannot help. */
  | { readonly kind: 'missing'; readonly program: string; readonly message: string };

/** Writes the prompt file of an agent's attempt; touches nothing else. */
export function prepareOrder(request: OrderRequest): PreparedOrder {
  const { task, attempt, paths, job, settings } = request;
  const performer = performerOf(job, task, settings);
  if ('missing' in performer) return missing(performer.missing, performer.message);
  const { kind, agent, name } = performer;
  const file = promptFile(paths.attempts, request);
  const model = (job.kind === 'review' ? undefined : task.keys.model) ?? agent.model ?? '';
  const values = { task: task.id, attempt, promptFile: file, model, workspace: paths.workspace };
  const [program, ...args] = kind.argv(agent, values);
  const found = findProgram(program, environmentOf(request, agent.env).PATH ?? '', paths.workspace);
  if (found === null) {
    const message = `the program ${JSON.stringify(program)} of agent ${JSON.stringify(name)} was not found`;
    return missing(program, message);
  }
  const order = orderOf(request, [found, ...args], agent.env);
  if (!kind.isPrompted) return { kind: 'order', order };
  writePrivately(paths.attempts, file, request.text ?? prompt(request));
  return { kind: 'order', order: { ...order, stdinFile: file } };
}

function orderOf(request: OrderRequest, argv: StartOrder['argv'], agentEnv: AgentSettings['env']): StartOrder {
  const { token, run, attempt, paths } = request;
  return {
    token,
    run,
    attempt,
    argv,
    cwd: paths.workspace,
    env: environmentOf(request, agentEnv),
    outputFile: outputFile(paths.attempts, request),
  };
}

/** The task's own over the agent's; ours over all, because commands inside the attempt rely on them. */
function environmentOf(request: OrderRequest, agentEnv: AgentSettings['env']): Record<string, string> {
  const { plan, task, attempt, paths, environment, job } = request;
  const isReview = job.kind === 'review';
  const chosen: Record<string, string> = { ...agentEnv, ...(isReview ? {} : task.keys.env) };
  const path = chosen.PATH ?? environment.PATH ?? '/usr/local/bin:/usr/bin:/bin';
  return {
    ...chosen,
    PATH: `${paths.commands}${delimiter}${path}`,
    SIGNALBOX_WORKSPACE: paths.workspace,
    SIGNALBOX_PLAN: plan.path,
    SIGNALBOX_TASK: task.id,
    // A reviewer is somebody else: what the attempt may do is not for it to do.
    ...(isReview
      ? { SIGNALBOX_AGENT: `review of ${attempt}` }
      : { SIGNALBOX_ATTEMPT: attempt, SIGNALBOX_AGENT: attempt }),
    // SIGNALBOX_TOKEN is set by the host that starts it: it also marks its processes.
  };
}

const missing = (program: string, message: string): PreparedOrder => ({ kind: 'missing', program, message });

/** A link planted in its place is not followed. */
function writePrivately(folder: string, file: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  writeFileSync(file, text, { flag: flag as unknown as string, mode: 0o600 });
}
