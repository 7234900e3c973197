// From a scheduled attempt to the order that starts it: which program with which arguments, what it is told, what it may see.
import { join } from 'node:path';
import type { RunId } from '../core/model/ids.ts';
import type { AgentSettings, Settings } from '../core/model/settings.ts';
import type { Job } from '../core/state/state.ts';
import { isGoverned, type Launch, type LaunchRequest } from './kind.ts';
import { type Performer, performerOf } from './performer.ts';
import { agentHome, errorFile, mergeFile, outputFile, promptFile } from './process/attempt-files.ts';
import type { StartOrder } from './process/attempt-host.ts';
import { pathWith } from './process/base-environment.ts';
import { findProgram } from './process/find-program.ts';
import { furnish, writePrivately } from './process/furnish.ts';
import { type PromptParts, prompt } from './prompt/prompt.ts';

export interface OrderRequest extends PromptParts {
  readonly token: number;
  readonly run: RunId;
  /** What the process is for. */
  readonly job: Job;
  readonly settings: Settings;
  readonly paths: OrderPaths;
  /** What it may cost; absent: no budget limits it. */
  readonly mostUsd?: number;
  /** It is no attempt of any log, and has nothing to say to Signalbox. */
  readonly isOutside?: true;
  /** What it is told, where that is not what the parts say. */
  readonly text?: string;
  /** What attempts get of ours: see `baseEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables for commits in a tree, where git does not know who commits: all of them, or none. */
  readonly identity?: Readonly<Record<string, string>>;
  /** All that we have, of which an agent gets the variables that its kind documents. */
  readonly personal: Readonly<Record<string, string | undefined>>;
}

/** All absolute. */
export interface OrderPaths {
  readonly workspace: string;
  /** Where it works: the workspace itself, or its place in a tree. */
  readonly tree: string;
  readonly attempts: string;
  /** Holds the command `signalbox`; goes in front of the PATH of every attempt. */
  readonly commands: string;
  /** The user's own state folder, by which Signalbox knows there too which state is its own. */
  readonly state: string;
}

export type PreparedOrder =
  | { readonly kind: 'order'; readonly order: StartOrder }
  /** Nobody can perform it here; trying again cannot help. */
  | { readonly kind: 'missing'; readonly program: string; readonly message: string };

/** Writes the prompt file of an agent's attempt, and what its kind needs in a home of its own; touches nothing else. */
export function prepareOrder(request: OrderRequest): PreparedOrder {
  const { task, paths, job, settings } = request;
  const performer = performerOf(job, task, settings);
  if ('missing' in performer) return missing(performer.missing, performer.message);
  const { kind, name } = performer;
  const file = promptFile(paths.attempts, request);
  const { launch, env } = surroundingsOf(request, performer);
  const [program, ...args] = launch.argv;
  const found = findProgram(program, env.PATH ?? '', paths.workspace);
  if (found === null) {
    const message = `the program ${JSON.stringify(program)} of agent ${JSON.stringify(name)} was not found`;
    return missing(program, message);
  }
  const order = orderOf(request, [found, ...args], env);
  if (!kind.isPrompted) return { kind: 'order', order };
  furnish(launch);
  writePrivately(file, request.text ?? prompt(request));
  if (kind.known === null) return { kind: 'order', order: { ...order, stdinFile: file } };
  // What it prints beside its stream must not be read as part of it.
  const errors = errorFile(paths.attempts, request);
  writePrivately(errors, '');
  return { kind: 'order', order: { ...order, stdinFile: file, errorFile: errors } };
}

/** How an agent is started, and what its program may see. Nothing is done here. */
export function surroundingsOf(request: OrderRequest, performer: Performer) {
  const launch = launchOf(request, performer);
  const chosen = { ...handedOn(request, performer), ...performer.agent.env, ...launch.env };
  return { launch, env: environmentOf(request, chosen) };
}

