import { describe, expect, it } from 'vitest';
import type { StreamReport } from '../../agents/stream/stream-reader.ts';
import { attemptId, taskId } from '../../core/model/ids.ts';
import type { Conversation } from '../../core/state/conversation.ts';
import { agentReport, type ReportParts } from './agent-report.ts';

const stream: StreamReport = {
  output: true,
  calls: 1,
  longest: null,
  session: 's1',
  version: null,
  loaded: [],
  said: 'All done.',
  writes: [],
  denied: [],
  asked: '',
  usage: [],
  costUsd: null,
  resetsAt: null,
  result: { class: 'done', text: '' },
  tooLong: 0,
  unread: null,
};
const parts: ReportParts = {
  ...{ root: '/w', by: 'codex', model: 'gpt-5.5', prices: {}, code: 0, version: null, errors: '' },
  ...{ told: 't1', resumed: null, countsFromBeginning: true, loads: [] },
};
const earlier: Conversation = {
  ...{ id: 's1', attempt: attemptId(taskId('a'), 1), by: 'codex', folder: '/w', told: 't1' },
  used: { input: 400_000, output: 40_000, cached: 500_000, cacheWrite: 0 },
};
const usage = [{ model: '', input: 1_000_000, output: 100_000, cached: 2_000_000, cacheWrite: 0 }];
const price = { input: 1, output: 10, cached: 0.1, cacheWrite: 0 };

