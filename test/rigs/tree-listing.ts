// For tests: everything below a folder, to be compared byte by byte.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** By path: the mode and the contents, each byte one sign; of a link, where it leads. */
export function treeListing(root: string, path = '.'): Record<string, string> {
  const full = join(root, path);
  const stats = lstatSync(full);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return { [path]: `link ${readlinkSync(full)}` };
  if (!stats.isDirectory()) return { [path]: `${mode} ${readFileSync(full, 'latin1')}` };
  return Object.assign({ [path]: mode }, ...readdirSync(full).map((name) => treeListing(root, join(path, name))));
}
