import { describe, expect, it } from 'vitest';
import { codexLimits } from './codex-limits.ts';

const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const begun = lines(
  { id: 1, result: { userAgent: 'signalbox/0.166.0', codexHome: '/h' } },
  { method: 'remoteControl/status/changed', params: { status: 'disabled' } },
);
const window = (usedPercent: number, resetsAt: number | null) => ({ usedPercent, windowDurationMins: 300, resetsAt });
const answer = (primary: object | null, secondary: object | null) =>
  begun + lines({ id: 2, result: { rateLimits: { limitId: 'codex', primary, secondary, planType: 'pro' } } });

describe('what the app-server of Codex says about limits', () => {
  it.each<[string, string, number | null]>([
    ['the window that is used up', answer(window(100, 1_795_009_676), window(40, 1_795_095_476)), 1_795_009_676_000],
    ['the latest of several', answer(window(100, 1_795_009_676), window(104, 1_795_095_476)), 1_795_095_476_000],
    ['none is used up', answer(window(99, 1_795_009_676), window(40, 1_795_095_476)), null],
    ['no windows', answer(null, null), null],
    ['no time', answer(window(100, null), null), null],
    ['a key', begun + lines({ error: { code: -32600, message: 'authentication required' }, id: 2 }), null],
    ['no service', begun + lines({ error: { code: -32603, message: 'failed to fetch' }, id: 2 }), null],
    ['another form', begun + lines({ id: 2, result: { rateLimits: [1] } }), null],
  ])('%s', (_, printed, expected) => {
    expect(codexLimits.answer(printed)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['only its beginning', begun],
    ['half a line', answer(window(100, 1_795_009_676), null).slice(0, -5)],
    ['a question of its own with the same number', begun + lines({ id: 2, method: 'ask', params: {} })],
    ['no JSON', 'error: unknown command\n'],
  ])('is not said yet: %s', (_, printed) => {
    expect(codexLimits.answer(printed)).toBeUndefined();
  });
});
