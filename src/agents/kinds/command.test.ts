import { describe, expect, it } from 'vitest';
import { anyEvents } from '../kind.ts';
import { StreamReader } from '../stream/stream-reader.ts';

const claude = (name: string, input: unknown, id = 'x') =>
  `${JSON.stringify({ type: 'assistant', message: { id, content: [{ type: 'tool_use', id, name, input }] } })}\n`;
const read = (...texts: string[]) => {
  const rows: [string, number][] = [];
  const reader = new StreamReader(anyEvents, { onRow: (call, times) => rows.push([call, times]) });
  for (const text of texts) reader.feed(text);
  const { calls: count, ...rest } = reader.end();
  return { ...rest, count, rows };
};

describe('the stream of a program that wraps a coding agent', () => {
  it('counts what Claude Code prints, and tells a row of one call with other ids', () => {
    const { count, longest, rows } = read(
      claude('Bash', { command: 'ls' }, '1'),
      claude('Bash', { command: 'ls' }, '2'),
      claude('Bash', { command: 'ls' }, '3'),
      claude('Bash', { command: 'pwd' }),
    );
    expect(count).toBe(4);
    expect(longest).toEqual({ call: 'Bash {"command":"ls"}', times: 3 });
    expect(rows.map(([, times]) => times)).toEqual([2, 3]);
  });

  it.each([
    ['codex', '{"type":"item.started","item":{"type":"command_execution","command":"make"}}'],
    ['codex', '{"type":"item.completed","item":{"type":"mcp_tool_call","server":"s","tool":"t","arguments":{}}}'],
    ['codex', '{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"a"}]}}'],
    ['codex', '{"type":"item.completed","item":{"type":"web_search","query":"a"}}'],
    ['opencode', '{"type":"tool_use","part":{"tool":"bash","state":{"status":"completed","input":{"command":"ls"}}}}'],
    ['gemini', '{"type":"tool_use","tool_name":"shell","tool_id":"1","parameters":{"command":"ls"}}'],
  ])('counts what %s prints', (_, line) => {
    expect(read(`${line}\n${line}`)).toMatchObject({ count: 2, longest: { times: 2 } });
  });

  it('knows none where the stream has none, and nothing where there is no stream', () => {
    expect(read('{"type":"result","session_id":"s","result":"Done."}\n').count).toBe(0);
    expect(read('{"type":"thread.started","thread_id":"t"}\n').count).toBe(0);
    expect(read('{"type":"step_start","sessionID":"s","part":{}}\n').count).toBe(0);
    expect(read('Done.\n{"type":"result"}\n{"a":1}\n')).toMatchObject({ count: null, longest: null, output: true });
    expect(read(' \n\t\n').output).toBe(false);
  });

  it('joins the pieces of a message of Gemini, and begins anew after a call', () => {
    const piece = (content: string) =>
      `${JSON.stringify({ type: 'message', role: 'assistant', content, delta: true })}\n`;
    const call = '{"type":"tool_use","tool_name":"shell","tool_id":"1","parameters":{}}\n';
    expect(read(piece('I '), piece('look.')).said).toBe('I look.');
    expect(read(piece('I look.'), call, piece('All '), piece('done.'))).toMatchObject({ said: 'All done.', count: 1 });
  });

  it('takes an error that Codex recovers from for no result', () => {
    expect(read('{"type":"error","message":"Reconnecting... 1/1"}\n').result).toBeNull();
  });

  it('reads across pieces of any size', () => {
    const text = claude('Bash', { command: 'ä'.repeat(10) }) + claude('Read', {});
    expect(read(...text).count).toBe(2);
  });

  it.each([
    ['null', '{"type":"assistant","message":null}'],
    ['wrong kinds', '{"type":"assistant","message":{"content":[null,1,{"type":"tool_use"},[]]}}'],
    ['prototype keys', '{"__proto__":{"type":"assistant"},"constructor":1}'],
    ['half a line', '{"type":"assistant","message":{"content":[{"type":"tool_'],
    ['nested', `{"type":"assistant","message":${'['.repeat(50_000)}`],
    ['binary', '{\0\u0001\ufffd\u001b[2J'],
  ])('is not disturbed by %s', (_, line) => {
    expect(read(`${line}\n`, claude('Bash', {})).count).toBeGreaterThanOrEqual(1);
  });

  it('keeps no line that is too long, and goes on behind it', () => {
    const reader = new StreamReader(anyEvents);
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) reader.feed(`{"type":"assistant",${'x'.repeat(1_000_000)}`);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
    reader.feed(`\n${claude('Bash', {})}`);
    expect(reader.end()).toMatchObject({ calls: 1, tooLong: 1 });
  });

  it('shows a call in one short line without control characters', () => {
    const line = claude('Bash', { command: `\u001b[2J\n${'x'.repeat(5_000)}` });
    const { longest } = read(line, line);
    expect(longest!.call.length).toBeLessThanOrEqual(200);
    expect(longest!.call).not.toMatch(/\p{Cc}/u);
  });
});
