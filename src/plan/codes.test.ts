import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Codes } from './codes.ts';

function shown(codes: Codes, from: number, to: number): number[] {
  expect(codes.show(from, to)).toBe(true);
  return [...codes.codes.subarray(from - codes.base, to - codes.base)];
}

const codesOf = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

test('shows the characters as they are in the text, halves of characters too', () => {
  const characters = fc.array(fc.constantFrom('a', '\0', 'é', '→', '\ud83d', '\ude00', '\uffff', '\n'), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(characters, fc.nat(30), fc.nat(30), (list, a, b) => {
      const text = list.join('');
      const [from, to] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
      const codes = new Codes(text);
      expect(shown(codes, from, to)).toEqual(codesOf(text.slice(from, to)));
      expect(codes.cut(from - codes.base, to - codes.base)).toBe(text.slice(from, to));
    }),
  );
});

test('goes on where the part that it shows ends, with the character behind each line', () => {
  const lines = Array.from({ length: 9_000 }, (_, i) => `${'→x'.repeat(i % 40)}${i}`);
  const text = lines.join('\n');
  const codes = new Codes(text);
  let start = 0;
  for (const line of lines) {
    const end = start + line.length;
    expect(shown(codes, start, end)).toEqual(codesOf(line));
    expect(codes.codes[end - codes.base]).toBe(end < text.length ? 0x0a : 0);
    start = end + 1;
  }
  expect(codes.base).toBeGreaterThan(0);
});

test('shows no line that is longer than a part', () => {
  const text = `${'x'.repeat(70_000)}\n${'y'.repeat(65_535)}`;
  const codes = new Codes(text);
  expect(codes.show(0, 70_000)).toBe(false);
  expect(shown(codes, 70_001, text.length)).toEqual(codesOf('y'.repeat(65_535)));
});
