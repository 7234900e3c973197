import { describe, expect, it } from 'vitest';
import { limitIn } from './claude-limit.ts';
import { claudeEvents } from './claude-stream.ts';

/** A Tuesday evening, in UTC. Berlin is an hour ahead, New York five behind. */
const now = Date.UTC(2026, 10, 17, 20, 30, 12);

describe('when an account of Claude Code may go on', () => {
  it.each<[string, number]>([
    ["You've hit your limit · resets 9:01pm (UTC)", Date.UTC(2026, 10, 17, 21, 2)],
    ["You've hit your session limit · resets 11pm (Europe/Berlin)", Date.UTC(2026, 10, 17, 22, 1)],
    ["You've hit your weekly limit · resets Dec 3, 7am (Europe/Berlin)", Date.UTC(2026, 11, 3, 6, 1)],
    ["You've hit your weekly limit · resets Jul 15 at 12am (UTC)", Date.UTC(2026, 6, 15, 0, 1)],
    ["You've hit your Opus limit · resets Jan 2, 7am (America/New_York)", Date.UTC(2027, 0, 2, 12, 1)],
    ["You've hit your weekly limit · resets Jan 2, 2027, 7:30am (UTC)", Date.UTC(2027, 0, 2, 7, 31)],
    ["You've reached your weekly limit · resets Nov 24 at 3pm (UTC)", Date.UTC(2026, 10, 24, 15, 1)],
    ['5-hour limit reached ∙ resets 3am (UTC)', Date.UTC(2026, 10, 18, 3, 1)],
    ['Opus weekly limit reached ∙ resets Nov 19, 1pm (UTC)', Date.UTC(2026, 10, 19, 13, 1)],
    ["You're out of extra usage · resets 12am (UTC)", Date.UTC(2026, 10, 18, 0, 1)],
    ["You're out of usage credits · resets 12pm (UTC) · progress saved", Date.UTC(2026, 10, 18, 12, 1)],
    ["You've hit your monthly spend limit · resets Dec 1, 12am (UTC)", Date.UTC(2026, 11, 1, 0, 1)],
    ['Claude usage limit reached. Your limit will reset at 7pm (America/New_York).', Date.UTC(2026, 10, 18, 0, 1)],
    ["You've hit your limit · resets at 22:15 (UTC)", Date.UTC(2026, 10, 17, 22, 16)],
    // A summer time that begins meanwhile.
    ["You've hit your weekly limit · resets Mar 29, 2027, 7am (Europe/Berlin)", Date.UTC(2027, 2, 29, 5, 1)],
    // It has just passed: not tomorrow.
    ["You've hit your limit · resets 8:29pm (UTC)", Date.UTC(2026, 10, 17, 20, 30)],
    ["You've hit your limit · resets 8:30pm (UTC)", Date.UTC(2026, 10, 17, 20, 31)],
    ["You've hit your limit · resets 7:15pm (UTC)", Date.UTC(2026, 10, 18, 19, 16)],
    ['Claude AI usage limit reached|1794776500', 1_794_776_500_000],
    ['Claude AI usage limit reached|1794776500123', 1_794_776_500_123],
    ["You've hit your limit · resets 1794776500", 1_794_776_500_000],
  ])('%s', (text, expected) => {
    expect(limitIn(text, now)?.resetsAt).toBe(expected);
  });

  it('is by the clock of this machine without a zone', () => {
    const here = new Date(now);
    here.setHours(here.getHours() + 2, 0, 0, 0);
    const hour = here.getHours();
    const text = `You've hit your limit · resets ${hour % 12 || 12}${hour < 12 ? 'am' : 'pm'}`;
    expect(limitIn(text, now)?.resetsAt).toBe(here.getTime() + 60_000);
  });

  it.each([
    "You've hit your session limit",
    "You've hit your limit · resets soon",
    "You've hit your limit · resets Foo 3, 7am (UTC)",
    "You've hit your limit · resets 25:00 (UTC)",
    "You've hit your limit · resets 9pm (Mars/Olympus)",
  ])('is not known: %s', (text) => {
    expect(limitIn(text, now)).toEqual({ resetsAt: null });
  });

  it.each([
    '',
    'API Error: Request rejected (429) · slow down',
    'Credit balance is too low',
    "You've hit your monthly spend limit",
    'Prompt is too long',
    'Reached maximum number of turns (2)',
    'The connection resets at 3pm',
  ])('has nothing to do with: %j', (text) => {
    expect(limitIn(text, now)).toBeNull();
  });
});

describe('the words of an end', () => {
  const said = "You've hit your weekly limit · resets Dec 3, 2099, 7am (UTC)";
  const ended = (more: object) => claudeEvents({ type: 'result', session_id: 's', result: said, ...more });
  const limit = { type: 'limit', resetsAt: Date.UTC(2099, 11, 3, 7, 1), fromWords: true };

  it('are a limit where it was an error, whatever else it says', () => {
    for (const status of [429, null]) {
      expect(ended({ is_error: true, api_error_status: status })).toMatchObject([
        limit,
        { type: 'result', result: { class: 'rate-limit', text: said } },
      ]);
    }
  });

  it('are only words where it was none, or has another reason', () => {
    expect(ended({ is_error: false })).toMatchObject([{ result: { class: 'done' } }]);
    expect(ended({ is_error: true, subtype: 'error_max_turns' })).toMatchObject([{ result: { class: 'max-turns' } }]);
    expect(ended({ is_error: true, api_error_status: 401 })).toMatchObject([{ result: { class: 'authentication' } }]);
  });
});