describe('the report of a coding agent', () => {
  it('tells what it has taken in, also from the configuration of the person; one that never began, nothing', () => {
    const loads = ['skill mine', 'hook Stop'];
    const told = agentReport({ ...stream, loaded: ['plugin x'] }, { ...parts, loads });
    expect(told.loaded).toEqual(['plugin x', 'skill mine', 'hook Stop']);
    expect(agentReport({ ...stream, session: null }, { ...parts, loads })).not.toHaveProperty('loaded');
    const many = Array.from({ length: 99 }, (_, i) => `skill ${i}`);
    expect(agentReport(stream, { ...parts, loads: many }).loaded).toHaveLength(20);
  });

  it('has no cost where that of a subagent is missing, whatever the rest costs', () => {
    const partial = { ...stream, usage, costUsd: 1, isPartial: true } as const;
    expect(agentReport(partial, { ...parts, prices: { 'gpt-5.5': price } }).costUsd).toBeUndefined();
  });

  it('prices what the program does not, by the model that it was started with', () => {
    const report = agentReport({ ...stream, usage }, { ...parts, prices: { 'gpt-5.5': price } });
    expect(report.costUsd).toBeCloseTo(2.2);
    expect(report.usage![0]!.model).toBe('gpt-5.5');
  });

  it('has no cost without a price, or without a word about usage: unknown is never 0', () => {
    expect(agentReport({ ...stream, usage }, parts)).not.toHaveProperty('costUsd');
    expect(agentReport(stream, { ...parts, prices: { 'gpt-5.5': price } })).not.toHaveProperty('costUsd');
  });

  it('has what was loaded by the stream and by the configuration, each once and not too many', () => {
    expect(agentReport(stream, parts)).not.toHaveProperty('loaded');
    const loaded = ['MCP server a', 'plugin b'];
    const report = agentReport({ ...stream, loaded }, { ...parts, loads: ['MCP server a', 'MCP server \u001b[1mc'] });
    expect(report.loaded).toEqual(['MCP server a', 'plugin b', 'MCP server c']);
    const many = Array.from({ length: 30 }, (_, i) => `MCP server ${i}${'x'.repeat(300)}`);
    const bounded = agentReport(stream, { ...parts, loads: many }).loaded!;
    expect([bounded.length, bounded[0]!.length]).toEqual([20, 200]);
  });

  it('has the version that the program says, else that of the start of the run', () => {
    expect(agentReport(stream, parts)).not.toHaveProperty('version');
    expect(agentReport(stream, { ...parts, version: '1.2.3' }).version).toBe('1.2.3');
    expect(agentReport({ ...stream, version: '1.2.4' }, { ...parts, version: '1.2.3' }).version).toBe('1.2.4');
  });

  it('believes the price that the program names', () => {
    const report = agentReport({ ...stream, usage, costUsd: 7 }, { ...parts, prices: { 'gpt-5.5': price } });
    expect(report.costUsd).toBe(7);
  });

  it.each([
    ['no-result', { code: 0 }],
    ['killed', { code: 137 }],
    ['no-result', { code: null }],
  ])('without a result is %s with %j, and has what was printed beside the stream', (wanted, more) => {
    const report = agentReport({ ...stream, result: null }, { ...parts, ...more, errors: '\u001b[2Jno such option' });
    expect(report).toMatchObject({ class: wanted, said: 'no such option' });
  });

  it.each([
    ['authentication', { code: 41 }],
    ['no-result', { code: 42 }],
    ['no-result', { code: null }],
    ['killed', { code: 143 }],
    ['authentication', { code: 41, resumed: earlier }],
  ] as const)('without a result is %s with %j, where the kind knows its exit codes', (wanted, more) => {
    const classOfExit = (code: number) => (code === 41 ? 'authentication' : null);
    const ended = { ...stream, calls: 0, said: '', result: null };
    expect(agentReport(ended, { ...parts, ...more, classOfExit }).class).toBe(wanted);
    expect(agentReport(stream, { ...parts, ...more, classOfExit }).class).toBe('done');
  });

  it('tells of lines that could not be read', () => {
    const unread = { lines: 2, preview: 'Loaded cached credentials.' };
    expect(agentReport({ ...stream, unread }, parts).unread).toEqual(unread);
    expect(agentReport(stream, parts)).not.toHaveProperty('unread');
  });

  it('is about refused tools where it gave up because of them', () => {
    expect(agentReport({ ...stream, denied: ['Bash'] }, parts)).toMatchObject({
      class: 'refused-tools',
      denied: ['Bash'],
    });
  });

  it('is about refused tools where the program ended because of them without a word', () => {
    expect(agentReport({ ...stream, result: null, denied: ['read'] }, parts).class).toBe('refused-tools');
    expect(agentReport({ ...stream, result: null, denied: ['read'] }, { ...parts, code: 143 }).class).toBe('killed');
  });

  it('is a question where it asked a person and did nothing more', () => {
    expect(agentReport({ ...stream, asked: 'A or B?' }, parts)).toMatchObject({ class: 'asks', said: 'A or B?' });
    const crashed = { ...stream, asked: 'A or B?', result: { class: 'crash', text: 'boom' } } as const;
    expect(agentReport(crashed, parts)).toMatchObject({ class: 'crash', said: 'boom' });
  });

  it('has the conversation with its folder and what was told in it, unless there was none', () => {
    const known = { session: 's1', folder: '/w', told: 't1' };
    expect(agentReport(stream, parts)).toMatchObject(known);
    expect(agentReport(stream, parts)).not.toHaveProperty('resumed');
    expect(agentReport(stream, { ...parts, resumed: earlier })).toMatchObject({ ...known, resumed: true });
    for (const name of Object.keys(known))
      expect(agentReport({ ...stream, session: null }, parts)).not.toHaveProperty(name);
  });

  it.each([
    ['in the same conversation', 's1', {}, [600_000, 60_000, 1_500_000]],
    ['in another one', 's2', {}, [1_000_000, 100_000, 2_000_000]],
    ['by a program that counts each attempt', 's1', { countsFromBeginning: false }, [1_000_000, 100_000, 2_000_000]],
    ['in a new one', 's1', { resumed: null }, [1_000_000, 100_000, 2_000_000]],
    [
      'that counts less than was known',
      's1',
      { resumed: { ...earlier, used: { ...earlier.used, input: 9_000_000 } } },
      [0, 60_000, 1_500_000],
    ],
  ])('counts what an attempt used %s', (_, session, more, [input, output, cached]) => {
    const all = { ...parts, prices: { 'gpt-5.5': price }, resumed: earlier, ...more };
    const report = agentReport({ ...stream, session, usage }, all);
    expect(report.usage).toMatchObject([{ input, output, cached }]);
    expect(report.costUsd).toBeCloseTo((input! + 10 * output! + 0.1 * cached!) / 1e6);
  });

  it('takes what was known from several models once', () => {
    const two = [usage[0]!, { ...usage[0]!, model: 'x' }];
    const resumed = { ...earlier, used: { ...earlier.used, input: 1_500_000 } };
    expect(agentReport({ ...stream, usage: two }, { ...parts, resumed }).usage!.map(({ input }) => input)).toEqual([
      0, 500_000,
    ]);
  });

  const mute = { calls: 0, said: '', result: { class: 'crash', text: 'no such session' } } as const;
  it.each([
    ['no-conversation', {}],
    ['no-conversation', { calls: null, result: null }],
    ['crash', { calls: 1 }],
    ['crash', { said: 'I go on.' }],
    ['overload', { result: { class: 'overload', text: '' } }],
  ] as const)('of one that should go on and did not say a word is %s with %j', (wanted, more) => {
    expect(agentReport({ ...stream, ...mute, ...more }, { ...parts, code: 1, resumed: earlier }).class).toBe(wanted);
  });

  it('of one that began a conversation and did not say a word is what it says, and of a killed one that', () => {
    expect(agentReport({ ...stream, ...mute }, { ...parts, code: 1 }).class).toBe('crash');
    const killed = { ...parts, code: 143, resumed: earlier };
    expect(agentReport({ ...stream, ...mute, result: null }, killed).class).toBe('killed');
  });

  it('names files from the root, and a bounded number of them', () => {
    const writes = ['/w/src/a.ts', '/etc/x', 'b', ...Array.from({ length: 100 }, (_, i) => `f${i}`)];
    const report = agentReport({ ...stream, writes }, parts);
    expect(report.writes!.slice(0, 3)).toEqual(['src/a.ts', '/etc/x', 'b']);
    expect(report.writes).toHaveLength(50);
  });
});
