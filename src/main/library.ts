// What programs import from the package: the commands about the state of a plan as functions, and the rules of the core for lists of
// tasks. `npm run schema` writes types/library.d.ts from this file and from the schemas of its reports.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../api/refusal.ts';
import type { MarkReport, NextTask, PlanStatus, Progress, RunReport, StatusSummary } from '../api/reports/library.ts';
import type { Signalbox } from '../api/signalbox.ts';

export {
  calculateAvailableSlots,
  checkCircuitBreaker,
  detectPlanDeadlock,
  findReadyTasks,
} from '../api/library/pure-parts.ts';
export { WaitForGraph } from '../api/library/wait-for-graph.ts';
export { Outage } from '../store/outage.ts';
export { Refusal };

/** Put in by scripts/build.mjs from package.json. */
declare const __VERSION__: string;

export interface Options {
  /** Where the plan's path starts; the current folder by default. The workspace is looked for from the plan upward. */
  readonly cwd?: string;
  /** Who does it, for the log; SIGNALBOX_AGENT or the user by default. */
  readonly by?: string;
}

/** On the workspace of the plan, if one is named. */
async function withBox<T>(
  { cwd = process.cwd(), by, plan }: Options & { readonly plan?: string },
  work: (box: Signalbox) => Promise<T>,
): Promise<T> {
  const { openSignalbox } = await import('../api/open-signalbox.ts');
  const box = await openSignalbox({
    cwd,
    plan,
    env: by === undefined ? process.env : { ...process.env, SIGNALBOX_AGENT: by },
    programVersion: typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source',
    // Seen from dist/, where this file is when it runs.
    launcher: fileURLToPath(new URL('../bin/signalbox.cjs', import.meta.url)),
    nodePath: process.execPath,
  });
  try {
    return await work(box);
  } finally {
    await box.close();
  }
}

/** The plan that commands mean when none is named, relative to the workspace; null: none was set. */
export const getActivePlanPath = (options: Options = {}): Promise<string | null> =>
  withBox(options, async (box) => (await box.plans()).current);

/** The folder of what other programs read of the plan: absolute. */
export const getOutputDir = (plan: string, options: Options = {}): Promise<string> =>
  withBox({ ...options, plan }, async (box) => (await (await box.hand()).outputs(plan)).folder);

export const getStatusPath = async (plan: string, options: Options = {}): Promise<string> =>
  join(await getOutputDir(plan, options), 'status.json');

/** What status.json says, made from the log itself; creates nothing. */
export const loadStatus = (plan: string, options: Options = {}): Promise<PlanStatus> =>
  withBox({ ...options, plan }, async (box) => (await box.hand()).statusFile(plan));

/** Creates the state of the plan if there is none. What is done stays done. */
export const initializePlanStatus = (plan: string, options: Options = {}): Promise<PlanStatus> =>
  withBox({ ...options, plan }, async (box) => {
    await (await box.hand()).load(plan);
    return (await box.hand()).statusFile(plan);
  });

export interface MarkOptions extends Options {
  readonly reason?: string;
  /** Against the rules: recorded as a decision. */
  readonly force?: boolean;
}

/** Ids may be abbreviated while only one task begins so. */
export const markTaskStarted = (plan: string, task: string, options: MarkOptions = {}): Promise<MarkReport> =>
  withBox({ ...options, plan }, async (box) => (await box.hand()).markStarted(plan, task, options));

export interface CompleteOptions extends MarkOptions {
  readonly notes?: string;
  /** Leave the checks out: recorded as a decision. */
  readonly withoutChecks?: boolean;
  /** What the checks print, as it comes. */
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Runs the checks of the task first; `ok` is false, and nothing recorded, unless all are green. */
export const markTaskCompleted = (plan: string, task: string, options: CompleteOptions = {}): Promise<MarkReport> =>
  withBox({ ...options, plan }, async (box) => (await box.hand()).markCompleted(plan, task, options));

/** It counts as an attempt. */
export const markTaskFailed = (
  plan: string,
  task: string,
  error: string,
  options: MarkOptions = {},
): Promise<MarkReport> =>
  withBox({ ...options, plan }, async (box) => (await box.hand()).markFailed(plan, task, { ...options, error }));

export interface SkipOptions extends MarkOptions {
  /** Skip what needs it too. */
  readonly dependents?: boolean;
  /** Let what needs it go on. */
  readonly treatAsDone?: boolean;
}

/** Where others need it, one of `dependents` and `treatAsDone` has to be said. */
export const markTaskSkipped = (plan: string, task: string, options: SkipOptions = {}): Promise<MarkReport> =>
  withBox({ ...options, plan }, async (box) => (await box.hand()).markSkipped(plan, task, options));

/** By priority, then the current phase, then age; failed ones with attempts left come last. Five by default. */
export const getNextTasks = (plan: string, count = 5, options: Options = {}): Promise<readonly NextTask[]> =>
  withBox({ ...options, plan }, async (box) => (await box.next(plan, count)).tasks);

export const getProgress = (plan: string, options: Options = {}): Promise<Progress> =>
  withBox({ ...options, plan }, (box) => box.progress(plan));

export const getStatusSummary = (plan: string, options: Options = {}): Promise<StatusSummary> =>
  withBox({ ...options, plan }, (box) => box.status(plan));

export interface FindingsOptions extends Options {
  /** Behind what is there already, instead of in its place. */
  readonly append?: boolean;
}

/** Returns the file that was written: absolute. */
export const writeFindings = (
  plan: string,
  task: string,
  text: string,
  options: FindingsOptions = {},
): Promise<string> =>
  withBox({ ...options, plan }, async (box) => {
    const { file } = await (await box.hand()).writeFindings(plan, task, { text, append: options.append ?? false });
    return join(box.root, file);
  });

/** Null: nothing was written about it. */
export const readFindings = (plan: string, task: string, options: Options = {}): Promise<string | null> =>
  withBox({ ...options, plan }, async (box) => (await (await box.hand()).findFindings(plan, task))?.text ?? null);

/** Begins a run by hand and returns its name. */
export const startRun = (plan: string, options: Options = {}): Promise<string> =>
  withBox({ ...options, plan }, async (box) => (await (await box.hand()).startRun(plan)).run);

/** Without a run: the one by hand that goes on. */
export const completeRun = (plan: string, run?: string, options: Options = {}): Promise<RunReport> =>
  withBox({ ...options, plan }, async (box) => (await box.hand()).completeRun(plan, run));
