// A short turn of `npm run prove:deadlock-kill`: a deadlock is resolved whoever is killed on the way.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('a deadlock whose runner, waiters and shells are killed ends with every effect once and no half edit seen', () => {
  const args = ['test/prove/deadlock-kill/main.ts', '--kills', '6', '--seed', '3', '--at-once', '2'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('every effect once');
}, 300_000);
