// What the real programs printed, in the versions that are named beside each kind, and what is understood of it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelUsage, ResultClass } from '../../core/model/agent-result.ts';
import { kindOf } from '../kind.ts';
import { StreamReader, type StreamReport } from './stream-reader.ts';

const folder = 'test/fixtures/streams';

function reportOf(kind: string, text: string): StreamReport {
  const reader = new StreamReader(kindOf({ kind })!.events!);
  reader.feed(text);
  return reader.end();
}

interface Expected {
  readonly class: ResultClass | null;
  readonly text?: RegExp;
  readonly session?: RegExp | null;
  /** How often the model was asked; each question is 100 tokens, 10 of them cached, and each answer 20. */
  readonly asked?: number;
  readonly costUsd?: number | null;
  readonly calls?: number | null;
  readonly writes?: readonly string[];
  readonly denied?: readonly string[];
  readonly resetsAt?: number;
  /** Where it is told in this recording. */
  readonly model?: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const opus = 0.000802;

const claude: Record<string, Expected> = {
  done: { class: 'done', text: /^All done\.$/, asked: 3, calls: 2, writes: ['a.txt'] },
  nothing: { class: 'done', text: /^I am done\.$/, asked: 1 },
  'before-resume': { class: 'done', asked: 3, calls: 2, writes: ['a.txt'] },
  // Its total counts the four questions of both.
  resumed: { class: 'done', text: /^Done again\.$/, asked: 1 },
  'hook-denied': { class: 'done', asked: 2, calls: 1 },
  'permission-denied': { class: 'done', asked: 2, calls: 1, denied: ['Write'] },
  'max-turns': { class: 'max-turns', text: /number of turns \(2\)/, asked: 2, calls: 2 },
  budget: { class: 'budget', text: /maximum budget/, asked: 1, calls: 1 },
  'rate-limit': { class: 'rate-limit', text: /429/ },
  'usage-limit': { class: 'rate-limit', text: /5-hour limit/, resetsAt: 1_794_776_500_000 },
  overload: { class: 'overload', text: /529 Overloaded/ },
  'server-error': { class: 'overload', text: /500 boom/ },
  billing: { class: 'billing', text: /Credit balance is too low/ },
  authentication: { class: 'authentication', text: /Invalid API key/ },
  'unknown-session': { class: 'crash', text: /No conversation found/, session: null },
  interrupted: { class: 'crash', asked: 1, calls: 1 },
  terminated: { class: null, calls: 1, costUsd: null },
  context: { class: 'context', text: /Prompt is too long/ },
};

const codex: Record<string, Expected> = {
  done: { class: 'done', text: /^All done\.$/, asked: 3, calls: 2, writes: ['/work/wd/a.txt'] },
  nothing: { class: 'done', text: /^I am done\.$/, asked: 1 },
  'before-resume': { class: 'done', asked: 3, calls: 1 },
  // It counts the three questions before it was resumed.
  resumed: { class: 'done', text: /^Done again\.$/, asked: 4 },
  'hook-denied': { class: 'done', asked: 2 },
  'rate-limit': { class: 'rate-limit', text: /429 Too Many/ },
  'rate-limit-in-stream': { class: 'rate-limit', text: /rate limit exceeded/ },
  'usage-limit': { class: 'rate-limit', text: /usage limit/, resetsAt: new Date(2026, 10, 15, 21, 2).getTime() },
  billing: { class: 'billing', text: /Quota exceeded/ },
  overload: { class: 'overload', text: /at capacity/ },
  authentication: { class: 'authentication', text: /401 Unauthorized/ },
  context: { class: 'context', text: /context window/ },
};

const opencode: Record<string, Expected> = {
  done: { class: 'done', text: /^All done\.$/, asked: 3, calls: 2, writes: ['a.txt'], costUsd: 3 * 0.00013 },
  nothing: { class: 'done', text: /^I am done\.$/, asked: 1, costUsd: 0.00013 },
  authentication: { class: 'authentication', text: /bad key/ },
  'with-model': {
    ...{ class: 'done', text: /^All done\.$/, model: 'scripted/m1' },
    ...{ asked: 3, calls: 2, writes: ['a.txt'], costUsd: 3 * 0.00013 },
  },
  'usage-limit': {
    ...{ class: 'rate-limit', text: /^Usage limit reached/, model: 'scripted/m1', resetsAt: 1_795_039_360_730 },
    ...{ asked: 1, calls: 1, writes: ['a.txt'], costUsd: 0.00013 },
  },
  // Without our plugin it waits and says nothing.
  'rate-limit': { class: null, session: null, calls: null },
};

const gemini: Record<string, Expected> = {
  done: { class: 'done', text: /^All done\.$/, asked: 3, calls: 2, writes: ['a.txt'] },
  nothing: { class: 'done', text: /^I am done\.$/, asked: 1 },
  'rate-limit': { class: 'rate-limit', text: /daily quota/ },
  authentication: { class: 'authentication', text: /API key not valid/ },
  context: { class: 'context', text: /token count \(1150200\) exceeds/ },
  // It was in plan mode, which no attempt of ours is offered.
  'policy-denied': { class: 'done', asked: 3, calls: 2, denied: ['write_file'] },
  'hook-denied': { class: 'done', asked: 2, calls: 1 },
};

/** What the scripted model says that it used. Gemini and Codex count what was cached as input, opencode and Claude do not. */
const perQuestion: Record<string, Pick<ModelUsage, 'model' | 'input'>> = {
  claude: { model: 'claude-opus-5-5', input: 100 },
  codex: { model: '', input: 90 },
  opencode: { model: '', input: 90 },
  gemini: { model: 'gemini-2.5-flash', input: 90 },
};

describe.each(Object.entries({ claude, codex, opencode, gemini }))('recorded streams of %s', (kind, table) => {
  it('are all in the table', () => {
    const recorded = readdirSync(`${folder}/${kind}`).map((name) => name.replace(/\.jsonl$/, ''));
    expect(Object.keys(table).sort()).toEqual(recorded.sort());
  });

  it.each(Object.entries(table))('%s', (name, expected) => {
    const report = reportOf(kind, readFileSync(`${folder}/${kind}/${name}.jsonl`, 'utf8'));
    const { asked = 0, session = kind === 'opencode' ? /^ses_/ : uuid } = expected;
    expect(report.result?.class ?? null).toBe(expected.class);
    if (expected.text) expect(report.result?.text).toMatch(expected.text);
    if (session === null) expect(report.session).toBeNull();
    else expect(report.session).toMatch(session);
    expect(report.calls).toBe(expected.calls === undefined ? 0 : expected.calls);
    expect(report.writes).toEqual(expected.writes ?? []);
    expect(report.denied).toEqual(expected.denied ?? []);
    expect(report.resetsAt).toBe(expected.resetsAt ?? null);
    expect(report.tooLong).toBe(0);
    const { model, input } = perQuestion[kind]!;
    const used = {
      model: expected.model ?? model,
      input: asked * input,
      output: asked * 20,
      cached: asked * 10,
      cacheWrite: 0,
    };
    if (asked > 0) expect(report.usage).toMatchObject([used]);
    else expect(report.usage.filter((usage) => usage.input + usage.output > 0)).toEqual([]);
    const cost = expected.costUsd === undefined ? (kind === 'claude' ? asked * opus : null) : expected.costUsd;
    if (cost === null) expect(report.costUsd).toBeNull();
    else expect(report.costUsd).toBeCloseTo(cost, 9);
  });
});

describe('the error of a failed turn of Codex', () => {
  it.each([
    ['unexpected status 503 Service Unavailable: try later', 'overload'],
    ['unexpected status 500: boom', 'overload'],
    ['stream disconnected before completion', 'overload'],
    ['the answer has 1500 tokens more than are allowed', 'crash'],
    ['model gpt-503 is not known', 'crash'],
    ['no file 5000 here', 'crash'],
    ['Bad response: 502 Bad Gateway', 'overload'],
    ['exceeded retry limit, last status: 529', 'overload'],
  ])('%s', (message, expected) => {
    const text = `${JSON.stringify({ type: 'turn.failed', error: { message } })}\n`;
    expect(reportOf('codex', text).result?.class).toBe(expected);
  });
});

describe('what an agent wrote', () => {
  const line = (content: object, type = 'assistant') =>
    `${JSON.stringify({ type, message: { content: [content] } })}\n`;
  const write = (id: string, file: string) =>
    line({ type: 'tool_use', id, name: 'Write', input: { file_path: file, content: '' } });
  const back = (id: string, isError: boolean) =>
    line({ type: 'tool_result', tool_use_id: id, content: '', is_error: isError }, 'user');

  it('has no files of calls that failed, and those of a call that never returned', () => {
    const text = write('1', 'good') + write('2', 'bad') + back('2', true) + back('1', false) + write('3', 'cut');
    expect(reportOf('claude', text).writes).toEqual(['good', 'cut']);
  });

  it('has a file that a later call failed to write', () => {
    expect(reportOf('claude', write('1', 'a') + back('1', false) + write('2', 'a') + back('2', true)).writes).toEqual([
      'a',
    ]);
  });
});

describe('a question to a person', () => {
  const ask = (questions: unknown) =>
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: '1', name: 'AskUserQuestion', input: { questions } }] } })}\n`;
  const call = '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"2","name":"Bash","input":{}}]}}\n';
  const options = [{ label: 'A' }, { label: 'B' }, {}];

  it.each([
    ['Which one? (A / B)\nWhy?', ask([{ question: 'Which one?', options }, { question: 'Why?' }])],
    ['Later?', ask([{ question: 'First?' }]) + ask([{ question: 'Later?' }])],
    ['', ask([{ question: 'Which one?' }]) + call],
    ['', ask([{}, null])],
    ['', ask('Which one?')],
  ])('is %j', (wanted, text) => {
    expect(reportOf('claude', text)).toMatchObject({ asked: wanted });
  });
});

describe('a tool that Claude Code refuses', () => {
  const json = (fields: object) => `${JSON.stringify(fields)}\n`;
  const back = (id: string, content: string, more: object = {}) =>
    json({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: true }] },
      ...more,
    });
  const result = (...denials: readonly [string, string][]) =>
    json({
      type: 'result',
      session_id: 's',
      is_error: false,
      permission_denials: denials.map(([id, tool]) => ({ tool_name: tool, tool_use_id: id, tool_input: {} })),
    });
  const byHook = { tool_result_meta: [{ id: '2', permission_decision: { decision: 'reject', source: 'hook' } }] };

  const refused = back('1', 'Permission to use Bash has been denied.');

  it.each<[string, string, readonly string[]]>([
    ['by a denial of ours', back('2', 'Signalbox: b.txt is locked by b#1 (task b).'), ['Bash']],
    ['by a hook that failed', back('2', 'PreToolUse:Write hook error: [x]: no'), ['Bash']],
    ['by a hook, as newer versions tell', back('2', 'b.txt is locked', byHook), ['Bash']],
    ['by words of somebody else', back('2', 'not on Fridays'), ['Bash', 'Write']],
    ['by words about another call', back('3', 'b.txt is locked', byHook), ['Bash', 'Write']],
  ])('is told in its result, beside a call that was denied %s', (_, text, denied) => {
    expect(reportOf('claude', refused + text + result(['1', 'Bash'], ['2', 'Write'])).denied).toEqual(denied);
  });

  it('is none if it asks a person', () => {
    expect(reportOf('claude', result(['1', 'AskUserQuestion'])).denied).toEqual([]);
  });

  it('is none if nothing has a name', () => {
    const odd = json({ type: 'result', session_id: 's', is_error: false, permission_denials: [null, {}, 7] });
    expect(reportOf('claude', odd).denied).toEqual([]);
  });
});

describe('a tool that opencode rejects', () => {
  const used = (error: string) =>
    `${JSON.stringify({ type: 'tool_use', sessionID: 's', part: { tool: 'read', callID: '1', state: { status: 'error', error } } })}\n`;

  it.each([
    [['read'], 'The user rejected permission to use this specific tool call.'],
    [[], 'File not found: The user rejected permission'],
  ])('is refused: %j', (denied, error) => {
    expect(reportOf('opencode', used(error)).denied).toEqual(denied);
  });
});

describe('the end of a turn', () => {
  const result = (more: object) => `${JSON.stringify({ type: 'result', session_id: 's', is_error: false, ...more })}\n`;
  const call = '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{}}]}}\n';
  const used = (input: number, costUSD: number) => ({ m: { inputTokens: input, costUSD } });

  it('decides no more when the agent goes on', () => {
    expect(reportOf('claude', `${result({ result: 'wait' })}${call}`).result).toBeNull();
    expect(reportOf('claude', `${result({ result: 'a' })}${call}${result({ result: 'b' })}`).result?.text).toBe('b');
  });

  it('decides when mere notices follow', () => {
    const text = `${result({ result: 'a' })}{"type":"system","subtype":"task_notification"}\n`;
    expect(reportOf('claude', text).result).toEqual({ class: 'done', text: 'a' });
  });

  it('is not good where nothing says so', () => {
    expect(reportOf('claude', result({ is_error: undefined, result: 'a' })).result?.class).toBe('crash');
    expect(reportOf('gemini', '{"type":"result","status":"odd"}\n').result?.class).toBe('crash');
    expect(
      reportOf('opencode', '{"type":"step_finish","sessionID":"s","part":{"reason":"length"}}\n').result,
    ).toBeNull();
  });

  it('adds up what was used since the one before, and takes a total as it is', () => {
    const since = (input: number, cost: number) =>
      result({ model_usage_since_last_result: used(input, cost), modelUsage: used(999, 9), total_cost_usd: 9 });
    expect(reportOf('claude', since(5, 0.5) + since(7, 0.25))).toMatchObject({ usage: [{ input: 12 }], costUsd: 0.75 });
    const total = (input: number, cost: number) => result({ modelUsage: used(input, cost), total_cost_usd: cost });
    expect(reportOf('claude', total(5, 0.5) + total(7, 0.75))).toMatchObject({ usage: [{ input: 7 }], costUsd: 0.75 });
    const unpriced = result({ modelUsage: used(5, 0.5) });
    expect(reportOf('claude', unpriced + unpriced)).toMatchObject({ usage: [{ input: 5 }], costUsd: 0.5 });
  });

  it('has no numbers that a log cannot hold', () => {
    const text = `{"type":"result","session_id":"s","is_error":false,"total_cost_usd":1e999,"modelUsage":{"m":{"inputTokens":1e999,"outputTokens":-1,"costUSD":-1e999}}}`;
    expect(reportOf('claude', text)).toMatchObject({ costUsd: 0, usage: [{ input: 0, output: 0, costUsd: 0 }] });
  });
});

describe('messages in pieces', () => {
  const piece = (content: string, delta = true) =>
    `${JSON.stringify({ type: 'message', role: 'assistant', content, delta })}\n`;
  const tool = '{"type":"tool_use","tool_name":"x","tool_id":"1","parameters":{}}\n';

  it('are one until something else comes', () => {
    expect(reportOf('gemini', piece('I ') + piece('begin.') + tool + piece('All ') + piece('done.')).said).toBe(
      'All done.',
    );
    expect(reportOf('gemini', piece('One.', false) + piece('Two.', false)).said).toBe('Two.');
  });
});

describe('an error of Gemini CLI', () => {
  it.each<[ResultClass, string]>([
    ['overload', '[API Error: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]'],
    ['overload', 'got status: 500 Internal'],
    ['crash', 'the file has 150200 lines'],
    ['crash', 'request 4291 at line 1401 and 4035'],
    ['rate-limit', 'status 429'],
    ['authentication', 'status 401'],
    ['context', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    ['context', 'The input token count exceeds the maximum number of tokens allowed 1048576.'],
  ])('is %s: %s', (as, message) => {
    const line = { type: 'result', status: 'error', error: { type: 'unknown', message } };
    expect(reportOf('gemini', `${JSON.stringify(line)}\n`).result?.class).toBe(as);
  });
});

describe('what Claude Code has loaded', () => {
  const init = (more: object) => `${JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', ...more })}\n`;

  it('is named unless it came with it', () => {
    const plugins = [{ name: 'own', path: 'builtin' }, { name: 'theirs', path: '/home/x/p' }, 7];
    const { loaded } = reportOf('claude', init({ plugins, mcp_servers: [{ name: 'db' }, { name: 'signalbox' }] }));
    expect(loaded).toEqual(['plugin theirs', 'MCP server db']);
    expect(reportOf('claude', init({})).loaded).toEqual([]);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 99 }, () => ({ name: 'x'.repeat(9_999), path: '' }));
    const { loaded } = reportOf('claude', init({ plugins: many }));
    expect([loaded.length, loaded[0]!.length]).toEqual([20, 200]);
  });
});
