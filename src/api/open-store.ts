// The store of a workspace, opened at its first use and only created for what changes something; with the files that are kept in step with it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanPath } from '../core/ids.ts';
import { SystemClock } from '../runner/clock.ts';
import { Outage } from '../store/outage.ts';
import type { Store, StoreOptions } from '../store/store.ts';
import type { IsRunning } from './reports.ts';
import { StatusFiles } from './status/status-files.ts';
import { StoreWithStatus } from './status/store-with-status.ts';
import type { Workspace } from './workspace.ts';

export interface StoreParts {
  readonly workspace: Workspace;
  readonly programVersion: string;
  readonly isRunning: IsRunning;
  readonly warn: (text: string) => void;
  readonly late: boolean;
}

export class StoreDoor {
  readonly #parts: StoreParts;
  #opened: StoreWithStatus | null = null;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /** Null when there is no state and none was to be created. */
  async open(create: boolean, options: { readonly lean?: boolean } = {}): Promise<StoreWithStatus | null> {
    if (this.#opened && !(create && (await isBroken(this.#opened)))) return this.#opened;
    const { workspace, programVersion, isRunning, warn, late } = this.#parts;
    const { openSqlite } = await import('../store/sqlite/open-sqlite.ts');
    const clock = new SystemClock();
    const folder = workspace.stateFolder;
    const store = await openSqlite({ folder, create, programVersion, clock, onNotice: warn, late, ...options });
    const files = store && new StatusFiles({ workspace, store, isRunning, warn });
    this.#opened = files && new StoreWithStatus(store, files);
    return this.#opened;
  }

  /** The store, opened as for a change, if it is there and knows the plan. One that is broken is set aside. */
  async knowing(path: PlanPath): Promise<StoreWithStatus | null> {
    if (!existsSync(join(this.#parts.workspace.stateFolder, 'state.db'))) return null;
    const store = await this.open(true);
    return store && (await store.read((state) => state.plans.has(path))) ? store : null;
  }

  /** A connection of its own, for whoever wants to look at the same database in another way, and closes it. */
  async another(options: StoreOptions): Promise<Store | null> {
    const { workspace, programVersion } = this.#parts;
    const { openSqlite } = await import('../store/sqlite/open-sqlite.ts');
    const clock = new SystemClock();
    return openSqlite({ folder: workspace.stateFolder, create: false, programVersion, clock, ...options });
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }
}

/** Opened for looking, and found to be of no use: whoever changes something sets it aside. */
async function isBroken(store: Store): Promise<boolean> {
  try {
    await store.read(() => undefined);
    return false;
  } catch (error) {
    if (!(error instanceof Outage && error.kind === 'broken-database')) throw error;
    await store.close();
    return true;
  }
}
