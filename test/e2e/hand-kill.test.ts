// A short turn of `npm run prove:hand-kill`: a command that is killed has done all of its work or none.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each(['mark-complete', 'write-findings --append', 'set'])(
  '%s is done wholly or not at all',
  (command) => {
    const args = ['test/prove/kill-by-hand.mjs', '--kills', '4', '--seed', '5', '--command', command];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toContain('killed 4 times; wholly done');
  },
  300_000,
);
