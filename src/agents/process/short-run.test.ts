import { expect, it } from 'vitest';
import { shortRun } from './short-run.ts';

const talking = (script: string, timeoutMs = 20_000) =>
  shortRun({
    ...{ program: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, timeoutMs },
    talk: { told: 'how are you\n', isOver: (text) => text.includes('fine\n') },
  });

it('closes the input of a program when it has answered, and waits for its end', async () => {
  const end = await talking('read a; echo "$a?"; echo fine; cat; echo over');
  expect(end).toEqual({ kind: 'ended', code: 0, text: 'how are you?\nfine\nover\n', beside: '' });
});

it('takes a program that does not listen as it is', async () => {
  expect(await talking('exec <&-; echo no >&2; exit 3')).toEqual({ kind: 'ended', code: 3, text: '', beside: 'no\n' });
});

it('does not wait for an answer longer than its time', async () => {
  expect(await talking('cat', 100)).toEqual({ kind: 'failed', because: 'no answer within 0.1 s' });
});
