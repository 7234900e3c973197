// Opens the door to work by hand. The store and the plan are opened when a method needs them.

import { failureInWords } from '../../agents/prompt/failure-in-words.ts';
import { isRequestKey } from '../../core/commands/request-key.ts';
import { commandLine } from '../../core/model/command-line.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import { placesOf } from '../../status/output-places.ts';
import { type StatusFile, type StatusWorld, statusFile } from '../../status/status-file.ts';
import type { StoreWithStatus } from '../../status/store-with-status.ts';
import { refuseUncompared } from '../act/refuse-uncompared.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { UnknownTask } from '../look/find-task.ts';
import { type Seen, viewPlan } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { FindingsReport, StuckReport } from '../reports/hand.ts';
import type { Workspace } from '../workspace.ts';
import { findFindings, writeFindings } from './findings.ts';
import { HandDesk, type HandParts } from './hand-desk.ts';
import type { HandDoor, KeyedMarkOptions } from './hand-door.ts';
import { completeHandRun, startHandRun } from './hand-runs.ts';
import { planFiles } from './plan-files.ts';

export interface DoorParts extends Omit<HandParts, 'store' | 'path' | 'user'> {
  readonly workspace: Workspace;
  readonly user: () => string;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly loaded: (path: PlanPath) => Promise<StoreWithStatus>;
  /** For looking: what can be read. */
  readonly sound: () => Promise<Seen>;
  readonly isRunning: (plan: PlanState) => boolean;
}

interface Opened {
  readonly parts: HandParts;
  readonly desk: HandDesk;
}

type Work<T> = (opened: Opened) => Promise<T>;
type Look<T> = Parameters<typeof viewPlan<T>>[3];

export function openHandDoor(door: DoorParts): HandDoor {
  const { workspace } = door;
  const open = async (plan: string | undefined): Promise<Opened> => {
    const path = await door.which(plan);
    const store = await door.loaded(path);
    const { cwd, env, isRunning, asker, command, warn } = door;
    const parts: HandParts = { workspace, cwd, env, isRunning, asker, command, warn, store, path, user: door.user() };
    return { parts, desk: new HandDesk(parts) };
  };
  /** Work on a task that somebody names. */
  const at = async <T>(plan: string | undefined, work: Work<T>) => {
    const opened = await open(plan);
    return mindingEdits(opened.parts, work(opened));
  };
  /** A key that cannot be one is refused before anything is opened. */
  const keyed: <T>(plan: string | undefined, options: KeyedMarkOptions, work: Work<T>) => Promise<T> = async (
    plan,
    { request },
    work,
  ) => {
    if (request !== undefined && !isRequestKey(request)) {
      throw new Refusal(2, 'a request key has 1 to 200 printable characters', {
        instead: 'choose a new key for each new call, for instance a UUID',
      });
    }
    return at(plan, work);
  };
  const find: HandDoor['findFindings'] = async (plan, task) => {
    const path = await door.which(plan);
    const look: Look<FindingsReport | null> = (state, found) => findFindings(workspace, state, found, task);
    return viewPlan(workspace, await door.sound(), path, look, door.warn);
  };
  return {
    markStarted: (plan, task, options) => keyed(plan, options, ({ desk }) => desk.started(task, options)),
    markCompleted: (plan, task, options) =>
      keyed(plan, options, async ({ parts, desk }) => {
        if (!options.withoutChecks) await refuseUncompared(workspace, parts, parts.path);
        return desk.completed(task, options);
      }),
    markFailed: (plan, task, options) => keyed(plan, options, ({ desk }) => desk.failed(task, options)),
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
      const { detectStuck, looksStuck } = await import('./detect-stuck.ts');
      const path = await door.which(plan);
      const seen = await door.sound();
      const parts = { ...door, path, user: door.user() };
      const isKnown = await seen.store?.read((state) => state.plans.has(path));
      if (isKnown && !options.mark) return detectStuck({ ...parts, store: seen.store! }, options);
      // Where the store does not know the plan or cannot be read, its files say who is at work.
      const look: Look<StuckReport | null> = (state, _, now) =>
        options.mark && state.seq > 1 ? null : looksStuck(parts, state, now, options);
      const seenInFiles = isKnown ? null : await viewPlan(workspace, seen, path, look, door.warn);
      // Marking is an act. In a plan without events nobody is stuck, and nothing is created.
      return seenInFiles ?? detectStuck((await open(plan)).parts, options);
    },
    outputs: async (plan) => {
      const path = await door.which(plan);
      const { store } = await door.sound();
      return store ? store.read((state) => placesOf(workspace, state.plans, path)) : placesOf(workspace, [], path);
    },
    load: async (plan) => {
      const path = await door.which(plan);
      const { files } = await door.loaded(path);
      await files.touch(path);
    },
    statusFile: async (plan) => {
      const path = await door.which(plan);
      const seen = await door.sound();
      const world: StatusWorld = {
        store: seen.store?.workspace ?? '',
        stateFolder: workspace.stateFolder,
        isRunning: door.isRunning,
        describeFailure: failureInWords,
      };
      const look: Look<StatusFile> = (state, found) => statusFile(state, found, world);
      return viewPlan(workspace, seen, path, look, door.warn);
    },
    planFiles: async () => {
      const { store } = await door.sound();
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
