import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ReadableLog } from './readable-log.ts';

function read(texts: Iterable<string>, root = '/w') {
  const log = new ReadableLog(root);
  let text = '';
  for (const part of texts) text += log.feed(part);
  const { text: rest, report } = log.end();
  return { text: text + rest, report };
}
const recorded = (name: string) => readFileSync(`test/fixtures/streams/${name}.jsonl`, 'utf8');
const shown = (...lines: unknown[]) => read(lines.map((line) => `${JSON.stringify(line)}\n`)).text;

const said = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const call = (name: string, input: unknown, id = '1') => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
});
const result = (content: string, isError = false, id = '1') => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
});
const numbers = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}`).join('\n');

describe('the log of a coding agent', () => {
  it('has messages, calls and results', () => {
    expect(read([recorded('claude/done')]).text).toBe(`I write the file.

▸ Write a.txt
    File created successfully at: a.txt (file state is current in your context — no need to Read it back)
▸ Bash cat a.txt; echo oops >&2; exit 3
  ✖ Exit code 3
    hello
    oops

All done.
`);
    expect(read([recorded('codex/done')]).text).toBe(`I write the file.

▸ patch /work/wd/a.txt
▸ command cat a.txt; echo oops >&2; exit 3
  ✖ hello
    oops

All done.
`);
    expect(read([recorded('opencode/done')]).text).toContain('▸ bash cat a.txt; echo oops >&2; exit 3\n  ✖ hello\n');
    expect(read([recorded('gemini/done')]).text).toContain('▸ write_file a.txt\n▸ run_shell_command cat a.txt;');
    expect(read([recorded('claude/overload')]).text).toMatch(/^↻ tries again: overloaded\n\nAPI Error: 529 /);
  });

  it.each(['claude', 'codex', 'gemini', 'opencode'])('reads the same of %s, however it is cut into pieces', (kind) => {
    const text = recorded(`${kind}/done`);
    expect(read(text)).toEqual(read([text]));
    expect(read([text]).text).toMatch(/^I write the file\.\n\n▸ [\s\S]*\n\nAll done\.\n$/);
  });

  it('shows the beginning and the end of a long result, more of a failed one', () => {
    expect(shown(call('Bash', { command: 'x' }), result(numbers(100)))).toBe(`▸ Bash x
    line 1
    line 2
    line 3
    … 96 more lines
    line 100
`);
    expect(shown(call('Bash', { command: 'x' }), result(numbers(100), true))).toBe(`▸ Bash x
  ✖ line 1
    line 2
    line 3
    … 92 more lines
    line 96
    line 97
    line 98
    line 99
    line 100
`);
    expect(shown(call('Bash', { command: 'x' }), result(numbers(5)))).not.toContain('…');
    expect(shown(call('Bash', { command: 'x' }), result('', true))).toBe('▸ Bash x\n  ✖ failed\n');
    expect(shown(call('Bash', { command: 'x' }), result('x'.repeat(1_000_000))).length).toBeLessThan(1_000);
  });

  it('says which call a result belongs to, where there are several', () => {
    const lines = [call('Read', { path: 'a' }, '1'), call('Read', { path: 'b' }, '2')];
    expect(shown(...lines, result('A', false, '1'), result('B', false, '2'))).toBe(
      '▸ Read a\n▸ Read b\n▹ Read a\n    A\n▹ Read b\n    B\n',
    );
    expect(shown(...lines, result('B', false, '2'))).toBe('▸ Read a\n▸ Read b\n    B\n');
    expect(shown(result('of a call that nobody saw', false, '9'))).toBe('    of a call that nobody saw\n');
  });

  it('joins pieces of a message, and nothing else', () => {
    const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
    const used = { type: 'tool_use', tool_name: 'ls', tool_id: '1', parameters: {} };
    expect(shown(piece('I '), piece('look'), piece(' around.'), used, piece('\nDone.'), piece('\n'))).toBe(
      'I look around.\n\n▸ ls\n\nDone.\n',
    );
    expect(shown(said('One.'), said('Two.'))).toBe('One.\n\nTwo.\n');
  });

  it('counts the files of calls that did not fail, from the root of the workspace', () => {
    const lines = [
      call('Write', { file_path: '/w/src/a.ts' }, '1'),
      result('ok', false, '1'),
      call('Edit', { file_path: '/w/b.ts' }, '2'),
      result('b.ts is locked by task other', true, '2'),
      call('Edit', { file_path: '/w/c.ts' }, '3'),
    ];
    expect(read(lines.map((line) => `${JSON.stringify(line)}\n`)).report.writes).toEqual(['src/a.ts', 'c.ts']);
    expect(read([recorded('claude/hook-denied')]).report.writes).toEqual([]);
  });

  it('shows what a program prints beside its stream, but not half a line of it', () => {
    const { text } = read(['Loaded cached credentials.\n', `${JSON.stringify(said('Hi.'))}\n`, '{"type":"assist']);
    expect(text).toBe('Loaded cached credentials.\n\nHi.\n');
  });

  it('has nothing in it that a terminal would obey', () => {
    const evil = 'a\x1b[2J\x1b]0;t\x07\u202eb\x9b31m\rc';
    const text = shown(
      said(evil),
      call(evil, { command: evil }),
      result(evil, true),
      call('Write', { file_path: evil }),
    );
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text).toContain('a');
  });

  it('reads 70 MB with lines of any length, and keeps little of it', () => {
    const big = `${JSON.stringify(result('x'.repeat(5_000_000)))}\n`;
    const tooBig = `${JSON.stringify(said('y'.repeat(20_000_000)))}\n`;
    const log = new ReadableLog('/w');
    let text = '';
    for (const line of [...Array<string>(10).fill(big), tooBig, `${JSON.stringify(said('The end.'))}\n`])
      for (let at = 0; at < line.length; at += 65_536) text += log.feed(line.slice(at, at + 65_536));
    expect(text.length).toBeLessThan(10_000);
    expect(text).toMatch(/^… left out, a line too long to read: \{"type":"assistant".*y…$/m);
    expect(log.end().report).toMatchObject({ said: 'The end.', tooLong: 1 });
  });
});
