// The real agent programs that `npm run test:agents` drives, in the versions that were tried. They are no dependencies: each is installed
// once into a folder of its own, which later runs find again.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CodingAgent } from '../../src/core/model/coding-agents.ts';

export type AgentName = CodingAgent;

export const programs: Readonly<Record<AgentName, { readonly package: string; readonly version: string }>> = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { package: '@openai/codex', version: '0.166.0' },
  opencode: { package: 'opencode-ai', version: '1.18.33' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0' },
};

/** Beside the caches of other programs, so that it outlives a clone. */
export const programsFolder = (): string =>
  process.env.SIGNALBOX_TEST_AGENTS ?? join(homedir(), '.cache', 'signalbox-test-agents');

const mostMs = 10 * 60_000;

const homeOf = (name: AgentName): string => join(programsFolder(), `${name}-${programs[name].version}`);

/** The folder that holds the program under its own name. */
export const binOf = (name: AgentName): string => join(homeOf(name), 'node_modules', '.bin');

/** The same, installed if it is not there yet. */
export async function installed(name: AgentName): Promise<string> {
  const { package: from, version } = programs[name];
  const home = homeOf(name);
  const bin = binOf(name);
  if (existsSync(join(bin, name))) return bin;
  // Two at once both install, and the second finds the name taken.
  const draft = `${home}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), '{"private":true}\n');
  try {
    await npm(draft, ['install', '--no-audit', '--no-fund', '--loglevel=error', `${from}@${version}`]);
    if (!existsSync(join(bin, name))) renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return bin;
}

function npm(cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: mostMs });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done() : fail(new Error(`npm ${args.join(' ')}: exit ${code}\n${said}`)),
    );
  });
}
