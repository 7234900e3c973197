// The store of a workspace, with the status files beside it. Opened at its first use, and created only for a command that changes
// something. One that this user did not make here is shown and never acted on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failureInWords } from '../agents/prompt/failure-in-words.ts';
import type { PlanPath } from '../core/model/ids.ts';
import { storeClock } from '../runner/clock.ts';
import { runnerIsAlive } from '../runner/runner-alive.ts';
import { StatusFiles } from '../status/status-files.ts';
import { StoreWithStatus } from '../status/store-with-status.ts';
import { isUnreadable, Outage } from '../store/outage.ts';
import type { LastRun } from '../store/sqlite/last-runs.ts';
import type { SqliteOptions } from '../store/sqlite/open-sqlite.ts';
import type { Store } from '../store/store.ts';
import type { IsRunning } from './look/reports.ts';
import type { Seen } from './look/state-view.ts';
import { Refusal } from './refusal.ts';
import { letsReplace, openToAllRefusal, otherOwner } from './trust/owner.ts';
import { replaced, type Standing, StateRecord, unknown } from './trust/state-record.ts';
import { makeUserFolder } from './trust/user-folder.ts';
import type { Workspace } from './workspace.ts';

export interface StoreParts {
  readonly workspace: Workspace;
  readonly programVersion: string;
  readonly isRunning: IsRunning;
  readonly warn: (text: string) => void;
}

type Foreign = Extract<Standing, { readonly kind: 'foreign' }>;

/** Null: there is no state, or it cannot be read. */
export interface SoundStore {
  readonly store: StoreWithStatus | null;
  readonly broken: Outage | null;
  readonly uncompared: Exclude<Seen['uncompared'], undefined>;
}

