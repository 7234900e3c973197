// Opens the door to work by hand. The store and the plan are opened when a method needs them.

import { commandLine } from '../../core/model/command-line.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import { placesOf } from '../../status/output-places.ts';
import { statusFile } from '../../status/status-file.ts';
import type { StoreWithStatus } from '../../status/store-with-status.ts';
import type { Store } from '../../store/store.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { UnknownTask } from '../look/find-task.ts';
import { viewPlan } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';
import { findFindings, writeFindings } from './findings.ts';
import { HandDesk, type HandParts } from './hand-desk.ts';
import type { HandDoor } from './hand-door.ts';
import { completeHandRun, startHandRun } from './hand-runs.ts';
import { planFiles } from './plan-files.ts';

export interface DoorParts extends Omit<HandParts, 'store' | 'path' | 'user'> {
  readonly workspace: Workspace;
  readonly user: () => string;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly loaded: (path: PlanPath) => Promise<StoreWithStatus>;
  readonly existing: () => Promise<Store | null>;
  readonly isRunning: (plan: PlanState) => boolean;
}

export function openHandDoor(door: DoorParts): HandDoor {
  const { workspace } = door;
  const open = async (plan: string | undefined) => {
    const path = await door.which(plan);
    const store = await door.loaded(path);
    const { cwd, env, isRunning } = door;
    const parts: HandParts = { workspace, cwd, env, isRunning, store, path, user: door.user() };
    return { parts, desk: new HandDesk(parts) };
  };
  /** Work on a task that somebody names. */
  const at = async <T>(plan: string | undefined, work: (opened: Awaited<ReturnType<typeof open>>) => Promise<T>) => {
    const opened = await open(plan);
    return mindingEdits(opened.parts, work(opened));
  };
  const find: HandDoor['findFindings'] = async (plan, task) => {
    const path = await door.which(plan);
    return viewPlan(workspace, await door.existing(), path, (state, found) =>
      findFindings(workspace, state, found, task),
    );
  };
  return {
    markStarted: (plan, task, options) => at(plan, ({ desk }) => desk.started(task, options)),
    markCompleted: (plan, task, options) => at(plan, ({ desk }) => desk.completed(task, options)),
    markFailed: (plan, task, options) => at(plan, ({ desk }) => desk.failed(task, options)),
    markSkipped: (plan, task, options) => at(plan, ({ desk }) => desk.skipped(task, options)),
    writeFindings: (plan, task, options) => at(plan, ({ parts }) => writeFindings(parts, task, options)),
    readFindings: async (plan, task) => {
      const found = await find(plan, task);
      if (found) return found;
      const instead = `write them: ${commandLine('write-findings', task)}`;
      throw new Refusal(2, `${task} has no findings yet`, { instead });
    },
    findFindings: find,
    startRun: async (plan) => {
      return startHandRun((await open(plan)).parts);
    },
    completeRun: async (plan, run) => {
      return completeHandRun((await open(plan)).parts, run);
    },
    detectStuck: async (plan, options) => {
      const { detectStuck, usualLimitMs } = await import('./detect-stuck.ts');
      const path = await door.which(plan);
      const known = await viewPlan(workspace, await door.existing(), path, ({ seq }) => seq > 1);
      // Looking creates nothing, and in a plan without events nobody is stuck.
      if (!known) return { plan: path, limitMs: options.limitMs ?? usualLimitMs, watched: 0, stuck: [] };
      return detectStuck((await open(plan)).parts, options);
    },
    outputs: async (plan) => {
      const path = await door.which(plan);
      const store = await door.existing();
      return store ? store.read((state) => placesOf(workspace, state.plans, path)) : placesOf(workspace, [], path);
    },
    load: async (plan) => {
      const path = await door.which(plan);
      const { files } = await door.loaded(path);
      await files.touch(path);
    },
    statusFile: async (plan, describeFailure) => {
      const { savedListReport } = await import('../saved/saved-work.ts');
      const path = await door.which(plan);
      const saved = savedListReport(workspace).saved.filter((work) => work.plan === path);
      const savedWork = saved.map(({ id }) => id);
      const store = await door.existing();
      const log = store?.workspace ?? '';
      return viewPlan(workspace, store, path, (state, found) =>
        statusFile(found, { seq: state.seq, log, isRunning: door.isRunning(found), savedWork, describeFailure }),
      );
    },
    planFiles: async () => {
      const store = await door.existing();
      const known = store ? await store.read((state) => [...state.plans.keys()]) : [];
      return planFiles(workspace, known);
    },
  };
}

/** An id that the loaded plan does not have may be new in the file. Then the answer is to reload it. */
async function mindingEdits<T>({ workspace, store, path }: HandParts, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnknownTask)) throw error;
    const loaded = await store.read((state) => state.plans.get(path)!.revision);
    if (readPlanFile(workspace, path).revision === loaded) throw error;
    throw new Refusal(2, `${error.message}: the file was edited since it was loaded`, {
      instead: 'see what is new: signalbox sync-check; load it: signalbox reload',
    });
  }
}
