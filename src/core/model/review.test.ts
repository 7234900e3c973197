// When two rejections are the same.
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './review.ts';

describe('the fingerprint of a rejection', () => {
  const of = (...messages: string[]) => fingerprintOf(messages.map((message) => ({ message })));

  it.each<[string, string[], string[]]>([
    [
      'the order of its issues',
      ['null is not handled', 'a test is missing'],
      ['a test is missing', 'null is not handled'],
    ],
    ['an issue that is said twice', ['null', 'null'], ['null']],
    ['line numbers', ['unused variable at line 12'], ['unused variable on line 97']],
    ['columns', ['Unexpected token (12:3)'], ['unexpected token (14:31)']],
    ['paths', ['src/api/user.ts: null is not handled'], ['lib/user.ts:12 null is not handled']],
    ['other spellings of a path', ['./src/a.ts leaks'], ['src\\a.ts leaks']],
    ['folders', ['packages/core/src leaks'], ['../core/src leaks']],
    ['numbers', ['expected 3 but got 4'], ['expected 30 but got 41']],
    ['case and punctuation', ['Null is not handled!'], ['null is not handled']],
  ])('survives another %s', (_, one, other) => {
    expect(of(...one)).toBe(of(...other));
  });

  it.each<[string, string[], string[]]>([
    ['other words', ['null is not handled'], ['undefined is not handled']],
    ['one issue more', ['null'], ['null', 'a test is missing']],
    ['another property', ['user.name is null'], ['user.mail is null']],
    ['another route', ['no test for GET /users'], ['no test for GET /orders']],
    ['words in another script', ['не обработан null'], ['не закрыт файл']],
    ['nothing at all', ['null'], []],
  ])('tells %s apart', (_, one, other) => {
    expect(of(...one)).not.toBe(of(...other));
  });

  it('of a very long message is found quickly', () => {
    const { user } = process.cpuUsage();
    of('a'.repeat(200_000), '/a'.repeat(100_000));
    expect(process.cpuUsage().user - user).toBeLessThan(200_000);
  });
});
