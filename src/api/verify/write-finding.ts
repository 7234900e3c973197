// Keeps what a debugging agent found out, for people: one file per task, replaced as a whole. A link in its way is not followed.
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { TaskId } from '../../core/ids.ts';
import { findingFile, type OutputPlaces } from '../../status/output-places.ts';

export interface Finding {
  readonly root: string;
  readonly places: OutputPlaces;
  readonly task: TaskId;
  readonly text: string;
}

/** Where it is, as a path in the workspace; null when something that is no folder is in the way. */
export function writeFinding({ root, places, task, text }: Finding): string | null {
  const folders = relative(root, places.findings).split(sep);
  let folder = root;
  for (const one of folders) {
    folder = join(folder, one);
    mkdirSync(folder, { recursive: true });
    if (!lstatSync(folder).isDirectory()) return null;
  }
  const file = basename(findingFile(places, task));
  const fresh = join(folder, `.${file}.${process.pid}.new`);
  rmSync(fresh, { force: true });
  const descriptor = openSync(fresh, 'wx', 0o644);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, join(folder, file));
  return [...folders, file].join('/');
}
