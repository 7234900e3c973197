import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lastAction } from './last-action.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'a.log');
const actionAfter = (...lines: unknown[]) => {
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return lastAction(file, '/w');
};
const recorded = (name: string) => readFileSync(`test/fixtures/streams/${name}.jsonl`, 'utf8').trimEnd().split('\n');

const call = (name: string, input: unknown) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: '1', name, input }] },
});
const result = (content: string) => ({ type: 'user', message: { content: [{ type: 'tool_result', content }] } });
const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });

describe('what an agent does now', () => {
  it.each([
    ['claude/done', ['', 'I write the file.', 'Write a.txt', 'Write a.txt', 'Bash cat a.txt; echo oops >&2; exit 3']],
    [
      'codex/done',
      [
        '',
        '',
        '',
        '',
        'I write the file.',
        'I write the file.',
        'patch /work/wd/a.txt',
        'command cat a.txt; echo oops >&2; exit 3',
      ],
    ],
    ['gemini/done', ['', '', 'I write the file.', 'write_file a.txt', 'write_file a.txt']],
    ['opencode/done', ['', 'I write the file.', 'write a.txt', 'write a.txt', 'write a.txt']],
    ['claude/overload', ['', 'tries again: overloaded']],
    ['claude/terminated', ['', 'Bash python3 -c "import time; time.sleep(60)"']],
  ])('is told after each line of %s', (name, told) => {
    const lines = recorded(name);
    expect(told.map((_, i) => actionAfter(...lines.slice(0, i + 1)) ?? '')).toEqual(told);
  });

  it('is the last message once there is one after the calls', () => {
    for (const kind of ['claude', 'codex', 'gemini', 'opencode'])
      expect(actionAfter(...recorded(`${kind}/done`))).toBe('All done.');
  });

  it('is the call before a result of many lines, or of one long line', () => {
    for (const size of [10, 20_000, 200_000, 900_000])
      expect(actionAfter(call('Read', { file_path: '/w/a.ts' }), result('x'.repeat(size)))).toBe('Read a.ts');
    expect(actionAfter(call('Read', { file_path: '/w/a.ts' }), result('x'.repeat(3_000_000)))).toBeNull();
  });

  it('is a message from its beginning, also when it comes in pieces', () => {
    expect(actionAfter(call('Read', {}), piece('I '), piece('look '), piece('around.\nThen I go.'))).toBe(
      'I look around.',
    );
    expect(actionAfter(piece('I '), piece('look.'))).toBe('I look.');
    expect(actionAfter(piece('  '), piece('\n'))).toBeNull();
  });

  it('is not known without a stream, and not disturbed by what is none', () => {
    expect(lastAction(join(folder, 'none'), '/w')).toBeNull();
    expect(actionAfter()).toBeNull();
    expect(actionAfter('hello', '{"a":1}', 'null', '[]')).toBeNull();
    expect(actionAfter(call('Read', { path: 'a' }), 'warning: slow', '{"type":"assist')).toBe('Read a');
  });

  it('is one harmless line', () => {
    const said = { type: 'assistant', message: { content: [{ type: 'text', text: '\n\n a\x1b[2Jb\r\u202ec \nd' }] } };
    expect(actionAfter(said)).toBe('ab c');
    expect(actionAfter(call('Bash', { command: `echo ${'x'.repeat(500)}` }))).toHaveLength(120);
  });
});
