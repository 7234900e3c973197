// The real server in a process of its own, and the official client.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Line, Workspace } from '../e2e/rig.ts';
import { running } from './left-behind.ts';

const launcher = resolve('bin/signalbox.cjs');
const environment = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  PATH: process.env.PATH!,
  HOME: process.env.HOME!,
  SIGNALBOX_STATE: process.env.SIGNALBOX_STATE!,
  USER: 'tester',
  ...env,
});

export interface Session {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** What it answered; an error as `{ error }`. */
  call(name: string, given?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Line>;
}

const open: Client[] = [];

export async function closeSessions(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
}

export async function connect(
  { folder }: Workspace,
  {
    args = [],
    env = {},
    client: name = 'claude-code',
  }: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly client?: string;
  } = {},
): Promise<Session> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', ...args],
    cwd: folder,
    env: environment(env),
    stderr: 'inherit',
  });
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  open.push(client);
  return {
    client,
    transport,
    call: async (tool, given = {}, signal) => {
      const options = signal === undefined ? {} : { signal };
      const { structuredContent, content, isError } = (await client.callTool(
        { name: tool, arguments: given },
        options,
      )) as Line;
      // The same as text, for clients that know no structured content.
      if (structuredContent !== undefined && JSON.stringify(structuredContent) !== content[0].text)
        throw new Error(`${tool}: the text is not the structured content`);
      if (structuredContent === undefined) return { error: content[0].text };
      return isError ? { error: structuredContent.message, ...structuredContent } : structuredContent;
    },
  };
}

/** Without a client: lines in, lines out. */
export function startServer({ folder }: Workspace, env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, [launcher, 'mcp'], {
    cwd: folder,
    env: environment(env),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
}

/** A process that starts the server with these messages and prints its pid; what the server answers comes after it. */
export function startParent(
  { folder }: Workspace,
  messages: readonly object[],
  { keepsInputOpen }: { readonly keepsInputOpen: boolean },
): ChildProcess {
  const script = `
    const { spawn } = require('node:child_process');
    const { openSync, writeSync } = require('node:fs');
    const [launcher, text, pipe] = process.argv.slice(1);
    const input = pipe ? openSync(pipe, 'r+') : 'pipe';
    const server = spawn(process.execPath, [launcher, 'mcp', '--agent', 'gone'], { stdio: [input, 'inherit', 'inherit'] });
    console.log(server.pid);
    if (pipe) writeSync(input, text);
    else server.stdin.write(text);
    setInterval(() => undefined, 1000);
  `;
  const text = messages.map((one) => `${JSON.stringify(one)}\n`).join('');
  // Whoever has a pipe open for reading and writing never sees its end.
  if (keepsInputOpen) execFileSync('mkfifo', ['pipe'], { cwd: folder });
  const child = spawn(process.execPath, ['-e', script, launcher, text, ...(keepsInputOpen ? ['pipe'] : [])], {
    cwd: folder,
    env: environment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}