export class StoreDoor {
  readonly record: StateRecord;
  readonly #parts: StoreParts;
  #opened: StoreWithStatus | null = null;
  /** What is opened was not made by this user here. */
  #foreign: Foreign | null = null;
  /** It was trusted, and nothing has acted on it since. */
  #isUncompared = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.record = new StateRecord(parts.workspace);
  }

  /** Null when there is no state and none was to be created. Acting on foreign state is refused. */
  async open(create: boolean): Promise<StoreWithStatus | null> {
    const store = await this.#find(create);
    if (store && create && this.#isUncompared) {
      const { notCompared } = await import('../core/commands/take-revision.ts');
      await store.transact((tx) => {
        for (const plan of [...tx.state.plans.values()]) tx.record(notCompared(plan));
      });
      // Not before: the log has to say it.
      this.record.claim(store.workspace);
      this.#isUncompared = false;
    }
    return store;
  }

  async #find(create: boolean): Promise<StoreWithStatus | null> {
    if (create && this.#foreign) throw foreignState(this.#parts.workspace, this.#foreign);
    if (this.#opened && !(create && (await isBroken(this.#opened)))) return this.#opened;
    const standing = this.record.standing();
    if (standing.kind === 'foreign') {
      const foreign = await this.#lookAt(standing, create);
      if (foreign || !create) return foreign;
      // Broken, or without anything in it: there is nothing to believe.
    } else if (standing.kind === 'none' && create) refuseForeignFolder(this.#parts.workspace);
    if (create) makeUserFolder(this.#parts.workspace.userFolder);
    const store = await this.#openSqlite({ create, onCreate: (id) => this.record.claim(id) });
    if (!store) return null;
    // Asked again: it may be new.
    const now = this.record.standing();
    if (now.kind === 'own' && now.store === store.workspace) {
      this.#isUncompared = now.isUncompared;
      return this.#keep(store);
    }
    await store.close();
    return this.#lookAt({ kind: 'foreign', because: replaced }, create);
  }

  /** For commands that only look: a database that cannot be read is none, and they show what the status files say. */
  async sound(): Promise<SoundStore> {
    try {
      const store = await this.open(false);
      await store?.read(() => undefined);
      return { store, broken: null, uncompared: this.#foreign ? 'foreign' : this.#isUncompared ? 'trusted' : null };
    } catch (error) {
      if (isUnreadable(error)) return { store: null, broken: error, uncompared: null };
      throw error;
    }
  }

  /** The store, opened as for a change, if it is there and knows the plan. One that is broken is set aside. */
  async knowing(path: PlanPath): Promise<StoreWithStatus | null> {
    if (!existsSync(join(this.#parts.workspace.stateFolder, 'state.db'))) return null;
    const store = await this.open(true);
    return store && (await store.read((state) => state.plans.has(path))) ? store : null;
  }

  /** Says whose the state is, where nothing of it is looked at. */
  mention(): void {
    const standing = this.record.standing();
    if (standing.kind === 'foreign') this.#note(standing);
  }

  /** The same where files of the state folder are shown: without a store too, they have to be ours. */
  async mentionFiles(): Promise<void> {
    if ((await this.sound()).store || this.record.isKnown()) return;
    if (existsSync(this.#parts.workspace.stateFolder)) this.#note({ kind: 'foreign', because: unknown });
  }

  /** For what acts without recording anything. */
  async refuseForeign(): Promise<void> {
    await this.open(false).catch(unlessBroken(true));
    if (this.#foreign) throw foreignState(this.#parts.workspace, this.#foreign);
  }

  /** For what acts on files of the state folder: without a store too, they have to be ours. */
  async refuseForeignFiles(): Promise<void> {
    await this.refuseForeign();
    if (this.#opened || this.record.isKnown()) return;
    throw foreignState(this.#parts.workspace, { kind: 'foreign', because: unknown });
  }

  /** Whose it is, when the database was looked into. */
  async standing(): Promise<Standing> {
    const store = await this.open(false);
    await store?.read(() => undefined);
    if (this.#foreign) return this.#foreign;
    return store ? { kind: 'own', store: store.workspace, isUncompared: this.#isUncompared } : { kind: 'none' };
  }

  /** Makes what is there this user's. Null: there is nothing to be trusted. */
  async trust(): Promise<{ readonly store: Store; readonly isNew: boolean } | null> {
    const standing = this.record.standing();
    if (standing.kind === 'none') {
      if (existsSync(this.#parts.workspace.stateFolder)) this.record.claim('');
      return null;
    }
    const known = await this.#openSqlite({ create: false, lookOnly: true });
    if (!known) return null;
    const isNew = standing.kind !== 'own' || standing.store !== known.workspace;
    if (isNew) this.record.claim(known.workspace, true);
    return { store: this.#keep(known), isNew };
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  /** To look. To act, it is refused if there is anything in it. */
  async #lookAt(foreign: Foreign, create: boolean): Promise<StoreWithStatus | null> {
    const { workspace } = this.#parts;
    const store = await this.#openSqlite({ create: false, lookOnly: true }).catch(unlessBroken(create));
    if (!store || (create && (await isBroken(store)))) return null;
    if (create) {
      await store.close();
      throw foreignState(workspace, foreign);
    }
    this.#foreign = foreign;
    this.#note(foreign);
    return this.#keep(store);
  }

  #note(foreign: Foreign): void {
    const { workspace, warn } = this.#parts;
    warn(`${foreignWords(workspace, foreign)}, so it is only shown. If it is yours: signalbox trust --state`);
  }

  async #openSqlite(options: Pick<SqliteOptions, 'create' | 'lookOnly' | 'onCreate'>): Promise<Store | null> {
    const { workspace, programVersion, warn } = this.#parts;
    const { openSqlite } = await import('../store/sqlite/open-sqlite.ts');
    const folder = workspace.stateFolder;
    const isAlive = (run: LastRun) => runnerIsAlive({ ...run, ended: null }, workspace.journalsFolder);
    return openSqlite({ folder, programVersion, clock: storeClock, isAlive, onNotice: warn, ...options });
  }

  #keep(store: Store): StoreWithStatus {
    const { workspace, isRunning, warn } = this.#parts;
    const files = new StatusFiles({ workspace, store, isRunning, describeFailure: failureInWords, warn });
    this.#opened = new StoreWithStatus(store, files);
    return this.#opened;
  }
}

function foreignState(workspace: Workspace, foreign: Foreign): Refusal {
  return new Refusal(2, `${foreignWords(workspace, foreign)}, so Signalbox does not act on it`, {
    instead:
      'if you made it, and it was moved, restored, or made by version 0.1.0: signalbox trust --state; if not, remove .signalbox',
  });
}

const foreignWords = ({ stateFolder }: Workspace, { because }: Foreign): string =>
  `the state in ${stateFolder} is not known as yours (${because})`;

/** What is made in the folder of another user, or where everybody can write, would be refused the next time. */
function refuseForeignFolder({ root, isGiven }: Workspace): void {
  if (isGiven) return;
  const other = otherOwner(root);
  if (other !== null) {
    throw new Refusal(2, `the folder ${root} belongs to another user (${other})`, {
      instead: `work as that user, or in a folder of yours; if you mean it: SIGNALBOX_WORKSPACE=${root}`,
    });
  }
  if (letsReplace(root)) throw openToAllRefusal(root, 'no state is made there', root);
}

/** What is broken has nothing to believe; who changes something sets it aside. */
const unlessBroken = (create: boolean) => (error: unknown) => {
  if (create && error instanceof Outage && error.kind === 'broken-database') return null;
  throw error;
};

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
