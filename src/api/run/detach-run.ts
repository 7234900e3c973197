// Starts a run in a process and a session of its own: no terminal can end it, and nobody can be asked anything. Whoever starts it waits
// until the log says that it has begun, or until it has ended without that.
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import type { RunState } from '../../core/state/state.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import { privateFolder } from '../../files/disk/private-files.ts';
import type { Store } from '../../store/store.ts';
import type { OwnCommand } from '../trust/own-command.ts';
import type { Workspace } from '../workspace.ts';
import { Bell } from './bell.ts';
import { detachedVariable } from './detached-variable.ts';
import type { Detached } from './run-door.ts';
import { stayAlive } from './stay-alive.ts';

export interface DetachParts {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly path: PlanPath;
  readonly command: OwnCommand;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Outputs of runs before these are removed; the log has everything. */
const mostKept = 20;

export async function detachRun(parts: DetachParts, argv: readonly string[]): Promise<Detached> {
  const { workspace, store, path, command, cwd, env } = parts;
  const file = outputOf(workspace);
  const descriptor = openSync(
    file,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND,
    0o600,
  );
  const bell = new Bell();
  const unwatch = store.watch(() => bell.ring());
  const leave = stayAlive();
  let ended: number | null = null;
  let trouble: Error | null = null;
  const child = spawn(command.nodePath, [command.launcher, ...argv], {
    cwd,
    env: { ...env, [detachedVariable]: '1' },
    stdio: ['ignore', descriptor, descriptor],
    detached: true,
  });
  closeSync(descriptor);
  child.on('error', (error) => {
    trouble = error;
    bell.ring();
  });
  child.on('exit', (code, signal) => {
    ended = code ?? (signal === 'SIGINT' ? 130 : 143);
    bell.ring();
  });
  child.unref();
  try {
    for (;;) {
      const rung = bell.next();
      if (trouble !== null) throw trouble;
      // Asked before the log is read: what it recorded last is in it.
      const exitCode = ended;
      const run = await store.read((state) => state.plans.get(path)?.run ?? null);
      if (run && isOf(run, child.pid)) {
        const log = relative(workspace.root, file);
        return { kind: 'begun', report: { plan: path, run: run.run, pid: child.pid!, log, exitCode } };
      }
      if (exitCode !== null) {
        const printed = readFileSync(file, 'utf8');
        rmSync(file, { force: true });
        return { kind: 'refused', exitCode, printed };
      }
      await rung;
    }
  } finally {
    unwatch();
    leave();
  }
}

const isOf = ({ runner }: RunState, pid: number | undefined): boolean => runner.pid === pid;

/** A new one, named after the moment. */
function outputOf({ stateFolder }: Workspace): string {
  const folder = privateFolder(stateFolder, 'detached');
  for (const name of namesIn(folder).sort().slice(0, -mostKept)) rmSync(join(folder, name), { force: true });
  const stamp = new Date().toISOString().replace(/[-:]/g, '');
  return join(folder, `${stamp}-${process.pid}.log`);
}
