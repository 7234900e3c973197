// The status of a plan as a stream: now, then after each change, until the reader goes away. Wakes up when somebody commits,
// when the first store of the workspace or another plan file appears, and every few seconds: nobody records that a runner was
// killed.
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { StatusReport } from '../reports/status.ts';
import { Bell } from '../run/bell.ts';
import { stayAlive } from '../run/stay-alive.ts';
import type { StatusOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { type IsRunning, statusReport } from './reports.ts';
import { viewPlan } from './state-view.ts';

export interface WatchedPlan {
  readonly workspace: Workspace;
  readonly path: PlanPath;
  /** Null as long as nothing was ever recorded here. */
  readonly openStore: () => Promise<Store | null>;
  readonly isRunning: IsRunning;
  /** What lies beside the plan and could not be used. */
  readonly warn: (text: string) => void;
}

const unrecordedMs = 3_000;
/** A busy run commits hundreds of times a second; nobody reads that often. */
const quickestMs = 100;

export async function* statusStream(
  plan: WatchedPlan,
  { signal, ...options }: StatusOptions & { readonly signal?: AbortSignal },
): AsyncGenerator<StatusReport> {
  const bell = new Bell();
  const ring = () => bell.ring();
  const leave = stayAlive();
  const heartbeat = setInterval(ring, unrecordedMs);
  let store = await plan.openStore();
  let unwatch = store ? store.watch(ring) : watchFiles(plan, ring);
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
      if (!store) {
        store = await plan.openStore();
        unwatch();
        // The folder of the state may be there now, and the store in it a moment later.
        unwatch = store ? store.watch(ring) : watchFiles(plan, ring);
      }
      const look = (_: unknown, found: PlanState) => statusReport(found, plan.isRunning, options);
      const report = await viewPlan(plan.workspace, store, plan.path, look, warnOnce);
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
