// A person's terminal: a shell in tmux, of a given size, in which commands are typed and whose screen is read.
import { execFileSync, spawnSync } from 'node:child_process';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const hasTmux = (): boolean => spawnSync('tmux', ['-V']).status === 0;

/** How long a person would look at a screen on which nothing happens. */
const patienceMs = 120_000;

export class Terminal {
  private readonly socket: string;

  constructor(size: Size, cwd: string, env: Readonly<Record<string, string>>) {
    this.socket = `signalbox-newcomer-${process.pid}-${size.columns}`;
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const window = ['new-session', '-d', '-x', `${size.columns}`, '-y', `${size.rows}`, '-c', cwd];
    // Without a status line the window has all rows.
    this.tmux(
      'start-server',
      ';',
      'set-option',
      '-g',
      'status',
      'off',
      ';',
      ...window,
      'env',
      '-i',
      ...variables,
      'sh',
    );
  }

  /** On a screen of its own, without what was there before; ended when the prompt is back. */
  async command(words: string): Promise<string> {
    this.tmux('send-keys', '-l', 'clear');
    this.tmux('send-keys', 'Enter');
    await this.shows(/^\$$/);
    this.keys(words);
    this.tmux('send-keys', 'Enter');
    return this.shows(/\n\$$/);
  }

  keys(text: string): void {
    this.tmux('send-keys', '-l', '--', text);
  }

  press(key: string): void {
    this.tmux('send-keys', key);
  }

  /** The screen, once it shows that; a screen that never does is the mistake. */
  async shows(expected: RegExp): Promise<string> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const screen = this.screen();
      if (expected.test(screen)) return screen;
      if (performance.now() > until) throw new Error(`the screen never showed ${expected}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  screen(): string {
    return this.tmux('capture-pane', '-p').trimEnd();
  }

  close(): void {
    this.tmux('kill-server');
  }

  private tmux(...words: string[]): string {
    const env = { ...process.env, TMUX: undefined };
    return execFileSync('tmux', ['-L', this.socket, '-f', '/dev/null', ...words], { encoding: 'utf8', env });
  }
}
