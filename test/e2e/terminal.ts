// The real program at a real terminal: `script`, which every Debian has, makes one, and the test types.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Workspace } from './rig.ts';

const launcher = resolve('bin/signalbox.cjs');

export interface Session {
  readonly code: number | null;
  /** What was on the screen, without colours and movements. */
  readonly screen: string;
  /** How many questions were asked. */
  readonly asked: number;
}

export const ctrlC = '\u0003';

/** Each answer is typed when the next question stands on the screen; a question too many is answered by Ctrl-C. */
export function atTerminal(w: Workspace, args: readonly string[], answers: readonly string[]): Promise<Session> {
  const command = [process.execPath, launcher, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: w.folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
      USER: 'tester',
      TERM: 'xterm',
      SHELL: '/bin/sh',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let out = '';
  let asked = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    // The prompt is complete only with the movement behind it: then the terminal reads.
    const questions = plain(out).match(/^ {2}\? .*: /gm)?.length ?? 0;
    if (questions <= asked) return;
    asked = questions;
    const answer = left.shift() ?? ctrlC;
    child.stdin.write(answer === ctrlC ? ctrlC : `${answer}\r`);
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, screen: plain(out), asked }));
  });
}

const plain = (text: string) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r/g, '');
