// How an attempt failed, as the next one is told.
import { expect, it } from 'vitest';
import { failureInWords } from './failure-in-words.ts';

it('says every failure in words', () => {
  expect(failureInWords({ kind: 'timeout', limitMs: 60_000 })).toBe('was ended because it took longer than 1 min');
  expect(failureInWords({ kind: 'idle', limitMs: 1500 })).toBe('was ended because it printed nothing for 1.5 s');
  expect(failureInWords({ kind: 'lost', times: 2 })).toContain('lost');
  expect(failureInWords({ kind: 'unstartable', message: 'no such tool' })).toContain('no such tool');
});

it('says of a coding agent what went wrong, if that is known', () => {
  expect(failureInWords({ kind: 'agent', class: 'crash', message: 'boom' })).toBe('did not finish (crash): boom');
  expect(failureInWords({ kind: 'agent', class: 'killed', message: '' })).toBe('did not finish (killed)');
  expect(failureInWords({ kind: 'agent', class: 'no-result', message: 'Half a' })).toBe(
    'ended without saying that it is finished: Half a',
  );
});
