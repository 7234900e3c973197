// For tests: a workspace of real files, and everything in it as one value that can be compared.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SavedAbout } from '../../src/files/saved-manifest.ts';

const made: string[] = [];

/** For the end of a file of tests. */
export function removeScratchTrees(): void {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
}

export class ScratchTree {
  readonly root: string;
  readonly folder: string;

  constructor(
    files: Readonly<Record<string, string | Buffer>> = {},
    root = mkdtempSync(join(tmpdir(), 'signalbox-git-')),
  ) {
    this.root = root;
    made.push(root);
    this.folder = join(this.root, '.signalbox');
    mkdirSync(this.folder, { mode: 0o700, recursive: true });
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string | Buffer, mode?: number): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
    if (mode !== undefined) chmodSync(this.at(path), mode);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    symlinkSync(target, this.at(path));
  }

  /** Every path below, but for the state: what it is, its mode and its content. */
  all(below = ''): Record<string, string> {
    const found: Record<string, string> = {};
    for (const name of readdirSync(this.at(below)).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      if (path === '.signalbox') continue;
      const stats = lstatSync(this.at(path));
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) found[path] = `→ ${readlinkSync(this.at(path))}`;
      else if (stats.isDirectory()) Object.assign(found, { [path]: 'folder' }, this.all(path));
      else found[path] = stats.isFile() ? `${mode} ${readFileSync(this.at(path)).toString('base64')}` : 'special';
    }
    return found;
  }
}

export const about = (task = 'api', n = 1): SavedAbout => ({
  attempt: `${task}#${n}`,
  task,
  plan: 'plan.md',
  at: Date.UTC(2026, 10, 16, 1, 2, 3),
  reason: 'deadlock',
});
