// Work on a branch in the form of saved copies, for as long as somebody looks at it or restores it: then one way of showing and of
// restoring serves both.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOf, onDisk } from '../../files/disk/disk-name.ts';
import { isTreePath } from '../../files/disk/tree-path.ts';
import { type FileState, modeOf, statsOf } from '../../files/file-state.ts';
import { contentFile, type SavedFile, type SavedManifest } from '../../files/saved-manifest.ts';
import { type ChangedEntry, changedEntries, isAbsent, type Version } from '../../git/commits/changed-entries.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { withTreeNow } from '../../git/trees/tree-now.ts';
import type { UnmergedWork } from './unmerged-work.ts';

export interface Copies {
  /** As `.signalbox` is, with this one in it. */
  readonly stateFolder: string;
  readonly id: string;
}

export interface CopyRequest {
  readonly repository: GitCaller;
  readonly work: UnmergedWork;
  /** Where the files belong: the top of the person's tree. */
  readonly root: string;
  readonly isApart: (path: Buffer) => boolean;
}

export async function withCopies<T>(request: CopyRequest, use: (copies: Copies) => Promise<T>): Promise<T> {
  const { repository, work, isApart } = request;
  const stateFolder = mkdtempSync(join(tmpdir(), 'signalbox-work-'));
  try {
    const copies = { stateFolder, id: 'work' };
    if (work.tree === null) await writeCopies(request, copies, { to: work.head, variables: {} });
    else
      await withTreeNow(repository, { folder: work.tree, isApart }, ({ tree, variables }) =>
        writeCopies(request, copies, { to: tree, variables }),
      );
    return await use(copies);
  } finally {
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

interface Target {
  readonly to: string;
  readonly variables: Readonly<Record<string, string>>;
}

async function writeCopies(
  { repository, work, root, isApart }: CopyRequest,
  { stateFolder, id }: Copies,
  { to, variables }: Target,
): Promise<void> {
  mkdirSync(join(stateFolder, 'saved', id, 'content'), { recursive: true, mode: 0o700 });
  const blob = async (object: string): Promise<Buffer> => {
    const { bytes, cut } = await repository.run({
      args: ['cat-file', 'blob', object],
      variables,
      mostBytes: mostBytes,
    });
    if (cut) throw new GitTrouble('a file of it is too large');
    return bytes;
  };
  const entries = await changedEntries(repository, ['diff-tree', '-r', '--no-renames', work.base, to], { variables });
  const files: SavedFile[] = [];
  for (const entry of entries) {
    const path = nameOf(entry.path);
    if (isApart(entry.path) || !isTreePath(path)) continue;
    const before = await stateIn(entry.before, { root, path, blob });
    const saved = await stateIn(entry.after, { root, path, blob });
    const content = saved.kind === 'file' ? `${files.length + 1}` : null;
    if (content !== null)
      writeFileSync(contentFile(stateFolder, id, content), await blob(entry.after.object), { mode: 0o600 });
    files.push({
      path,
      was: whatBecame(entry),
      mode: saved.kind === 'file' ? saved.mode : null,
      saved,
      content,
      before,
    });
  }
  const manifest: SavedManifest = {
    ...{ version: 1, id, token: '', attempt: work.attempt, task: work.task, plan: work.plan },
    ...{ at: new Date(work.at).toISOString(), reason: work.reason, files },
  };
  writeFileSync(join(stateFolder, 'saved', id, 'manifest.json'), JSON.stringify(manifest), { mode: 0o600 });
}

const mostBytes = 1024 * 1024 * 1024;

const whatBecame = ({ before, after }: ChangedEntry): SavedFile['was'] =>
  isAbsent(before) ? 'new' : isAbsent(after) ? 'deleted' : 'changed';

interface Place {
  readonly root: string;
  readonly path: string;
  readonly blob: (object: string) => Promise<Buffer>;
}

async function stateIn(version: Version, { root, path, blob }: Place): Promise<FileState> {
  if (isAbsent(version)) return { kind: 'absent' };
  // A submodule.
  if (version.mode === '160000') return { kind: 'special' };
  const bytes = await blob(version.object);
  if (version.mode === '120000') return { kind: 'symlink', target: nameOf(bytes) };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'file', mode: modeLike(root, path, version.mode === '100755'), size: bytes.length, sha256 };
}

/** Git keeps of a mode whether it can be run; the rest is as the file there has it. */
function modeLike(root: string, path: string, canRun: boolean): number {
  const stats = statsOf(onDisk(root, path));
  if (!stats?.isFile()) return canRun ? 0o755 : 0o644;
  const mode = modeOf(stats);
  return canRun ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}
