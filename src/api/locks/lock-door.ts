// The lock commands, each with no more of the state than it needs.
import { resolve } from 'node:path';
import { createState } from '../../core/evolve.ts';
import type { State } from '../../core/state.ts';
import { anythingToReap } from '../../runner/reap-locks.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import type { Workspace } from '../workspace.ts';
import { type DeskParts, LockDesk } from './lock-desk.ts';
import { lockKey } from './lock-key.ts';
import type { LockDoor } from './lock-reports.ts';
import { type StepWorld, tidyUp } from './lock-steps.ts';
import { lockCheck, lockList } from './lock-view.ts';

export interface LockDoorParts extends Pick<DeskParts, 'cwd' | 'env' | 'isRunning'> {
  readonly workspace: Workspace;
  readonly user: () => string;
  readonly looking: Parameters<typeof lockList>[1];
  /** Without its plans; null: there is none, and none is to be made. */
  readonly open: (create: boolean) => Promise<Store | null>;
  /** With its plans. */
  readonly whole: () => Promise<Store | null>;
}

export function lockDoor(parts: LockDoorParts): LockDoor {
  const { workspace, cwd, looking, open, whole } = parts;
  const look = async <T>(at: (state: State) => T): Promise<T> => lookAt(await open(false), at, looking);
  const desk = () => openDesk(parts);
  return {
    try: async (resources, options) => (await desk()).try(resources, options),
    wait: async (resources, options) => (await desk()).wait(resources, options),
    release: async (resources, options) => (await desk()).release(resources, options),
    releaseAll: async (options) => (await desk()).releaseAll(options),
    check: async (resource, { shared }) => {
      const key = lockKey(resource, { root: workspace.root, cwd });
      return look((state) => lockCheck(state, { key, mode: shared ? 'shared' : 'exclusive' }, looking));
    },
    list: () => look((state) => lockList(state, looking)),
    waits: async ({ format, out }) => {
      const { waitReport } = await import('./wait-report.ts');
      const report = await lookAt(await whole(), waitReport, looking);
      if (format === undefined) return { ...report, picture: null };
      const { drawWaits } = await import('../graph/draw-waits.ts');
      const text = drawWaits(report, format);
      const { writePicture } = await import('../graph/write-picture.ts');
      if (out !== undefined) writePicture(resolve(cwd, out), text);
      return { ...report, picture: { format, text, file: out ?? null } };
    },
  };
}

/** The dead are not shown: whoever looks first ends what they have left, and where that cannot be written, it is shown. */
async function lookAt<T>(store: Store | null, at: (state: State) => T, world: StepWorld): Promise<T> {
  if (!store) return at(createState());
  if (await store.read((state, now) => anythingToReap(state, now, world.isGone))) {
    await store
      .transact((tx) => tidyUp(tx, world))
      .catch((error: unknown) => {
        if (!(error instanceof Outage)) throw error;
      });
  }
  return store.read(at);
}

async function openDesk({ workspace, cwd, env, user, isRunning, open }: LockDoorParts): Promise<LockDesk> {
  const store = (await open(true))!;
  return new LockDesk({
    store,
    root: workspace.root,
    cwd,
    env,
    user: user(),
    isRunning,
    // Loaded only for attempts that got a file: its modules for cryptography and streams cost every small command 10 ms.
    keepBeforeImage: async (token, keys) => {
      const { filesOfAttempts } = await import('./files-of-attempts.ts');
      await filesOfAttempts(workspace, store).take(token, keys);
    },
    letGoOfImage: async ({ token, keys, held }) => {
      const { filesOfAttempts } = await import('./files-of-attempts.ts');
      await filesOfAttempts(workspace, store).release(token, keys, held);
    },
  });
}
