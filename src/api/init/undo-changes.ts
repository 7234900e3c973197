// Takes back what `init` wrote, and nothing else.
//
//   recorded           now                                then
//   a whole file       as it was written                  removed
//                      changed, or something else         stays, and is said
//   a section          found as it was inserted           cut out; a file that only `init` made, and that has nothing else, is removed
//                      its first line is there            stays, and is said: somebody has changed it
//   either             not there                          nothing to do: removed by hand, or never written because of a kill
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeDeadDrafts } from '../../files/disk/write-whole.ts';
import { readNotes } from '../files/read-text.ts';
import { replaceFile } from '../files/replace-file.ts';
import { Refusal } from '../refusal.ts';
import { isThere, statsOf } from '../trust/owner.ts';
import type { Written } from './init-record.ts';
import { asTheyWere, findText, refuseUnwritable } from './own-place.ts';
import type { LeftAlone } from './plan-changes.ts';
import { cutSection, hasRemains } from './section.ts';

export interface UndoStep {
  readonly path: string;
  readonly before: string;
  /** What remains of the file; null: it is removed. */
  readonly after: string | null;
}

export interface PlannedUndo {
  readonly steps: readonly UndoStep[];
  readonly stays: readonly LeftAlone[];
  /** What is not taken back, because somebody has changed it. */
  readonly changed: readonly Written[];
}

export function planUndo(root: string, written: readonly Written[]): PlannedUndo {
  const steps: UndoStep[] = [];
  const stays: LeftAlone[] = [];
  const changed: Written[] = [];
  for (const path of new Set(written.map((one) => one.path))) {
    const own = written.filter((one) => one.path === path);
    const { step, left } = own[0]!.kind === 'whole' ? undoWhole(root, own[0]!) : undoSections(root, path, own);
    if (step) {
      refuseUnwritable(root, path);
      steps.push(step);
    }
    if (left.length === 0) continue;
    stays.push({ path, because: 'was changed since' });
    changed.push(...left);
  }
  return { steps, stays, changed };
}

interface Undone {
  readonly step: UndoStep | null;
  readonly left: readonly Written[];
}

function undoWhole(root: string, own: Written): Undone {
  const { path, text } = own;
  const file = join(root, path);
  if (!isThere(file)) return { step: null, left: [] };
  const isOurs = statsOf(file)!.isFile() && ifReadable(() => readNotes(file, path)) === text;
  return isOurs ? { step: { path, before: text, after: null }, left: [] } : { step: null, left: [own] };
}

/** Undefined: a folder, a link that leads out or what is no text has taken its place, so it is not ours any more. */
function ifReadable(read: () => string | null): string | null | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function undoSections(root: string, path: string, own: readonly Written[]): Undone {
  const before = ifReadable(() => findText(root, path));
  if (before === null) return { step: null, left: [] };
  if (before === undefined) return { step: null, left: own };
  let text = before;
  const left: Written[] = [];
  for (const one of own.toReversed()) {
    const rest = cutSection(text, one.text);
    if (rest !== null) text = rest;
    else if (hasRemains(text, one.text)) left.push(one);
  }
  if (text === before) return { step: null, left };
  const isOurs = text === '' && own.some(({ existed }) => !existed) && statsOf(join(root, path))!.isFile();
  return { step: { path, before, after: isOurs ? null : text }, left };
}

export function takeBack(root: string, steps: readonly UndoStep[]): void {
  for (const { path, before, after } of steps) {
    const file = join(root, path);
    asTheyWere(path, `${path} could not be taken back`, () => {
      if (after === null) rmSync(file);
      else replaceFile(file, after, before);
    });
  }
}

/** What a killed `init` was writing. */
export const removeDrafts = (root: string, written: readonly Written[]): void => {
  for (const { path } of written) removeDeadDrafts(join(root, path));
};
