// The one writer of findings: a file per task that readers see whole or not at all. Two writers lose nothing of each other's text, and
// links are not followed.
import { lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { TaskId } from '../core/model/ids.ts';
import { writeWhole } from '../files/write-whole.ts';
import { findingFile, type OutputPlaces } from './output-places.ts';

export interface Finding {
  /** Folders below it must be folders, not links to them. */
  readonly root: string;
  readonly places: OutputPlaces;
  readonly task: TaskId;
  readonly text: string;
  /** Behind what is there already. */
  readonly append?: boolean;
}

/** What the file says now, and where it is; null when something that is no folder is in the way. */
export function writeFinding(finding: Finding): { readonly file: string; readonly text: string } | null {
  const { root, places, task, append } = finding;
  let folder = root;
  for (const name of relative(root, places.findings).split(sep)) {
    folder = join(folder, name);
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (!there) mkdirSync(folder, { recursive: true });
    else if (!there.isDirectory()) return null;
  }
  const file = findingFile(places, task);
  // A pipe in its place would be waited for; what is no file is replaced.
  const text =
    append && statSync(file, { throwIfNoEntry: false })?.isFile()
      ? joined(readFileSync(file, 'utf8'), finding.text)
      : finding.text;
  writeWhole(file, text);
  return { file, text };
}

const joined = (before: string, more: string): string =>
  `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${more}`;
