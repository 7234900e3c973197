// The version of a program that npm installed: its package says it, without being started.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Null: the program is no part of that package, or nobody can tell. @param program absolute path */
export function installedVersion(program: string, from: string): string | null {
  try {
    for (let file = realpathSync(program); dirname(file) !== file; file = dirname(file)) {
      const found = packageAt(dirname(file));
      if (found) return found.name === from && typeof found.version === 'string' ? found.version : null;
    }
  } catch {
    // What cannot be read tells nothing.
  }
  return null;
}

function packageAt(folder: string): { readonly name?: unknown; readonly version?: unknown } | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
