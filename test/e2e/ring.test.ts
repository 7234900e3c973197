// A short turn of `npm run prove:ring`: a circle of real agents, judged from the log, the files and the table.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('a ring of agents is broken by stopping one, the others go on within five seconds, and all complete', () => {
  const args = ['test/prove/ring.mjs', '--agents', '6'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('a ring of 6 agents: 1 deadlocks');
}, 120_000);
