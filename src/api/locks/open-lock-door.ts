// Opens the door to locks: asking, releasing and looking.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createState } from '../../core/state/evolve.ts';
import type { State } from '../../core/state/state.ts';
import { anythingToReap } from '../../runner/reap-locks.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import { actIn, type World } from '../act/act.ts';
import { drawWaits } from '../graph/draw-waits.ts';
import { writePicture } from '../graph/write-picture.ts';
import { isolationOf } from '../hooks/attempt-isolation.ts';
import { refuseUnknown, type Seen } from '../look/state-view.ts';
import type { Workspace } from '../workspace.ts';
import { type DeskParts, LockDesk } from './lock-desk.ts';
import type { LockDoor, ReleaseOptions } from './lock-door.ts';
import { whoAsks } from './lock-identity.ts';
import { lockKey } from './lock-key.ts';
import { lockCheck, lockList } from './lock-view.ts';
import { waitReport } from './wait-report.ts';

export interface LockDoorParts extends Pick<DeskParts, 'cwd' | 'env' | 'isRunning'> {
  readonly workspace: Workspace;
  readonly user: () => string;
  readonly looking: Parameters<typeof lockList>[2];
  /** For looking: what can be read. */
  readonly sound: () => Promise<Seen>;
  readonly created: () => Promise<Store>;
}

export function openLockDoor(parts: LockDoorParts): LockDoor {
  const { workspace, cwd, looking, sound } = parts;
  const look = async <T>(at: (state: State, now: number) => T): Promise<T> => lookAt(await sound(), at, looking);
  const desk = async (resources: readonly string[], { agent, force }: ReleaseOptions) => {
    // What is refused before there is any state creates none.
    if (!existsSync(join(workspace.stateFolder, 'state.db'))) {
      for (const resource of resources) lockKey(resource, { root: workspace.root, cwd });
      if (!force) whoAsks(parts.env, agent, '');
    }
    return openDesk(parts, await parts.created());
  };
  /** Null: there is no state here, or not our own, and none is made. */
  const knownDesk = async () => {
    const { store, uncompared } = await sound();
    return store === null || uncompared === 'foreign' ? null : openDesk(parts, store);
  };
  return {
    try: async (resources, options) => (await desk(resources, options)).try(resources, options),
    wait: async (resources, options) => (await desk(resources, options)).wait(resources, options),
    release: async (resources, options) => (await desk(resources, options)).release(resources, options),
    releaseAll: async (options) => (await desk([], options)).releaseAll(options),
    signOfLife: async (options) => (await knownDesk())?.signOfLife(options) ?? false,
    leave: async (options) =>
      (await knownDesk())?.leave(options) ?? { owner: options.agent ?? '', released: [], notHeld: [] },
    check: async (resource, { shared }) => {
      const key = lockKey(resource, { root: workspace.root, cwd });
      return look((state) => lockCheck(state, { key, mode: shared ? 'shared' : 'exclusive' }, looking));
    },
    list: () => look((state, now) => lockList(state, now, looking)),
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
async function lookAt<T>({ store, broken }: Seen, at: (state: State, now: number) => T, world: World): Promise<T> {
  // Nobody may take it for a list of none.
  if (broken) refuseUnknown(broken, 'who holds which lock');
  if (!store) return at(createState(), 0);
  if (await store.read((state, now) => anythingToReap(state, now, world.isGone))) {
    await store
      .transact((tx) => actIn(tx, world, () => undefined))
      .catch((error: unknown) => {
        if (!(error instanceof Outage)) throw error;
      });
  }
  return store.read(at);
}

function openDesk({ workspace, cwd, env, user, isRunning }: LockDoorParts, store: Store): LockDesk {
  return new LockDesk({
    store,
    root: workspace.root,
    cwd,
    env,
    user: user(),
    isRunning,
    // Loaded only for attempts that got a file: its modules for cryptography and streams cost every small command 10 ms.
    keepBeforeImage: async (token, keys) => {
      if ((await store.read((state) => isolationOf(state, token))) !== null) return;
      const { filesOfAttempts } = await import('../../runner/attempts/files-of-attempts.ts');
      await filesOfAttempts(workspace, store).take(token, keys);
    },
    letGoOfImage: async ({ token, keys, held }) => {
      const { filesOfAttempts } = await import('../../runner/attempts/files-of-attempts.ts');
      await filesOfAttempts(workspace, store).release(token, keys, held);
    },
  });
}
