// Lines that our plugin adds to the stream of opencode: what subagents did and used, and what the program has loaded.
import { expect, it } from 'vitest';
import { StreamReader } from '../../stream/stream-reader.ts';
import { opencodeEvents } from './opencode-stream.ts';

const tokens = { input: 90, output: 20, reasoning: 0, cache: { read: 10, write: 0 } };
const finish = (cost: number, reason = 'stop') => ({ type: 'step-finish', reason, tokens, cost });
const step = (cost: number, reason = 'stop') => ({
  type: 'step_finish',
  sessionID: 'root',
  part: finish(cost, reason),
});
const task = (sessionId: string) => ({
  type: 'tool_use',
  sessionID: 'root',
  part: { callID: 't', tool: 'task', state: { status: 'completed', input: {}, metadata: { sessionId } } },
});
const write = { tool: 'write', callID: 'w', state: { status: 'completed', input: { filePath: '/w/sub.txt' } } };
const bySub = (type: string, part: object, subagent = 'sub', model = 'p/small') => ({ type, subagent, model, part });

function read(...lines: readonly object[]) {
  const reader = new StreamReader(opencodeEvents);
  for (const line of lines) reader.feed(`${JSON.stringify(line)}\n`);
  return { seen: reader.seen, ...reader.end() };
}

it('a subagent counts with its calls, its files and what it cost, but neither its words nor its end', () => {
  const said = { type: 'text', subagent: 'sub', part: { text: 'Sub.' } };
  const report = read(
    bySub('tool_use', write),
    said,
    bySub('step_finish', finish(0.3)),
    task('sub'),
    step(0.2, 'tool-calls'),
  );
  expect(report).toMatchObject({ calls: 2, writes: ['/w/sub.txt'], session: 'root', said: '', result: null });
  expect(report.costUsd).toBeCloseTo(0.5);
  expect(report.usage.map(({ model, input }) => [model, input])).toEqual([
    ['p/small', 90],
    ['', 90],
  ]);
  expect(report.isPartial).toBeUndefined();
});

it('a subagent of which nothing was told makes the cost unknown', () => {
  expect(read(task('sub'), bySub('step_finish', finish(0.3), 'another'), step(0.2)).isPartial).toBe(true);
});

it('a model without a price does too', () => {
  expect(read(bySub('step_finish', finish(0)), task('sub'), step(0.2)).costUsd).toBeNull();
});

it('what was loaded is told without our server, and is no sign that the agent has begun', () => {
  const plugins = ['file:///home/x/.config/opencode/plugin/p.ts', 'opencode-foo@1.2.3', '@scope/name@2'];
  const { loaded, seen } = read({ type: 'loaded', plugins, servers: ['signalbox', 'db'] });
  expect(loaded).toEqual(['plugin p.ts', 'plugin opencode-foo@1.2.3', 'plugin @scope/name@2', 'MCP server db']);
  expect(seen.events).toBe(0);
});

it('a conversation that is too long again and again, without a call in between, goes nowhere', () => {
  const error = { name: 'ContextOverflowError', data: { message: 'prompt is too long' } };
  const overflow = { type: 'error', sessionID: 'root', error };
  const shortened = { type: 'text', sessionID: 'root', part: { text: 'Summary.' } };
  expect(read(overflow, shortened, overflow).seen.isStuck).toBeUndefined();
  expect(read(overflow, overflow, task(''), overflow).seen.isStuck).toBeUndefined();
  expect(read(overflow, shortened, step(0.1), overflow, step(0.1), overflow, shortened, step(0.1))).toMatchObject({
    seen: { isOver: true, isStuck: true },
    result: { class: 'context', text: 'prompt is too long' },
  });
});
