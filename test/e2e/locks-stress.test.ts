// A short turn of `npm run prove:locks-stress`: real processes on one real database, judged by a checker of its own.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('processes that lock, write, die and give back lose nothing, get stuck nowhere, and never have a file together', () => {
  const args = ['test/prove/stress/main.ts', '--seconds', '4', '--processes', '4', '--seed', '7'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr.replace(/.*ExperimentalWarning.*\n.*\n/, '')).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('never two holders');
}, 120_000);
