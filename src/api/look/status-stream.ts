// The status of a plan as a stream: now, then after each change, until the reader goes away. Wakes up when somebody commits,
// when the first store of the workspace or another plan file appears, and every few seconds: nobody records that a runner was
// killed.
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { attemptsFolderOf, errorFile, outputFile } from '../../agents/process/attempt-files.ts';
import { lastAction } from '../../agents/stream/last-action.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { StatusReport } from '../reports/status.ts';
import { Bell } from '../run/bell.ts';
import { stayAlive } from '../run/stay-alive.ts';
import type { StatusOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { type ActionOf, type IsRunning, statusReport } from './reports.ts';
import { type Seen, viewPlan } from './state-view.ts';

export interface WatchedPlan {
  readonly workspace: Workspace;
  readonly path: PlanPath;
  /** No store as long as nothing was ever recorded here, or while it cannot be read. */
  readonly look: () => Promise<Seen>;
  readonly isRunning: IsRunning;
  /** What lies beside the plan and could not be used. */
  readonly warn: (text: string) => void;
}

const unrecordedMs = 3_000;
/** What agents do is recorded nowhere either. */
const actionsMs = 1_000;
/** A busy run commits hundreds of times a second; nobody reads that often. */
const quickestMs = 100;

export async function statusNow(plan: WatchedPlan, options: StatusOptions = {}): Promise<StatusReport> {
  return reportOf(plan, await plan.look(), options, plan.warn);
}

function reportOf(
  { workspace, path, isRunning }: WatchedPlan,
  seen: Seen,
  options: StatusOptions,
  warn: (text: string) => void,
): Promise<StatusReport> {
  const actionOf = seen.store ? actionsIn(workspace, seen.store) : undefined;
  const look = (state: State, found: PlanState) => statusReport(state, found, isRunning, options, actionOf);
  return viewPlan(workspace, seen, path, look, warn);
}

const actionsIn = (workspace: Workspace, store: Store): ActionOf => {
  const folder = attemptsFolderOf(workspace, store);
  return (live) => (existsSync(errorFile(folder, live)) ? lastAction(outputFile(folder, live), workspace.root) : null);
};

export async function* statusStream(
  plan: WatchedPlan,
  { signal, ...options }: StatusOptions & { readonly signal?: AbortSignal },
): AsyncGenerator<StatusReport> {
  const bell = new Bell();
  const ring = () => bell.ring();
  const leave = stayAlive();
  const heartbeat = setInterval(ring, unrecordedMs);
  let soon: NodeJS.Timeout | undefined;
  let seen = await plan.look();
  let unwatch = seen.store ? seen.store.watch(ring) : watchFiles(plan, ring);
  signal?.addEventListener('abort', ring);
  try {
    let shown = '';
    const told = new Set<string>();
    const warnOnce = (text: string) => {
      if (!told.has(text)) plan.warn(text);
      told.add(text);
    };
    while (!signal?.aborted) {
      const rung = bell.next();
      if (!seen.store) {
        seen = await plan.look();
        unwatch();
        // The folder of the state may be there now, and the store in it a moment later.
        unwatch = seen.store ? seen.store.watch(ring) : watchFiles(plan, ring);
      }
      const report = await reportOf(plan, seen, options, warnOnce);
      clearTimeout(soon);
      if (report.tasks.some(({ action }) => action !== undefined)) soon = setTimeout(ring, actionsMs);
      const text = JSON.stringify(report);
      if (text !== shown) {
        shown = text;
        yield report;
        await pause(quickestMs, signal);
      }
      if (!signal?.aborted) await rung;
    }
  } finally {
    unwatch();
    clearInterval(heartbeat);
    clearTimeout(soon);
    leave();
    signal?.removeEventListener('abort', ring);
  }
}

/** Before anything is recorded the plan file is all there is. */
function watchFiles({ workspace, path }: WatchedPlan, changed: () => void): () => void {
  const watchers: FSWatcher[] = [];
  const { root, stateFolder } = workspace;
  for (const folder of new Set([root, stateFolder, dirname(join(root, path))])) {
    try {
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // No such folder yet, no watcher left, or a file system without any: the look every few seconds is still there.
    }
  }
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
