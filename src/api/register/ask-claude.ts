// Claude Code changes its own settings: the file is also its state, which every session writes, and only Claude Code knows its lock.
import { serverName } from '../../agents/kinds/known-program.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { shortRun } from '../../agents/process/short-run.ts';
import { Refusal } from '../refusal.ts';
import type { Entry } from './server-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mostMs = 60_000;

const scope = ['--scope', 'user'];
const removal = ['mcp', 'remove', ...scope, serverName];
const addition = (entry: Entry) => ['mcp', 'add-json', ...scope, serverName, JSON.stringify(entry)];

/** The program of an agent that changes its settings itself. */
export interface OwnProgram {
  /** Its absolute path. */
  readonly find: (env: Environment) => string;
  /** What it is called with, one after the other. @param from what stands there now; null: nothing. */
  readonly calls: (from: Entry | null, to: Entry | null) => readonly (readonly string[])[];
  readonly ask: (program: string, calls: readonly (readonly string[])[], env: Environment) => Promise<void>;
}

const claudeCalls: OwnProgram['calls'] = (from, to) => [
  ...(from === null ? [] : [removal]),
  ...(to === null ? [] : [addition(to)]),
];

function findClaude(env: Environment): string {
  const found = findProgram('claude', env.PATH ?? '');
  if (found !== null) return found;
  throw new Refusal(
    7,
    'claude is not on your PATH, and only Claude Code changes its own settings; nothing was written',
    {
      instead: 'install Claude Code, or put it on the PATH',
    },
  );
}

async function askClaude(program: string, calls: readonly (readonly string[])[], env: Environment): Promise<void> {
  const own = env.CLAUDE_CONFIG_DIR ? { CLAUDE_CONFIG_DIR: env.CLAUDE_CONFIG_DIR } : {};
  const quiet = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
  for (const args of calls) {
    const end = await shortRun({
      program,
      args,
      env: { ...baseEnvironment(env), ...own, ...quiet },
      timeoutMs: mostMs,
    });
    if (end.kind === 'ended' && end.code === 0) continue;
    const because =
      end.kind === 'failed' ? end.because : (end.beside || end.text).trim().split('\n', 1)[0]!.slice(0, 200);
    throw new Refusal(7, `claude ${args.slice(0, 2).join(' ')} failed: ${because}`, {
      instead: `try it by hand: ${program} mcp list`,
    });
  }
}

export const claudeProgram: OwnProgram = { find: findClaude, calls: claudeCalls, ask: askClaude };
