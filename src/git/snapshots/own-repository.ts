// A repository of our own below `.signalbox`, in which git looks at the files of the workspace. Its index, its objects and its
// attributes are ours, it has no hooks, and no configuration of a person counts. Each call may be killed: nothing here is the only
// copy of anything.
import { randomBytes } from 'node:crypto';
import { copyFileSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitPlace } from '../git.ts';
import { GitCaller, GitTrouble } from '../git-caller.ts';

export interface SnapshotPlace extends GitPlace {
  /** `.signalbox` */
  readonly folder: string;
  /** Whether it never counts, by its path from the root. */
  readonly isApart: (path: Buffer) => boolean;
}

/** No attribute of the workspace changes what a file is taken for: no filter, no other encoding, no "this is no text". */
const attributes = '* -text -ident !filter !eol !working-tree-encoding !diff !merge\n';

const settings = [
  ['core.quotePath', 'false'],
  ['core.autocrlf', 'false'],
  // What a power cut takes away is only a comparison.
  ['core.fsync', 'none'],
  ['core.looseCompression', '1'],
] as const;

export class OwnRepository extends GitCaller {
  readonly folder: string;

  constructor(place: SnapshotPlace) {
    const folder = join(place.folder, 'git');
    const variables = { GIT_DIR: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    super(place, { variables, settings });
    this.folder = folder;
  }

  /** @param objects of the workspace's own repository: what is there need not be kept twice */
  async prepare(objects: string | null): Promise<void> {
    if (!this.exists) await this.#create();
    if (!lstatSync(this.folder).isDirectory()) throw new GitTrouble(`${this.folder} is no plain folder`);
    writeFileSync(join(this.folder, 'objects/info/alternates'), objects === null ? '' : `${objects}\n`);
  }

  /** Made beside it and moved: two may begin at once, and a killed one leaves nothing that looks like a repository. */
  async #create(): Promise<void> {
    const draft = `${this.folder}.${process.pid}-${randomBytes(6).toString('hex')}`;
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    try {
      await this.run({ args: ['init', '-q', '--bare', '--template='], variables: { GIT_DIR: draft } });
      for (const folder of ['info', 'objects/info']) mkdirSync(join(draft, folder), { recursive: true });
      writeFileSync(join(draft, 'info/attributes'), attributes);
      renameSync(draft, this.folder);
    } catch (error) {
      if (!this.exists) throw error;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }

  get exists(): boolean {
    return statSync(this.folder, { throwIfNoEntry: false }) !== undefined;
  }

  /**
   * An index that remembers the files of its last use: only changed ones are read. Several may work at once: each has a copy, and the
   * last one stays.
   */
  async withIndex<T>(name: string, work: (index: string) => Promise<T>): Promise<T> {
    const kept = join(this.folder, `index-${name}`);
    if (!statSync(kept, { throwIfNoEntry: false })) return this.withNewIndex(work, kept);
    try {
      return await this.withNewIndex((index) => {
        copyWithTime(kept, index);
        return work(index);
      }, kept);
    } catch (error) {
      if (!(error instanceof GitTrouble)) throw error;
      // It remembers files whose contents the repository of the workspace has thrown away.
      return this.withNewIndex(work, kept);
    }
  }

  /** @param keep where it goes when the work is done; absent: nowhere */
  async withNewIndex<T>(work: (index: string) => Promise<T>, keep?: string): Promise<T> {
    const own = join(this.folder, `working-${process.pid}-${randomBytes(6).toString('hex')}`);
    try {
      const done = await work(own);
      if (keep !== undefined) renameSync(own, keep);
      return done;
    } finally {
      for (const file of [own, `${own}.lock`]) rmSync(file, { force: true });
    }
  }
}

/** Git tells by the time of the index which files it has to read again; a later one would hide a change. */
function copyWithTime(from: string, to: string): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
