// Shows a double holder on the disk: who has a file leaves a mark beside it that only one can make, changes it, looks after a while
// whether both are still its own, and takes the mark away. Knows nothing of the program.
import { readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Mode } from './resources.ts';

/** The mark is a link that leads nowhere: made with its content in one step, or not at all. */
const holderOf = (file: string) => `${file}.holder`;
const readerOf = (file: string, pid: number) => `${file}.reader.${pid}`;

/** Says what is wrong; null when nobody else is here. */
export function enter(root: string, file: string, mode: Mode): string | null {
  const path = join(root, file);
  if (mode === 'shared') {
    symlinkSync(String(process.pid), readerOf(path, process.pid));
    const holder = livingHolder(path);
    return holder === null ? null : `${file} is read by ${process.pid} while ${holder} has it alone`;
  }
  const holder = livingHolder(path);
  if (holder !== null) return `${file} is had alone by ${process.pid} and by ${holder}`;
  try {
    symlinkSync(String(process.pid), holderOf(path));
  } catch {
    return `${file} is had alone by ${process.pid} and by ${livingHolder(path)}`;
  }
  const reader = livingReader(path);
  if (reader !== null) return `${file} is had alone by ${process.pid} while ${reader} reads it`;
  writeFileSync(path, `by ${process.pid}`);
  return null;
}

export function leave(root: string, file: string, mode: Mode): string | null {
  const path = join(root, file);
  if (mode === 'shared') {
    rmSync(readerOf(path, process.pid), { force: true });
    const holder = livingHolder(path);
    return holder === null ? null : `${file} was read by ${process.pid} while ${holder} had it alone`;
  }
  const said = readFileSync(path, 'utf8');
  const reader = livingReader(path);
  rmSync(holderOf(path), { force: true });
  if (reader !== null) return `${file} was had alone by ${process.pid} while ${reader} read it`;
  return said === `by ${process.pid}` ? null : `${file}, had alone by ${process.pid}, says "${said}"`;
}

/** Fencing tokens grow from one holder to the next. */
export function fence(root: string, file: string, mine: number): string | null {
  const path = `${join(root, file)}.fence`;
  const last = Number(readOr(path, '0'));
  if (mine <= last) return `${file} was given out with ${mine} after ${last}`;
  writeFileSync(path, String(mine));
  return null;
}

/** A mark of the dead is taken away: only who has the lock does so, and they must have it alone or only read. */
function livingHolder(path: string): number | null {
  let pid: number;
  try {
    pid = Number(readlinkSync(holderOf(path)));
  } catch {
    return null;
  }
  if (pid === process.pid || isAlive(pid)) return pid;
  rmSync(holderOf(path), { force: true });
  return null;
}

function livingReader(path: string): number | null {
  const prefix = `${basename(path)}.reader.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (pid !== process.pid && isAlive(pid)) return pid;
    rmSync(join(dirname(path), name), { force: true });
  }
  return null;
}

function isAlive(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`, '');
  return stat !== '' && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8') || otherwise;
  } catch {
    return otherwise;
  }
}
