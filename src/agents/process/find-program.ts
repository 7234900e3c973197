// Finds a program the way a shell would, without one.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';

/** The absolute path of a program; null if there is none. A name with a slash is relative to `folder`; others go by the path. */
export function findProgram(name: string, path: string, folder = '/'): string | null {
  if (name === '' || name.includes('\0')) return null;
  if (name.includes('/')) return isExecutable(resolve(folder, name)) ? resolve(folder, name) : null;
  for (const entry of path.split(delimiter)) {
    // An empty or relative entry means the current folder, where whoever wrote the files in it would choose the program.
    if (isAbsolute(entry) && isExecutable(resolve(entry, name))) return resolve(entry, name);
  }
  return null;
}

/** Whether there is such a file, whoever may execute it. */
export function isFile(name: string, folder: string): boolean {
  return statSync(resolve(folder, name), { throwIfNoEntry: false })?.isFile() === true;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // not there, or not for us
  }
}
