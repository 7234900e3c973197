// Opens the door to locks: asking, releasing and looking.

import { resolve } from 'node:path';
import { createState } from '../../core/state/evolve.ts';
import type { State } from '../../core/state/state.ts';
import { anythingToReap } from '../../runner/reap-locks.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import { actIn, type World } from '../act/act.ts';
import { drawWaits } from '../graph/draw-waits.ts';
import { writePicture } from '../graph/write-picture.ts';
import type { Workspace } from '../workspace.ts';
import { type DeskParts, LockDesk } from './lock-desk.ts';
import type { LockDoor } from './lock-door.ts';
import { lockKey } from './lock-key.ts';
import { lockCheck, lockList } from './lock-view.ts';
import { waitReport } from './wait-report.ts';

export interface LockDoorParts extends Pick<DeskParts, 'cwd' | 'env' | 'isRunning'> {
  readonly workspace: Workspace;
  readonly user: () => string;
  readonly looking: Parameters<typeof lockList>[1];
  /** Null: there is none, and none is to be made. */
  readonly open: (create: boolean) => Promise<Store | null>;
}

export function openLockDoor(parts: LockDoorParts): LockDoor {
  const { workspace, cwd, looking, open } = parts;
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
      const report = await look(waitReport);
      if (format === undefined) return { ...report, picture: null };
      const text = drawWaits(report, format);
      if (out !== undefined) writePicture(resolve(cwd, out), text);
      return { ...report, picture: { format, text, file: out ?? null } };
    },
  };
}

/** The dead are not shown: the first look ends what they left. If that cannot be written, they are shown. */
async function lookAt<T>(store: Store | null, at: (state: State) => T, world: World): Promise<T> {
  if (!store) return at(createState());
  if (await store.read((state, now) => anythingToReap(state, now, world.isGone))) {
    await store
      .transact((tx) => actIn(tx, world, () => undefined))
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
      const { filesOfAttempts } = await import('../../runner/attempts/files-of-attempts.ts');
      await filesOfAttempts(workspace, store).take(token, keys);
    },
    letGoOfImage: async ({ token, keys, held }) => {
      const { filesOfAttempts } = await import('../../runner/attempts/files-of-attempts.ts');
      await filesOfAttempts(workspace, store).release(token, keys, held);
    },
  });
}
