// What programs import from the package: the commands about the state of a plan as functions, and the rules of the core for lists of
// tasks. Its types are written down in types/library.d.ts, and a test holds the two against each other.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HandRunReport, MarkReport } from '../api/hand/hand-reports.ts';
import type { OpenedSignalbox } from '../api/open-signalbox.ts';
import { Refusal } from '../api/refusal.ts';
import type { NextReport, ProgressReport, StatusReport } from '../api/signalbox.ts';
import { describeFailure } from '../cli/describe-failure.ts';
import type { StatusFile } from '../status/status-file.ts';

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
  /** The workspace is looked for from here upward; the current folder by default. */
  readonly cwd?: string;
  /** Who does it, for the log; SIGNALBOX_AGENT or the user by default. */
  readonly by?: string;
}

async function withBox<T>(
  { cwd = process.cwd(), by }: Options,
  work: (box: OpenedSignalbox) => Promise<T>,
): Promise<T> {
  const { openSignalbox } = await import('../api/open-signalbox.ts');
  const box = await openSignalbox({
    cwd,
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

export const getActivePlanPath = (options: Options = {}): Promise<string | null> =>
  withBox(options, async (box) => (await box.plans()).current);

export const getOutputDir = (plan: string, options: Options = {}): Promise<string> =>
  withBox(options, async (box) => (await (await box.hand()).outputs(plan)).folder);

export const getStatusPath = async (plan: string, options: Options = {}): Promise<string> =>
  join(await getOutputDir(plan, options), 'status.json');

export const loadStatus = (plan: string, options: Options = {}): Promise<StatusFile> =>
  withBox(options, async (box) => (await box.hand()).statusFile(plan, describeFailure));

export const initializePlanStatus = (plan: string, options: Options = {}): Promise<StatusFile> =>
  withBox(options, async (box) => {
    await (await box.hand()).load(plan);
    return (await box.hand()).statusFile(plan, describeFailure);
  });

export interface MarkOptions extends Options {
  readonly reason?: string;
  /** Against the rules: recorded as a decision. */
  readonly force?: boolean;
}

export const markTaskStarted = (plan: string, task: string, options: MarkOptions = {}): Promise<MarkReport> =>
  withBox(options, async (box) => (await box.hand()).markStarted(plan, task, options));

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
  withBox(options, async (box) => (await box.hand()).markCompleted(plan, task, options));

export const markTaskFailed = (
  plan: string,
  task: string,
  error: string,
  options: MarkOptions = {},
): Promise<MarkReport> =>
  withBox(options, async (box) => (await box.hand()).markFailed(plan, task, { ...options, error }));

export interface SkipOptions extends MarkOptions {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}

export const markTaskSkipped = (plan: string, task: string, options: SkipOptions = {}): Promise<MarkReport> =>
  withBox(options, async (box) => (await box.hand()).markSkipped(plan, task, options));

export const getNextTasks = (plan: string, count = 5, options: Options = {}): Promise<NextReport['tasks']> =>
  withBox(options, async (box) => (await box.next(plan, count)).tasks);

export const getProgress = (plan: string, options: Options = {}): Promise<ProgressReport> =>
  withBox(options, (box) => box.progress(plan));

export const getStatusSummary = (plan: string, options: Options = {}): Promise<StatusReport> =>
  withBox(options, (box) => box.status(plan));

export interface FindingsOptions extends Options {
  readonly append?: boolean;
}

/** Returns the file that was written. */
export const writeFindings = (
  plan: string,
  task: string,
  text: string,
  options: FindingsOptions = {},
): Promise<string> =>
  withBox(options, async (box) => {
    const { file } = await (await box.hand()).writeFindings(plan, task, { text, append: options.append ?? false });
    return join(box.root, file);
  });

/** Null: nothing was written about it. */
export const readFindings = (plan: string, task: string, options: Options = {}): Promise<string | null> =>
  withBox(options, async (box) => (await (await box.hand()).findFindings(plan, task))?.text ?? null);

/** Returns the name of the run. */
export const startRun = (plan: string, options: Options = {}): Promise<string> =>
  withBox(options, async (box) => (await (await box.hand()).startRun(plan)).run);

export const completeRun = (plan: string, run?: string, options: Options = {}): Promise<HandRunReport> =>
  withBox(options, async (box) => (await box.hand()).completeRun(plan, run));
