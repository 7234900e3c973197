// How far a stream is while it goes on: whether the agent has said how its work ended.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kindOf } from '../kind.ts';
import { StreamReader } from './stream-reader.ts';

const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const result = line({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', session_id: 's' });
const said = line({ type: 'assistant', message: { content: [{ type: 'text', text: 'Hm.' }] } });
const task = (subtype: string) => line({ type: 'system', subtype, task_id: 't1', session_id: 's' });

it.each<[string, string[], boolean]>([
  ['nothing yet', [], false],
  ['a word', [said], false],
  ['a result', [said, result], true],
  ['a result, and what nobody reads behind it', [said, result, line({ type: 'system', subtype: 'other' })], true],
  ['more after a result', [result, said], false],
  ['a second result', [result, said, result], true],
  ['work in the background', [task('task_started'), said, result], false],
  ['work in the background that has ended', [task('task_started'), said, task('task_notification'), result], true],
  [
    'a notification behind a result: it may be called back',
    [task('task_started'), result, task('task_notification')],
    false,
  ],
])('%s', (_, lines, isOver) => {
  const reader = new StreamReader(kindOf({ kind: 'claude' })!.events!);
  for (const one of lines) reader.feed(one);
  expect(reader.seen.isOver).toBe(isOver);
});

it.each(['claude', 'codex', 'opencode', 'gemini'])('a recorded stream of %s ends with its result', (kind) => {
  const reader = new StreamReader(kindOf({ kind })!.events!);
  expect(reader.seen).toEqual({ events: 0, isOver: false });
  reader.feed(readFileSync(`test/fixtures/streams/${kind}/done.jsonl`, 'utf8'));
  expect(reader.seen.isOver).toBe(true);
  expect(reader.seen.events).toBeGreaterThan(2);
});
