// Makes the pictures of README from real runs: `npm run pictures`. Needs tmux, which draws the terminal.
//
//   docs/pictures/run.svg    the tour in a terminal
//   docs/pictures/graph.svg  its graph afterwards
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { terminalPicture } from './terminal-picture.ts';

const columns = 108;
const rows = 46;
const launcher = resolve('bin/signalbox.cjs');
const pictures = resolve('docs/pictures');

/** What the tour looks at, and nothing that an earlier run has left. */
const folder = mkdtempSync(join(tmpdir(), 'signalbox-pictures-'));
for (const name of ['README.md', 'docs', 'examples', 'src/core'])
  cpSync(name, join(folder, name), { recursive: true, filter: (from) => from !== join('docs', 'plan-outputs') });

try {
  mkdirSync(pictures, { recursive: true });
  const tour = 'npx signalbox run examples/tour.md';
  writeFileSync(join(pictures, 'run.svg'), terminalPicture(screenOf('run examples/tour.md', tour), columns, tour));
  call(process.execPath, [launcher, 'graph', 'examples/tour.md', '--out', join(pictures, 'graph.svg')]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The screen after the command, with its colours, one text for each row. */
function screenOf(args: string, shown: string): string[] {
  const tmux = (...words: string[]) =>
    call('tmux', ['-L', `signalbox-pictures-${process.pid}`, '-f', '/dev/null', ...words]);
  const ended = 'tmux wait-for -S ended';
  const typed = `printf '\\033[2m$\\033[0m %s\\n' '${shown}'; '${process.execPath}' '${launcher}' ${args}; ${ended}; cat`;
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', folder, typed);
  try {
    tmux('wait-for', 'ended');
    return tmux('capture-pane', '-p', '-e').trimEnd().split('\n');
  } finally {
    tmux('kill-server');
  }
}

function call(program: string, args: string[]): string {
  const env = { ...process.env, NO_COLOR: undefined, TMUX: undefined, USER: 'you' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}
