// The MCP server under 1,000 calls of one client: how soon it shakes hands, how many calls a second it answers, and what memory it keeps.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { folder } from './folder.mjs';
import { median, row } from './report.mjs';

export async function mcp({ tasks, calls }) {
  const dir = folder();
  const yaml = Array.from({ length: tasks }, (_, i) => `  t${i}: {run: "true"${i > 0 ? `, needs: [t${i - 1}]` : ''}}`);
  writeFileSync(join(dir, 'plan.yaml'), `tasks:\n${yaml.join('\n')}\n`);
  const hands = [];
  for (let i = 0; i < 3; i++) {
    const { client, ms } = await connected(dir);
    hands.push(ms);
    await client.close();
  }
  row(`MCP server at ${tasks} tasks`, `shakes hands in ${median(hands).toFixed(0)} of 1000 ms`);
  const { client, transport } = await connected(dir);
  const call = (name, given) => client.callTool({ name, arguments: { ...given } });
  await call('plan_status', { plan: 'plan.yaml' });
  const before = memoryOf(transport.pid);
  for (const [name, given] of [
    ['run_status', { plan: 'plan.yaml' }],
    ['plan_status', { plan: 'plan.yaml' }],
    ['lock_acquire', { resources: ['a.ts'] }],
  ]) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) {
      const { isError } = await call(name, given);
      if (isError) throw new Error(`${name} was refused`);
    }
    const ms = (performance.now() - start) / calls;
    row(`  ${calls} × ${name}`, `${(1000 / ms).toFixed(0)} calls per second (${ms.toFixed(1)} ms each)`);
  }
  row('  memory', `${before} MB after the first call, ${memoryOf(transport.pid)} MB after ${3 * calls} more`);
  await client.close();
}

async function connected(dir) {
  const start = performance.now();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('bin/signalbox.cjs'), 'mcp', '--agent', 'bench'],
    cwd: dir,
    env: process.env,
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  return { client, transport, ms: performance.now() - start };
}

/** Resident, as Linux tells it. */
function memoryOf(pid) {
  const [, kB] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kB) / 1024);
}