function launchOf(request: OrderRequest, performer: Performer): Launch {
  const { plan, task, attempt, paths, job, personal, talk, mostUsd } = request;
  const { kind, agent } = performer;
  return kind.launch(agent, {
    task: task.id,
    attempt,
    promptFile: promptFile(paths.attempts, request),
    model: (job.kind === 'review' ? undefined : task.keys.model) ?? agent.model ?? '',
    resume: talk?.kind === 'goes-on' ? talk.conversation.id : null,
    workspace: paths.tree,
    // When a kind asks for it: a plain command does not, and there may be thousands of them.
    get home() {
      return agentHome(paths.attempts, { kind: agent.kind, plan: plan.path, task: task.id });
    },
    hook: hookFor(request, performer),
    server: serverFor(request, performer),
    environment: personal,
    get isRoot() {
      return process.getuid?.() === 0;
    },
    ...(mostUsd === undefined ? {} : { mostUsd }),
  });
}

/** A program that cannot be called, or dies, must not let a call pass: exit code 2 blocks it. */
function hookFor({ job, settings, paths }: OrderRequest, { kind, agent }: Performer): string | null {
  const isReviewer = kind.hooks !== null && job.kind === 'review';
  if (!isReviewer && !isGoverned(kind, settings)) return null;
  return `${inShell(join(paths.commands, 'signalbox'))} hook ${agent.kind} || exit 2`;
}

/** A reviewer only looks; any other program would not know what to do with it. */
function serverFor({ job, paths, isOutside }: OrderRequest, { kind }: Performer): LaunchRequest['server'] {
  if (job.kind === 'review' || isOutside || kind.known === null) return null;
  return [join(paths.commands, 'signalbox'), 'mcp'];
}

const inShell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The keys that a coding agent documents, and where its service is. */
function handedOn({ personal }: OrderRequest, { kind }: Performer): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of kind.known?.variables ?? []) if (personal[name] !== undefined) found[name] = personal[name];
  return found;
}

function orderOf(request: OrderRequest, argv: StartOrder['argv'], env: StartOrder['env']): StartOrder {
  const { token, run, attempt, paths } = request;
  return { token, run, attempt, argv, cwd: paths.tree, env, outputFile: outputFile(paths.attempts, request) };
}

/** Signalbox itself performs a merge, with the environment of a check: it runs the checks of the task. */
export function orderMerge(request: OrderRequest, order: object): StartOrder {
  const { paths } = request;
  const file = mergeFile(paths.attempts, request);
  writePrivately(file, `${JSON.stringify(order)}\n`);
  return orderOf(request, [join(paths.commands, 'signalbox'), 'merge-work', file], environmentOf(request, {}));
}

/** The task's own over the agent's; ours over all, because commands inside the attempt rely on them. */
function environmentOf(request: OrderRequest, agentEnv: AgentSettings['env']): Record<string, string> {
  const { plan, task, attempt, paths, environment, job } = request;
  const isReview = job.kind === 'review';
  const chosen: Record<string, string> = { ...agentEnv, ...(isReview ? {} : task.keys.env) };
  return {
    ...identityBeside(chosen, request),
    ...chosen,
    PATH: pathWith(paths.commands, chosen.PATH ?? environment.PATH),
    SIGNALBOX_WORKSPACE: paths.workspace,
    SIGNALBOX_TREE: paths.tree,
    SIGNALBOX_STATE: paths.state,
    SIGNALBOX_PLAN: plan.path,
    SIGNALBOX_TASK: task.id,
    // A reviewer is somebody else: what the attempt may do is not for it to do.
    ...(isReview
      ? { SIGNALBOX_AGENT: `review of ${attempt}` }
      : { SIGNALBOX_ATTEMPT: attempt, SIGNALBOX_AGENT: attempt }),
    // SIGNALBOX_TOKEN is set by the host that starts it: it also marks its processes.
  };
}

/** Half of two identities is nobody's. */
const identityBeside = (chosen: Record<string, string>, { identity = {} }: OrderRequest) =>
  Object.keys(identity).some((name) => name in chosen) ? {} : identity;

const missing = (program: string, message: string): PreparedOrder => ({ kind: 'missing', program, message });
