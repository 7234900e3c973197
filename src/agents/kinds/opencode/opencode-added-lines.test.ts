// Lines that our plugin adds to the stream of opencode about the root agent: which model answers, and until when a refused request waits.
import { expect, it } from 'vitest';
import { StreamReader } from '../../stream/stream-reader.ts';
import { opencodeEvents } from './opencode-stream.ts';

const now = 1_794_922_940_000;
const tokens = { input: 90, output: 20, reasoning: 0, cache: { read: 10, write: 0 } };
const answers = (message: string, model: string) => ({
  type: 'model',
  timestamp: now,
  sessionID: 'root',
  message,
  model,
});
const step = (messageID: string, reason = 'tool-calls') => ({
  type: 'step_finish',
  sessionID: 'root',
  part: { messageID, reason, tokens, cost: 0 },
});
const refused = (waitMs: number, more: object = { sessionID: 'root' }) => ({
  type: 'retry',
  timestamp: now,
  message: 'slow down',
  next: now + waitMs,
  ...more,
});

function read(...lines: readonly object[]) {
  const reader = new StreamReader(opencodeEvents);
  for (const line of lines) reader.feed(`${JSON.stringify(line)}\n`);
  return { seen: reader.seen, ...reader.end() };
}

it('what an answer used is of its model, also if the next one has begun', () => {
  const { usage } = read(answers('1', 'p/big'), answers('2', 'p/small'), step('1'), step('2'), step('1'), step('3'));
  expect(usage.map(({ model, input }) => [model, input])).toEqual([
    ['p/big', 180],
    ['p/small', 90],
    ['', 90],
  ]);
});

it('the model of the last answer is known in a conversation of any length', () => {
  const all = Array.from({ length: 300 }, (_, i) => [answers(`${i}`, 'p/m'), step(`${i}`)]);
  expect(read(...all.flat()).usage).toMatchObject([{ model: 'p/m', input: 300 * 90 }]);
});

it('that a model is asked is no sign that the agent has begun', () => {
  expect(read(answers('1', 'p/m')).seen.events).toBe(0);
});

it.each([{ sessionID: 'root' }, { subagent: 'sub' }])(
  'a wait that the service has asked for is its limit: %j',
  (of) => {
    expect(read(refused(3_600_000, of))).toMatchObject({
      seen: { isOver: true },
      session: 'sessionID' in of ? 'root' : null,
      result: { class: 'rate-limit', text: 'slow down' },
      resetsAt: now + 3_600_000,
    });
  },
);

it('a short wait is its own, and an agent that goes on after a long one has no result', () => {
  expect(read(refused(40_000))).toMatchObject({ seen: { events: 2, isOver: false }, result: null, resetsAt: null });
  const call = {
    type: 'tool_use',
    sessionID: 'root',
    part: { tool: 'read', state: { status: 'completed', input: {} } },
  };
  expect(read(refused(3_600_000), call)).toMatchObject({ seen: { isOver: false }, result: null });
});

it('what a model says changes nothing', () => {
  const said = JSON.stringify(refused(3_600_000));
  expect(read({ type: 'text', sessionID: 'root', part: { text: said } })).toMatchObject({ result: null, said });
  expect(read({ ...refused(0), next: 'tomorrow' })).toMatchObject({ result: null, resetsAt: null });
});
