// A person's terminal: a shell in tmux, of a given size, in which commands are typed and whose screen is read.
import { execFileSync, spawnSync } from 'node:child_process';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const hasTmux = (): boolean => spawnSync('tmux', ['-V']).status === 0;

/** For what hangs: an installation on a busy machine takes a minute. */
const patienceMs = 300_000;

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

  /** On a screen of its own; ended when the prompt is back. */
  async command(words: string): Promise<string> {
    await this.begin(words);
    return this.shows(/\n\$$/);
  }

  /** Without waiting for its end. */
  async begin(words: string): Promise<void> {
    this.keys('clear');
    this.press('Enter');
    await this.until(() => this.tmux('capture-pane', '-p').trimEnd() === '$');
    this.tmux('clear-history');
    this.keys(words);
    this.press('Enter');
  }

  keys(text: string): void {
    this.tmux('send-keys', '-l', '--', text);
  }

  press(key: string): void {
    this.tmux('send-keys', key);
  }

  /** The screen, once it shows that; a screen that never does is the mistake. */
  shows(expected: RegExp): Promise<string> {
    return this.until((screen) => expected.test(screen), `${expected}`);
  }

  private async until(isThere: (screen: string) => boolean, what = 'an empty screen'): Promise<string> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const screen = this.screen();
      if (isThere(screen)) return screen;
      if (performance.now() > until) throw new Error(`the screen never showed ${what}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** With what has scrolled away since the command began. */
  private screen(): string {
    return this.tmux('capture-pane', '-p', '-S', '-').trimEnd();
  }

  close(): void {
    this.tmux('kill-server');
  }

  private tmux(...words: string[]): string {
    const env = { ...process.env, TMUX: undefined };
    return execFileSync('tmux', ['-L', this.socket, '-f', '/dev/null', ...words], { encoding: 'utf8', env });
  }
}
