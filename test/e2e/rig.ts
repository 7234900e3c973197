// The real program in throw-away workspaces, in this process or in one of its own. Nothing here sleeps to order things: tests wait for lines, files and ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import { identify } from '../../src/agents/process/process-identity.ts';
import { collectMessages } from '../rigs/collect-messages.ts';
import { folders, running } from '../rigs/left-behind.ts';
import { runHere } from './run-here.ts';

const launcher = resolve('bin/signalbox.cjs');
const plainEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
  USER: 'tester',
  NO_COLOR: '1',
};

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Standard output as JSON, line by line. */
  readonly lines: Line[];
  readonly json: Line;
}

// biome-ignore lint/suspicious/noExplicitAny: what the program printed, looked at by the assertions
export type Line = any;

/** A started command: its lines as they come, and its end. */
export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves with the first line of JSON that fits, also one that came before. */
  line(fits: (line: Line) => boolean): Promise<Line>;
  kill(signal: NodeJS.Signals): void;
}

export class Workspace {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
    folders.push(this.folder);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  /** Resolves when the file is there. */
  async appears(name: string): Promise<void> {
    const file = join(this.folder, name);
    if (existsSync(file)) return;
    await new Promise<void>((done) => {
      const watcher = watch(dirname(file), () => {
        if (!existsSync(file)) return;
        watcher.close();
        done();
      });
      if (existsSync(file)) {
        watcher.close();
        done();
      }
    });
  }

  /** In this process; `start` is for what is killed, goes on beside others, or is about the process itself. */
  run(...args: string[]): Promise<Ended> {
    return this.runWith({}, ...args);
  }

  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
    return this.runIn('.', env, ...args);
  }

  /** @param below a folder of the workspace */
  async runIn(below: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
    const { code, out, err } = await runHere(args, { cwd: join(this.folder, below), env: { ...plainEnv, ...env } });
    collectMessages({ args, out, err });
    const lines = parsed(out);
    return { code, out, err, lines, json: lines.at(-1) };
  }

  start(...args: string[]): Started {
    return this.startWith({}, ...args);
  }

  startWith(env: Readonly<Record<string, string>>, ...args: string[]): Started {
    return this.startIn(this.folder, env, ...args);
  }

  startIn(cwd: string, env: Readonly<Record<string, string>>, ...args: string[]): Started {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd,
      env: { ...plainEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let out = '';
    let err = '';
    const waiting: { fits: (line: Line) => boolean; found: (line: Line) => void }[] = [];
    const look = () => {
      for (const entry of [...waiting]) {
        const line = parsed(out.slice(0, out.lastIndexOf('\n') + 1)).find(entry.fits);
        if (line === undefined) continue;
        waiting.splice(waiting.indexOf(entry), 1);
        entry.found(line);
      }
    };
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      look();
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const ended = new Promise<Ended>((done) => {
      child.on('close', (code) => {
        running.delete(child);
        collectMessages({ args, out, err });
        const lines = parsed(out);
        done({ code, out, err, lines, json: lines.at(-1) });
      });
    });
    return {
      child,
      pid: child.pid!,
      ended,
      line: (fits) =>
        new Promise((found) => {
          waiting.push({ fits, found });
          look();
        }),
      kill: (signal) => void child.kill(signal),
    };
  }

  async status(plan?: string): Promise<Record<string, string>> {
    const { json } = await this.run('status', ...(plan === undefined ? [] : [plan]), '--json');
    return Object.fromEntries(json.tasks.map((task: { id: string; status: string }) => [task.id, task.status]));
  }
}

/** Kills a process, and resolves when the system has none of it any more. */
export async function killForGood(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => identify(pid), { timeout: 20_000, interval: 5 }).toBeNull();
}

function parsed(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line);
      } catch {
        return { notJson: line };
      }
    });
}
