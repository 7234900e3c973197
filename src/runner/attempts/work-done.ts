// What an attempt did to the files of the workspace, looked at when it has ended: its locked files, what else changed, and what it wrote
// without a lock.
import type { Evidence, WriteFinding } from '../../core/model/failure.ts';
import { type BeforeImage, readBeforeImage } from '../../files/before-image.ts';
import { nameOf, shownName } from '../../files/disk/disk-name.ts';
import type { FileState } from '../../files/file-state.ts';
import { findDifferences } from '../../files/find-differences.ts';
import { differing, type TreeStamps, treeStamps } from '../../files/tree-stamps.ts';
import { changedSince } from '../../git/snapshots/snapshot.ts';
import type { Store } from '../../store/store.ts';
import type { RunSite } from '../run-site.ts';
import { snapshotPlace } from './attempt-snapshots.ts';
import { auditWrites, inTree } from './audit-writes.ts';
import { beforeName } from './files-of-attempts.ts';
import { type OwnChange, ownChange, type TreeChanges, withoutLitter } from './own-changes.ts';
import type { LockedFiles } from './reviewer-changes.ts';

export interface WorkDoneParts {
  readonly site: RunSite;
  readonly store: Store;
  readonly environment: Readonly<Record<string, string>>;
  /** What commands wrote that were not over when the attempt ended. */
  readonly auditLeft: (token: number) => Promise<readonly WriteFinding[]>;
}

export interface Told {
  /** As the agent spells them. */
  readonly writes: readonly string[];
  /** Neither its stream nor its hooks tell of a call. */
  readonly isIdle: boolean;
  /** What the files were when it began, where git could not keep them. */
  readonly before: TreeStamps | null;
  /** What its program writes by itself. */
  readonly isLitter: (path: string) => boolean;
}

const mostFiles = 50;

export class WorkDone {
  readonly #parts: WorkDoneParts;

  constructor(parts: WorkDoneParts) {
    this.#parts = parts;
  }

  async changes(
    token: number,
    { writes, isIdle, before, isLitter }: Told,
  ): Promise<{ readonly files: LockedFiles; readonly change: OwnChange }> {
    const files = await this.lockedFiles(token).catch(() => []);
    const hasLocked = files.length > 0;
    const changed = hasLocked || isIdle ? null : await this.treeChanges(token, before);
    const tree = changed && withoutLitter(changed, isLitter);
    // Read last: who began while the files were looked at may have changed them.
    const { found, isAccompanied } = await this.recorded(token);
    const own = this.inTree(writes);
    return { files, change: ownChange({ isIdle, isAccompanied, hasLocked, found, writes: own, tree }) };
  }

  async audit(token: number, writes: readonly string[]): Promise<NonNullable<Evidence['audit']> | null> {
    const { root, settings } = this.#parts.site;
    const { found } = await this.recorded(token);
    const left = await this.#parts.auditLeft(token).catch(() => []);
    return auditWrites({
      root,
      writes,
      image: this.#image(token),
      found: [...found, ...left],
      policy: settings.audit ?? 'report',
    });
  }

  async lockedFiles(token: number): Promise<LockedFiles> {
    const { site, store } = this.#parts;
    const image = readBeforeImage(site.stateFolder, beforeName(store, token));
    if (image === null) return [];
    const { files } = await findDifferences(site.root, image);
    return files
      .slice(0, mostFiles)
      .flatMap(({ path, stateBefore, now }) =>
        stateBefore === null ? [] : { file: shownName(path), before: hashOf(stateBefore), after: hashOf(now) },
      );
  }

  /** Null: nobody can tell. @param before what the files were, where git could not keep them */
  async treeChanges(token: number, before: TreeStamps | null): Promise<TreeChanges | null> {
    const { site, store, environment } = this.#parts;
    if (before !== null) {
      const after = await treeStamps(site.root);
      const paths = after === null ? null : differing(before, after).map(shownName);
      return paths && { paths, ignored: [], isCommitted: false };
    }
    const place = snapshotPlace(site, environment);
    const changed = await changedSince(place, beforeName(store, token)).catch(() => null);
    if (changed === null) return null;
    const [paths, ignored] = [changed.paths, changed.ignored].map((all) => all.map((path) => shownName(nameOf(path))));
    return { paths: paths!, ignored: ignored!, isCommitted: changed.isCommitted };
  }

  /** Those that lie in the workspace, from its root. */
  inTree(writes: readonly string[]): string[] {
    return writes.flatMap((file) => inTree(this.#parts.site.root, file) ?? []);
  }

  /** What nobody can look up is taken for the worse. */
  async recorded(token: number): Promise<{ readonly found: readonly WriteFinding[]; readonly isAccompanied: boolean }> {
    const live = await this.#parts.store.read((state) => ({ ...state.live.get(token) })).catch(() => null);
    return { found: live?.found ?? [], isAccompanied: live === null || live.accompanied === true };
  }

  /** Null: there is none, or somebody has damaged it, and it tells of no lock. */
  #image(token: number): BeforeImage | null {
    const { site, store } = this.#parts;
    try {
      return readBeforeImage(site.stateFolder, beforeName(store, token));
    } catch {
      return null;
    }
  }
}

function hashOf(state: FileState): string {
  if (state.kind === 'file') return `${state.sha256}:${state.mode.toString(8)}`;
  return state.kind === 'symlink' ? `link:${state.target}` : state.kind;
}
