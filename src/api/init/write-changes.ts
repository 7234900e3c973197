// Writes what `init` has planned: all of it, or nothing. What is written is recorded before, so that after a kill `init` completes it and
// `init --undo` takes it back.
import { join } from 'node:path';
import { writeWhole } from '../../files/disk/write-whole.ts';
import { replaceFile } from '../files/replace-file.ts';
import type { InitRecord, Written } from './init-record.ts';
import { asTheyWere } from './own-place.ts';
import type { Change } from './plan-changes.ts';
import { planUndo, removeDrafts, takeBack } from './undo-changes.ts';

export function writeChanges(root: string, changes: readonly Change[], record: InitRecord): void {
  const earlier = record.read();
  removeDrafts(root, earlier);
  if (changes.length === 0) return;
  record.write([...stillThere(root, earlier, changes), ...changes.map(asWritten)]);
  const done: Change[] = [];
  for (const change of changes) {
    try {
      write(root, change);
    } catch (error) {
      takeBackDone(root, done);
      throw error;
    }
    done.push(change);
  }
}

/** The record stays: another process may be writing the same, and what is recorded but not there needs no undoing. */
function takeBackDone(root: string, done: readonly Change[]): void {
  try {
    takeBack(root, planUndo(root, done.map(asWritten)).steps);
  } catch {
    // The first error says what is wrong. `init --undo` can do it later.
  }
}

const asWritten = ({ path, kind, text, existed }: Change): Written => ({ path, kind, text, existed });

/** What an earlier call has written to a file that gets more now, or would have written if it had not been killed. */
function stillThere(root: string, earlier: readonly Written[], changes: readonly Change[]): readonly Written[] {
  const paths = new Set(changes.map(({ path }) => path));
  return earlier.filter((one) => !paths.has(one.path) || planUndo(root, [one]).steps.length > 0);
}

function write(root: string, { path, existed, before, text }: Change): void {
  const file = join(root, path);
  asTheyWere(path, `${path} could not be written`, () => {
    if (existed) replaceFile(file, before + text, before);
    else writeWhole(file, text, { isNew: true });
  });
}
