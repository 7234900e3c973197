// A scripted newcomer: clones, installs, and spends the first day in a repository of their own, at a terminal of 120×40 and one of 80×24. What
// stands on the screen is compared with screens/, word by word: times and folders are others each time, and with them the places where lines end.
//
//   --here    with the program of this checkout as it is, instead of a clone of its last commit
//   --write   writes screens/ instead of comparing, for reviewing with `git diff`
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Ground, shopPlan, story } from './story.ts';
import { hasTmux, type Size, Terminal } from './terminal.ts';

const sizes: readonly Size[] = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
];
const here = resolve(import.meta.dirname, '../../..');
const screens = join(import.meta.dirname, 'screens');
const who = {
  ...{ GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.org' },
  ...{ GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org' },
};
const isHere = process.argv.includes('--here');
const writes = process.argv.includes('--write');

if (!hasTmux()) {
  console.log('skipped: tmux is not installed');
  process.exit(0);
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-newcomer-')));
const prefix = join(root, 'prefix');
const clone = join(root, 'signalbox');
let mistakes = 0;
try {
  for (const size of sizes) await spendADay(size);
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
console.log(mistakes === 0 ? 'every screen is as expected' : `${mistakes} screens are not as expected`);
process.exitCode = mistakes === 0 ? 0 : 1;

async function spendADay(size: Size): Promise<void> {
  const ground = prepare(join(root, `${size.columns}`));
  const terminal = new Terminal(size, root, variables(dirname(ground.shop)));
  try {
    if (!existsSync(prefix)) await install(terminal);
    await terminal.command(`cd '${ground.shop}'`);
    const seen: string[] = [];
    for (const { name, act } of story) {
      const screen = steady(
        await act(terminal, ground).catch((error) => {
          // The screens before tell why.
          console.log(seen.join('\n'));
          throw error;
        }),
      );
      const broad = screen.split('\n').filter((line) => [...line].length > size.columns);
      if (broad.length > 0) report(name, `wider than the terminal: ${broad[0]}`);
      seen.push(`=== ${name}\n${screen}\n`);
    }
    compare(join(screens, `${size.columns}x${size.rows}.txt`), seen);
  } finally {
    terminal.close();
  }
}

/** A small repository, a home, and a coding agent on the PATH. */
function prepare(folder: string): Ground {
  const shop = join(folder, 'shop');
  const bin = join(folder, 'bin');
  for (const made of [shop, bin, join(folder, 'home')]) mkdirSync(made, { recursive: true });
  symlinkSync(join(import.meta.dirname, 'scripted-claude.cjs'), join(bin, 'claude'));
  const signs = { plan: join(folder, 'plan'), go: join(folder, 'go'), broken: join(folder, 'broken') };
  writeFileSync(signs.plan, shopPlan);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: shop, env: { ...process.env, ...who } });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(shop, 'README.md'), '# Shop\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Open the shop');
  return { shop, signs };
}

function variables(folder: string): Record<string, string> {
  // The program needs a newer Node than the one outside may be: the clone brings it.
  const node = join(isHere ? here : clone, 'node_modules/node/bin');
  const npm = dirname(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  const config = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
  // How the network is reached stays as it is: proxies, certificates. What npm tells its scripts about this checkout does not.
  const isOwn = (name: string) => /^(?:npm_|SIGNALBOX_|GIT_|TMUX|NO_COLOR|FORCE_COLOR|CI$|NODE_OPTIONS$)/i.test(name);
  const outside = Object.entries(process.env).filter(([name]) => !isOwn(name) || name === 'GIT_SSL_CAINFO');
  return {
    ...(Object.fromEntries(outside) as Record<string, string>),
    PATH: [join(folder, 'bin'), join(prefix, 'bin'), node, npm, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    ...{ HOME: join(folder, 'home'), USER: 'ann', LANG: 'C.UTF-8', PS1: '$ ', TERM: 'screen-256color' },
    ...{ npm_config_prefix: prefix, npm_config_cache: config('cache'), npm_config_userconfig: config('userconfig') },
    // A registry that hangs is asked again: npm itself would wait as long as the campaign does.
    ...{ npm_config_prefer_offline: 'true', npm_config_fetch_timeout: '30000' },
  };
}

/** As README says. */
async function install(terminal: Terminal): Promise<void> {
  if (isHere) {
    mkdirSync(join(prefix, 'bin'), { recursive: true });
    symlinkSync(join(here, 'bin/signalbox.cjs'), join(prefix, 'bin/signalbox'));
    return;
  }
  await terminal.command(`git clone -q '${here}' signalbox && cd signalbox`);
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const words = /^npm ci && npm pack && npm install -g .*$/m.exec(readme)?.[0];
  if (words === undefined) throw new Error('README does not say how to install');
  await terminal.command(words);
  const said = await terminal.command('signalbox --version');
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  if (!said.includes(`\n${version}\n`)) throw new Error(`not installed:\n${said}`);
}

/** Without what is different each time. */
function steady(screen: string): string {
  return (
    screen
      .replaceAll(root, '/ROOT')
      // The machine may have others beside the scripted one.
      .replace(/\b(installed): [\w, ]+/gi, '$1: AGENTS')
      .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
      .replace(/\b\d{1,2}:\d{2}:\d{2}\b/g, 'CLOCK')
      .replace(/\br?[0-9a-f]{7,40}\b/g, 'HEX')
      .replace(/\b\d{8}T\d{6}\.\d{3}Z-\d+\b/g, 'WHEN')
      .replace(/\b(process|Process|pid) \d+/g, '$1 PID')
      .replace(/\b(?:\d+|a|one) (?:seconds?|minutes?) ago\b|\bjust now\b/g, 'AGO')
      // Whether the start of the agent is seen depends on who was first, and the echo of Ctrl-C on the terminal.
      .replace(/^▸ +slow .*\n/m, '')
      .replaceAll('^C', '')
  );
}

function compare(file: string, seen: readonly string[]): void {
  if (writes) {
    mkdirSync(screens, { recursive: true });
    writeFileSync(file, seen.join('\n'));
    return;
  }
  const expected = readFileSync(file, 'utf8').split(/\n(?==== )/);
  const words = (text: string) => text.split(/\s+/).join(' ').trim();
  story.forEach(({ name }, i) => {
    if (words(seen[i]!) === words(expected[i] ?? '')) return;
    report(name, `expected:\n${expected[i]}\nfound:\n${seen[i]}`);
  });
}

function report(name: string, what: string): void {
  mistakes++;
  console.log(`${name}: ${what}`);
}
