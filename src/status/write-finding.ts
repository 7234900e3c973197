// The one writer of findings: a file per task that readers see whole or not at all. Two writers lose nothing of each other's text, and
// links are not followed. A text has no mark of ours in it, so the state folder remembers which one we wrote last.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TaskId } from '../core/model/ids.ts';
import { privateFolder } from '../files/disk/private-files.ts';
import { writeWhole } from '../files/disk/write-whole.ts';
import { draftsFolder } from './draft-place.ts';
import { keepForeign } from './keep-broken.ts';
import { makeOutputFolder, NoPlainFolder } from './output-folder.ts';
import { encodeName, findingFile, type OutputPlaces } from './output-places.ts';
import { readRegular } from './regular-file.ts';

export interface Finding {
  readonly stateFolder: string;
  readonly places: OutputPlaces;
  readonly task: TaskId;
  readonly text: string;
  /** Behind what is there already. */
  readonly append?: boolean;
}

export interface WrittenFinding {
  readonly file: string;
  /** What the file says now. */
  readonly text: string;
  /** About what somebody else had written there and what was kept; null: there was nothing. */
  readonly kept: string | null;
}

/** Null when something that is no folder is in the way. */
export function writeFinding(finding: Finding): WrittenFinding | null {
  const { stateFolder, places, task, append } = finding;
  try {
    makeOutputFolder(places.root, places.findings);
  } catch (error) {
    if (error instanceof NoPlainFolder) return null;
    throw error;
  }
  const file = findingFile(places, task);
  const record = join(privateFolder(stateFolder, 'findings'), encodeName(`${basename(places.folder)}/${task}`));
  const found = lstatSync(file, { throwIfNoEntry: false });
  // A pipe in its place would be waited for, and a link leads elsewhere.
  const before = found?.isFile() ? readRegular(file).toString('utf8') : null;
  const isOurs = !found || (before !== null && sumOf(before) === recorded(record));
  const isAdded = append === true && before !== null;
  const text = isAdded ? joined(before, finding.text) : finding.text;
  const kept = isOurs || isAdded ? null : keepForeign(places.root, file);
  writeWhole(file, text, { draftsIn: draftsFolder(places) });
  // What was added to the text of somebody else is not all ours.
  if (isOurs || !isAdded) writeWhole(record, `${sumOf(text)}\n`, { mode: 0o600 });
  return { file, text, kept };
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function recorded(record: string): string | null {
  try {
    return readRegular(record).toString('utf8').trim();
  } catch {
    return null;
  }
}

const joined = (before: string, more: string): string =>
  `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${more}`;
