// Puts the `signalbox` command where attempts find it: a two-line script, written only when it is not the right one already.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function installCommand(folder: string, command: { readonly node: string; readonly launcher: string }): void {
  const file = join(folder, 'signalbox');
  const text = `#!/bin/sh\nexec ${quoted(command.node)} ${quoted(command.launcher)} "$@"\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Replaced in one step: an attempt may be about to run it.
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o755 });
  renameSync(fresh, file);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
