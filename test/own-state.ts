// Tests keep what is trusted in a folder of their own, and never write into the home of the person who runs them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

if (process.env.SIGNALBOX_STATE === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-own-state-'));
  process.env.SIGNALBOX_STATE = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
