// What git knows of changes in the workspace: the difference from the last commit, and the files that it does not know yet. Nothing
// is written, also no index; nothing that the repository names is run.
import { spawn } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface GitPlace {
  readonly root: string;
  /** What git gets to see. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface DiffText {
  readonly text: string;
  /** There was more. */
  readonly cut: boolean;
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const timeLimitMs = 20_000;
const apart = [':(exclude).signalbox', ':(exclude)docs/plan-outputs', ':(exclude)**/node_modules'];
const largestNew = 20_000;

/** Null: this is no repository, or git is not there. */
export async function gitDiff(place: GitPlace, mostBytes: number): Promise<DiffText | null> {
  const inside = await git(place, ['rev-parse', '--is-inside-work-tree'], 100);
  if (inside?.text.trim() !== 'true') return null;
  const head = await git(place, ['rev-parse', '--verify', '--quiet', 'HEAD'], 200);
  const since = head && head.text.trim() !== '' ? 'HEAD' : emptyTree;
  const how = ['--no-color', '--no-ext-diff', '--no-textconv', '--relative'];
  const tracked = await git(place, ['diff', ...how, since, '--', '.', ...apart], mostBytes);
  if (tracked === null) return null;
  const listed = await git(place, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.', ...apart], 200_000);
  let text = tracked.text;
  let cut = tracked.cut || (listed?.cut ?? false);
  for (const path of (listed?.text ?? '').split('\0')) {
    if (path === '') continue;
    const shown = newFile(place.root, path);
    if (text.length + shown.length > mostBytes) {
      cut = true;
      break;
    }
    text += shown;
  }
  return { text, cut };
}

function newFile(root: string, path: string): string {
  const head = `new file: ${path}\n`;
  try {
    const stats = lstatSync(join(root, path));
    if (!stats.isFile()) return head;
    if (stats.size > largestNew) return `${head}(${stats.size} bytes)\n`;
    const bytes = readFileSync(join(root, path));
    if (bytes.includes(0)) return `${head}(${stats.size} bytes, no text)\n`;
    const lines = bytes.toString('utf8').replace(/\n$/, '').split('\n');
    return `${head}${lines.map((line) => `+${line}\n`).join('')}`;
  } catch {
    return head; // it went away
  }
}

/** Null: it failed. What it prints beyond the limit is not kept. */
function git({ root, environment }: GitPlace, args: readonly string[], mostBytes: number): Promise<DiffText | null> {
  return new Promise((resolve) => {
    const child = spawn('git', ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: root,
      env: { ...environment, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
    });
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (part: Buffer) => {
      if (length >= mostBytes) return;
      parts.push(part.subarray(0, mostBytes - length));
      length += part.length;
      if (length > mostBytes) child.kill('SIGKILL');
    });
    child.on('error', () => resolve(null));
    child.on('close', (code) => {
      const cut = length > mostBytes;
      resolve(code === 0 || cut ? { text: Buffer.concat(parts).toString('utf8'), cut } : null);
    });
  });
}
