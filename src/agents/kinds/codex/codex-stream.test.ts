import { describe, expect, it } from 'vitest';
import { codexEvents, resetIn } from './codex-stream.ts';

const now = new Date(2026, 10, 15, 20, 30, 12).getTime();

describe('when an account of Codex may go on', () => {
  it.each([
    ['or try again at 9:01 PM.', new Date(2026, 10, 15, 21, 2)],
    ['or try again at 12:00 AM.', new Date(2026, 10, 15, 0, 1)],
    ['or try again at 12:59 PM.', new Date(2026, 10, 15, 13, 0)],
    ['or try again at Nov 18th, 2026 9:01 AM.', new Date(2026, 10, 18, 9, 2)],
    ['or try again at Mar 1st, 2027 11:59 PM.', new Date(2027, 2, 2, 0, 0)],
    ['or try again at Feb 22nd, 2027 1:05 AM.', new Date(2027, 1, 22, 1, 6)],
  ])('%s', (text, expected) => {
    expect(resetIn(`You’ve hit your usage limit. Upgrade to Pro ${text}`, now)).toBe(expected.getTime());
  });

  it.each([
    'You’ve hit your usage limit.',
    'try again in 1.0s',
    'try again at Foo 1st, 2027 1:00 AM',
    'try again at noon',
  ])('is not known: %s', (text) => {
    expect(resetIn(text, now)).toBeNull();
  });
});

describe('a failed turn of Codex', () => {
  const classOf = (message: string) =>
    codexEvents({ type: 'turn.failed', error: { message } }).map(
      (event) => event.type === 'result' && event.result.class,
    );

  it.each([
    ['Missing environment variable: `GROQ_API_KEY`.', 'authentication'],
    ['unexpected status 401 Unauthorized: bad key', 'authentication'],
    ['Your access token could not be refreshed. Please log out and sign in again.', 'authentication'],
    ['The tool says: Missing environment variable: `X`.', 'crash'],
  ])('"%s" is %s', (message, wanted) => {
    expect(classOf(message)).toEqual([wanted]);
  });
});
