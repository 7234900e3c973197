// A few of what `npm run prove:kill-commands` does.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('commands that are killed leave files that are whole, and never older ones', { timeout: 120_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/prove/kill-commands.mjs', '--kills', '3'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/calls of \d+ commands, [1-9]\d* killed, 0 failures/);
  expect(status).toBe(0);
});
