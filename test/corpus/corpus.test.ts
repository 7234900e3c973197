// Five hundred plans that people and agents got wrong, with every word that is printed for them. After a change that is
// meant, `CORPUS=write` writes what is printed now, for reviewing with `git diff`.
import { describe, expect, test } from 'vitest';
import { explanations } from '../../src/plan/diagnostics/explanations.ts';
import { escapeHidden, readCorpus, rewriteExpected } from './read-cases.ts';
import { diagnosticsOf, showCase } from './show-case.ts';

if (process.env.CORPUS === 'write') {
  for (const { path } of readCorpus()) rewriteExpected(path, ({ file, text }) => showCase(diagnosticsOf(file, text)));
}

const corpus = readCorpus();
const cases = corpus.flatMap((file) => file.cases);

/** Some of the texts take a second: each is read once, whoever asks. */
const answers = new Map<string, ReturnType<typeof diagnosticsOf>>();
function answerTo(file: string, text: string): ReturnType<typeof diagnosticsOf> {
  const known = answers.get(`${file}\n${text}`);
  if (known) return known;
  const found = diagnosticsOf(file, text);
  answers.set(`${file}\n${text}`, found);
  return found;
}

describe.each(corpus)('$name', ({ cases }) => {
  test.each(cases)('$name', ({ file, text, expected }) => {
    const found = answerTo(file, text);
    expect(escapeHidden(showCase(found))).toBe(expected);
    expect(found).not.toHaveLength(0);
    const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
    for (const { file: shown, line, column, length, code, message, help } of found) {
      expect(shown).toContain(file);
      expect(explanations.has(code)).toBe(true);
      expect(message).not.toBe('');
      expect(line).toBeGreaterThanOrEqual(1);
      // Mistakes of an imported plan are shown in the imported plan.
      if (shown !== file) continue;
      expect(line).toBeLessThanOrEqual(lines.length);
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
      expect(length).toBeGreaterThanOrEqual(1);
      // What a key takes is the way out, and the message says it.
      if (!/ takes /.test(message)) expect(help, `${code} has no help`).toBeTruthy();
    }
  });
});

test('there are at least five hundred, all different', () => {
  expect(cases.length).toBeGreaterThanOrEqual(500);
  expect(new Set(cases.map(({ file, text }) => `${file}\n${text}`)).size).toBe(cases.length);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

test('every diagnostic that the program knows is among them', () => {
  const seen = new Set(cases.flatMap(({ file, text }) => answerTo(file, text).map(({ code }) => code)));
  expect([...explanations.keys()].filter((code) => !seen.has(code))).toEqual([]);
});
