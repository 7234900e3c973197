import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { AttemptId } from '../../core/model/ids.ts';
import { errorFile, outputFile } from '../process/attempt-files.ts';
import { tailOfLog } from './tail-of-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let token = 0;
function tail(output: string, errors: string | null, lines = 3, maxBytes = 1_000) {
  const name = { token: ++token, attempt: 'a#1' as AttemptId };
  writeFileSync(outputFile(folder, name), output);
  if (errors !== null) writeFileSync(errorFile(folder, name), errors);
  return tailOfLog(folder, name, '/w', { lines, maxBytes });
}
const recorded = (name: string) => readFileSync(`test/fixtures/streams/${name}.jsonl`, 'utf8');

it('has the last lines of a coding agent in words, and of others as they are', () => {
  const done = recorded('claude/done');
  expect(tail(done, '')).toEqual(['    hello', '    oops', 'All done.']);
  expect(tail('a\nb\nc\nd\n', null)).toEqual(['b', 'c', 'd']);
  expect(tail(done, null).join('\n')).toMatch(/^….*\}$/);
});

it('has its standard error where it did not end well', () => {
  expect(tail('', 'error: unknown option\n')).toEqual(['error: unknown option']);
  expect(tail(recorded('claude/terminated'), 'Killed\n')).toEqual([
    '▸ Bash python3 -c "import time; time.sleep(60)"',
    '  ✖ Exit code 137',
    'Killed',
  ]);
  expect(tail(recorded('claude/done'), 'warning: old node\n').at(-1)).toBe('All done.');
});

it('is bounded, and begins with a whole line', () => {
  const said = (text: string) =>
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`;
  const many = said('one two three').repeat(10_000);
  expect(tail(many, '', 5)).toEqual(Array(5).fill('one two three'));
  expect(tail(many, '', 1_000, 30)).toEqual(Array(2).fill('one two three'));
  expect(new Set(tail(many, '', 100_000, 1_000_000))).toEqual(new Set(['one two three']));
});
