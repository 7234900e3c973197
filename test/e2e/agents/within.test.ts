// `npm run test:agents` as a whole has a limit: what hangs is told and ended, also what left its parents behind.
import { expect, it } from 'vitest';
import { processesOf } from '../../agents/processes.ts';
import { within } from '../../agents/within.ts';
import { Workspace } from '../rig.ts';

it('ends as the program does', async () => {
  const { signal } = new AbortController();
  expect(await within(signal, ['/bin/sh', '-c', 'exit 3'], process.env)).toEqual({ status: 3, late: null });
});

it('ends a program that hangs, with everything that it started', async () => {
  const w = new Workspace();
  // By the shell itself: `touch` may outlive its file for a moment, and would be counted.
  const script = 'setsid sh -c \'cd /; : > "$1/away"; read never < "$1/pipe"\' sh "$1" & wait';
  const limit = new AbortController();
  const ended = within(
    limit.signal,
    ['/bin/sh', '-c', `mkfifo "$1/pipe"; echo "$TMPDIR" > "$1/own"; ${script}`, 'sh', w.folder],
    {
      PATH: process.env.PATH,
    },
  );
  await w.appears('away');
  limit.abort();
  const { status, late } = await ended;
  expect([status, late!.length]).toEqual([null, 2]);
  expect(processesOf(w.read('own').trim())).toEqual([]);
});
