// Opens what work by hand needs, when it is needed.
import type { PlanPath } from '../../core/ids.ts';
import type { PlanState } from '../../core/state.ts';
import { typed } from '../../core/typed.ts';
import type { Store } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';
import { viewPlan } from '../state-view.ts';
import { placesOf } from '../status/places-of.ts';
import type { StoreWithStatus } from '../status/store-with-status.ts';
import type { Workspace } from '../workspace.ts';
import { mindingEdits } from './edited-plan.ts';
import { findFindings, writeFindings } from './findings.ts';
import { HandDesk, type HandParts } from './hand-desk.ts';
import type { HandDoor } from './hand-reports.ts';

export interface DoorParts extends Omit<HandParts, 'store' | 'path' | 'user'> {
  readonly workspace: Workspace;
  readonly user: () => string;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly loaded: (path: PlanPath) => Promise<StoreWithStatus>;
  readonly existing: () => Promise<Store | null>;
  readonly isRunning: (plan: PlanState) => boolean;
}

export function handDoor(door: DoorParts): HandDoor {
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
    writeFindings: (plan, task, options) => at(plan, ({ parts, desk }) => writeFindings(parts, desk, task, options)),
    readFindings: async (plan, task) => {
      const found = await find(plan, task);
      if (found) return found;
      const instead = `write it with: ${typed('write-findings', task)}`;
      throw new Refusal(2, `nothing was written about ${task} yet`, { instead });
    },
    findFindings: find,
    startRun: async (plan) => {
      const { startHandRun } = await import('./hand-runs.ts');
      const { parts, desk } = await open(plan);
      return startHandRun(parts, desk);
    },
    completeRun: async (plan, run) => {
      const { completeHandRun } = await import('./hand-runs.ts');
      const { parts, desk } = await open(plan);
      return completeHandRun(parts, desk, run);
    },
    detectStuck: async (plan, options) => {
      const { detectStuck, usualLimitMs } = await import('./detect-stuck.ts');
      const path = await door.which(plan);
      const known = await viewPlan(workspace, await door.existing(), path, ({ seq }) => seq > 1);
      // Whoever only looks creates nothing, and where nothing was done nobody is stuck.
      if (!known) return { plan: path, limitMs: options.limitMs ?? usualLimitMs, watched: 0, stuck: [] };
      const { parts, desk } = await open(plan);
      return detectStuck(parts, desk, options);
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
      const { statusFile } = await import('../../status/status-file.ts');
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
      const { planFiles } = await import('./plan-files.ts');
      const store = await door.existing();
      const known = store ? await store.read((state) => [...state.plans.keys()]) : [];
      return planFiles(workspace, known);
    },
  };
}
