// What Signalbox stands on: Node, the engine of the database, disk, limits of the system.
import { readFileSync } from 'node:fs';
import { inspectEngine } from '../../store/sqlite/inspect-database.ts';
import { freeBytes, refuseUnsafe, stateFiles } from '../../store/sqlite/state-folder.ts';
import type { DoctorCheck } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';

export function checkGround(workspace: Workspace): DoctorCheck[] {
  return [node(), engine(), fileSystem(workspace), disk(workspace), ...limits()];
}

function node(): DoctorCheck {
  // The launcher has refused an older one before anything else was loaded.
  return { id: 'node', status: 'ok', message: `Node ${process.versions.node}` };
}

function engine(): DoctorCheck {
  try {
    return { id: 'sqlite', status: 'ok', message: `SQLite ${inspectEngine()}` };
  } catch (error) {
    const help = 'reinstall Signalbox so that it brings its own engine: npm ci, or npm install signalbox';
    return { id: 'sqlite', status: 'broken', message: (error as Error).message, help };
  }
}

/** A symlink in place of the state folder is reported here too: like a network file system, it rules out a database. */
function fileSystem(workspace: Workspace): DoctorCheck {
  try {
    refuseUnsafe(stateFiles(workspace.stateFolder));
    const where = process.platform === 'linux' ? 'a local file system' : 'a file system that this system does not name';
    return { id: 'file-system', status: 'ok', message: `${workspace.root} lies on ${where}` };
  } catch (error) {
    return { id: 'file-system', status: 'broken', message: (error as Error).message };
  }
}

const megabyte = 1024 * 1024;

function disk(workspace: Workspace): DoctorCheck {
  const free = freeBytes(workspace.stateFolder);
  const message = `${free >= 1024 * megabyte ? `${(free / 1024 / megabyte).toFixed(1)} GB` : `${Math.floor(free / megabyte)} MB`} free on the disk`;
  const help = 'free some space: a full disk stops a run, though nothing recorded is lost';
  if (free < 10 * megabyte) return { id: 'disk', status: 'broken', message, help };
  return free < 500 * megabyte
    ? { id: 'disk', status: 'warning', message, help }
    : { id: 'disk', status: 'ok', message };
}

/** Each attempt takes a shell, a program, and a few open files. */
const wanted = [
  { id: 'open-files', row: 'Max open files', least: 1024, what: 'open files', flag: '-n' },
  { id: 'processes', row: 'Max processes', least: 512, what: 'processes', flag: '-u' },
] as const;

function limits(): DoctorCheck[] {
  const text = limitsText();
  if (text === null) return [];
  return wanted.map(({ id, row, least, what, flag }): DoctorCheck => {
    const soft = new RegExp(`^${row}\\s+(\\S+)`, 'm').exec(text)?.[1];
    if (soft === undefined || soft === 'unlimited') return { id, status: 'ok', message: `no limit on ${what}` };
    const message = `at most ${soft} ${what}`;
    if (Number(soft) >= least) return { id, status: 'ok', message };
    return { id, status: 'warning', message, help: `raise it before a large run: ulimit ${flag} ${least * 4}` };
  });
}

function limitsText(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null; // only Linux has it; elsewhere nothing is said
  }
}
