import { expect, it } from 'vitest';
import { anEnd } from '../../../test/rigs/agent-log-samples.ts';
import { agentLogEnd } from './agent-log-end.ts';

const now = new Date(2026, 10, 17, 12, 0, 0).getTime();
const usage = { model: 'opus', input: 1_200, output: 60, cached: 30_000, cacheWrite: 500, costUsd: 0.25 };

it('tells how it ended, what it touched and what that cost', () => {
  const end = anEnd({
    version: '2.1.325',
    writes: ['a.ts', 'b.ts'],
    usage: [usage, { ...usage, model: '', cached: 0, cacheWrite: 0 }],
  });
  expect(agentLogEnd({ ...end, costUsd: 1.234, errors: ['warning: old', '  node'] }, now)).toEqual([
    '',
    'Ended: it says that it is done.',
    'Program: version 2.1.325',
    'Tool calls: 2',
    'Files touched: a.ts and b.ts',
    'Tokens: 1,200 in, 30,000 from the cache, 500 into the cache, 60 out (opus)',
    'Tokens: 1,200 in, 60 out',
    'Cost: $1.23',
    'Standard error:',
    '  warning: old',
    '    node',
  ]);
});

it.each([
  ['done, but tools were refused', { denied: ['Write'] }, 'Ended: it was refused tools that it needed.'],
  ['nothing said', { result: null }, 'Ended: it ended without saying that it is finished.'],
  ['running', { result: null, isRunning: true }, 'Still running.'],
  [
    'another reason than its last message',
    { result: { class: 'crash', text: 'No conversation found' } as const },
    'Ended: it ended with an error: No conversation found',
  ],
  [
    'the reason that was printed',
    { result: { class: 'overload', text: 'Bye.' } as const },
    /^Ended: it had to .*ed\.$/,
  ],
  [
    'a usage limit',
    { result: { class: 'rate-limit', text: 'Bye.' } as const, resetsAt: now + 3_600_000 },
    'Ended: it reached the usage limit of its account until 13:00:00.',
  ],
])('says how: %s', (_, end, line) => {
  expect(agentLogEnd(anEnd(end), now)[1]).toEqual(line instanceof RegExp ? expect.stringMatching(line) : line);
});

it('tells what it wrote without a lock, in one line', () => {
  const audit = Array.from({ length: 8 }, (_, i) => ({ path: `${i}.ts`, finding: 'unlocked' as const }));
  const [line] = agentLogEnd(anEnd({ audit }), now).filter((text) => text.startsWith('Wrote'));
  expect(line).toMatch(/^Wrote without a lock: 0\.ts \(never locked\), .* and 3 more$/);
});

it.each([
  [null, 'Cost: unknown'],
  [0, 'Cost: $0.00'],
  [0.002406, 'Cost: $0.0024'],
  [12, 'Cost: $12.00'],
])('a cost of %s', (costUsd, line) => {
  expect(agentLogEnd(anEnd({ costUsd }), now)).toContain(line);
});

it('warns of one that waits for what will not come', () => {
  expect(agentLogEnd(anEnd({ waits: "I'll check back." }), now).slice(1, 3)).toEqual([
    'Ended: it says that it is done.',
    'Warning: its last message says that it waits, and nothing calls it back: "I\'ll check back."',
  ]);
  expect(agentLogEnd(anEnd({ waits: "I'll check back.", isRunning: true }), now).join()).not.toContain('Warning');
});

it('tells what could not be shown, and no empty standard error', () => {
  const lines = agentLogEnd(anEnd({ tooLong: 2, errors: ['', ' '], calls: null }), now);
  expect(lines).toEqual([
    '',
    'Ended: it says that it is done.',
    'Tokens: unknown',
    'Cost: unknown',
    'Left out: 2 lines too long to read; --raw has all',
  ]);
});
