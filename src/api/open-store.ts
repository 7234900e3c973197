// The store of a workspace, with the status files beside it. Opened at its first use, and created only for a command that changes something.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failureInWords } from '../agents/prompt/prompt.ts';
import type { PlanPath } from '../core/model/ids.ts';
import { SystemClock } from '../runner/clock.ts';
import { runnerIsAlive } from '../runner/runner-alive.ts';
import { StatusFiles } from '../status/status-files.ts';
import { StoreWithStatus } from '../status/store-with-status.ts';
import { Outage } from '../store/outage.ts';
import type { LastRun } from '../store/sqlite/last-runs.ts';
import type { Store } from '../store/store.ts';
import type { IsRunning } from './look/reports.ts';
import type { Workspace } from './workspace.ts';

export interface StoreParts {
  readonly workspace: Workspace;
  readonly programVersion: string;
  readonly isRunning: IsRunning;
  readonly warn: (text: string) => void;
}

export class StoreDoor {
  readonly #parts: StoreParts;
  #opened: StoreWithStatus | null = null;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /** Null when there is no state and none was to be created. */
  async open(create: boolean): Promise<StoreWithStatus | null> {
    if (this.#opened && !(create && (await isBroken(this.#opened)))) return this.#opened;
    const { workspace, programVersion, isRunning, warn } = this.#parts;
    const { openSqlite } = await import('../store/sqlite/open-sqlite.ts');
    const clock = new SystemClock();
    const folder = workspace.stateFolder;
    const isAlive = (run: LastRun) => runnerIsAlive({ ...run, ended: null }, workspace.journalsFolder);
    const store = await openSqlite({ folder, create, programVersion, clock, isAlive, onNotice: warn });
    const files = store && new StatusFiles({ workspace, store, isRunning, describeFailure: failureInWords, warn });
    this.#opened = files && new StoreWithStatus(store, files);
    return this.#opened;
  }

  /** The store, opened as for a change, if it is there and knows the plan. One that is broken is set aside. */
  async knowing(path: PlanPath): Promise<StoreWithStatus | null> {
    if (!existsSync(join(this.#parts.workspace.stateFolder, 'state.db'))) return null;
    const store = await this.open(true);
    return store && (await store.read((state) => state.plans.has(path))) ? store : null;
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }
}

/** A look found the database broken; the next command that changes something sets it aside. */
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
