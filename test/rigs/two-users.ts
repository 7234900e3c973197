// Two real users of one machine. Only root can start processes as somebody else; elsewhere these tests are skipped, and say so.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { folders } from './left-behind.ts';

/** Numbers are enough: the system asks for no entry in a file of users. */
export const root = 0;
export const ann = 12_345;
export const mallory = 12_346;

const launcher = resolve('bin/signalbox.cjs');

/** Whether processes can be started as another user, and that user can read the program. */
export const hasTwoUsers =
  process.getuid?.() === root &&
  spawnSync(process.execPath, [launcher, '--version'], { uid: ann, gid: ann, cwd: '/', env: {} }).status === 0;

if (!hasTwoUsers) console.warn('skipped: tests with two users need root, and a clone that everybody can read');

/** A folder like /tmp: everybody may put something into it, and take away only what is theirs. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-shared-'));
  folders.push(folder);
  chmodSync(folder, 0o1777);
  return folder;
}

export class User {
  readonly id: number;
  readonly home: string;

  constructor(id: number, shared: string) {
    this.id = id;
    this.home = join(shared, `home-${id}`);
    this.makes(this.home);
    chmodSync(this.home, 0o700);
  }

  /** A folder of this user. */
  makes(folder: string): string {
    mkdirSync(folder, { recursive: true });
    chownSync(folder, this.id, this.id);
    return folder;
  }

  /** A shell command, as this user. */
  does(command: string, cwd: string): void {
    const { status, stderr } = spawnSync('sh', ['-ec', command], this.#options(cwd));
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  }

  runs(cwd: string, ...args: readonly string[]) {
    return this.runsWith({}, cwd, ...args);
  }

  runsWith(env: Readonly<Record<string, string>>, cwd: string, ...args: readonly string[]) {
    return this.#starts(launcher, env, cwd, args);
  }

  /** Another copy of the program. */
  runsFrom(program: string, cwd: string, ...args: readonly string[]) {
    return this.#starts(program, {}, cwd, args);
  }

  #starts(program: string, env: Readonly<Record<string, string>>, cwd: string, args: readonly string[]) {
    const options = this.#options(cwd);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      ...options,
      env: { ...options.env, ...env },
    });
    return { code: status, out: stdout, err: stderr };
  }

  #options(cwd: string) {
    const env = { PATH: process.env.PATH, HOME: this.home, NO_COLOR: '1' };
    return { cwd, uid: this.id, gid: this.id, encoding: 'utf8', env } as const;
  }
}
