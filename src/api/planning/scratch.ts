// Where an agent that writes a plan works: a copy of the workspace in the user's own folder, thrown away afterwards. Neither the files of
// the person nor their repository are touched. Where git cannot make the copy, it works in the workspace, and what it changes is told.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listWords } from '../../core/model/count-words.ts';
import { pidIsAlive } from '../../files/disk/write-whole.ts';
import { differing, treeStamps } from '../../files/tree-stamps.ts';
import { copyWorkspace, GitTrouble } from '../../git/snapshots/snapshot.ts';
import { snapshotPlace } from '../../runner/attempts/attempt-snapshots.ts';
import { makeUserFolder } from '../trust/user-folder.ts';
import type { Workspace } from '../workspace.ts';

export interface Scratch {
  /** For prompts and output. */
  readonly folder: string;
  /** Where the agent works. */
  readonly root: string;
  /** What a person should know about their own files. */
  readonly notes: () => Promise<readonly string[]>;
  /** For what could not be written where it belongs. @returns where it is */
  readonly keep: (text: string) => string;
  readonly close: () => void;
}

export async function openScratch(
  workspace: Workspace,
  environment: Readonly<Record<string, string>>,
): Promise<Scratch> {
  const all = makeUserFolder(workspace.userFolder, 'planning');
  forgetDead(all);
  const folder = join(all, `${process.pid}-${randomBytes(4).toString('hex')}`);
  const tree = join(folder, 'tree');
  mkdirSync(tree, { recursive: true, mode: 0o700 });
  const keep = (text: string) => {
    const kept = join(all, `kept-${basename(folder)}`);
    // What the agent printed is there in any case.
    tryWrite(join(folder, 'plan.md'), text);
    renameSync(folder, kept);
    return kept;
  };
  const close = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const place = { ...snapshotPlace(workspace, environment), folder };
    return { folder, root: await copyWorkspace(place, tree), notes: async () => [], keep, close };
  } catch (error) {
    if (error instanceof GitTrouble) return { folder, keep, close, ...(await inPlace(workspace, error)) };
    close();
    throw error;
  }
}

async function inPlace({ root }: Workspace, { message }: GitTrouble): Promise<Pick<Scratch, 'root' | 'notes'>> {
  const before = await treeStamps(root);
  const notes = async () => {
    const after = before && (await treeStamps(root));
    if (!before || !after)
      return [`the agent worked in your files, and nobody knows whether it changed any: ${message}`];
    const changed = differing(before, after);
    return changed.length === 0
      ? []
      : [`the agent worked in your files (${message}), and changed ${listWords(changed, 10)}`];
  };
  return { root, notes };
}

function tryWrite(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    // The disk is full.
  }
}

/** What processes left behind that were killed. */
function forgetDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (pid !== undefined && !pidIsAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
