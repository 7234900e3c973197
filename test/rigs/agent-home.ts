// For tests: the home of a person, with `signalbox` on the PATH, and a folder elsewhere to call it in.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { openSignalbox } from '../../src/api/open-signalbox.ts';
import { runHere } from '../e2e/run-here.ts';
import { folders } from './left-behind.ts';
import { treeListing } from './tree-listing.ts';

export const launcher = resolve('bin/signalbox.cjs');

export class Home {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-home-')));
  readonly cwd = `${this.home}-cwd`;
  readonly bin = `${this.home}-bin`;
  readonly state = `${this.home}-state`;
  env: Record<string, string> = { PATH: this.bin, HOME: this.home, SIGNALBOX_STATE: this.state, USER: 'tester' };

  constructor(files: Readonly<Record<string, string>> = {}) {
    folders.push(this.home, this.cwd, this.bin, this.state);
    mkdirSync(this.cwd);
    mkdirSync(this.bin);
    symlinkSync(launcher, join(this.bin, 'signalbox'));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true });
    writeFileSync(join(this.home, path), text);
  }

  read = (path: string): string => readFileSync(join(this.home, path), 'utf8');
  tree = (): Record<string, string> => treeListing(this.home);
  type = (...args: string[]) => runHere(['init', '--mcp', ...args], { cwd: this.cwd, env: this.env });

  async door() {
    const options = { cwd: this.cwd, env: this.env, programVersion: '0', launcher, nodePath: process.execPath };
    return (await openSignalbox(options)).setup();
  }
}
