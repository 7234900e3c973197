// A small part of `npm run prove -- fuzz` in every run of the tests, and the proof that it sees what it is there for.
import { afterEach, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/plan/diagnostics/diagnostic.ts';
import { fuzzInput } from './fuzz-input.ts';
import { judge } from './judge.ts';
import { readSeedTexts } from './seed-texts.ts';
import { shrink } from './shrink.ts';
import { malformed, targets } from './targets.ts';

const seed = Number(process.env.FC_SEED ?? 20261115);
const inputs = 3_000;
const texts = readSeedTexts();

test(`${inputs} inputs for every reader`, () => {
  const seen = new Set<string>();
  for (let number = 0; number < inputs; number++) {
    const { target, text } = fuzzInput(seed, number, texts);
    seen.add(target);
    // The coverage of the tests slows the readers down.
    const wrong = judge(targets[target]!, text, { ms: 3_000 });
    if (wrong !== null) expect.fail(`npm run prove -- fuzz --seed ${seed} --only ${number}\n${target}: ${wrong}`);
  }
  expect([...seen].sort()).toEqual(Object.keys(targets).sort());
});

test('the same number is the same input', () => {
  expect(fuzzInput(7, 3, texts)).toEqual(fuzzInput(7, 3, texts));
  expect(fuzzInput(7, 3, texts)).not.toEqual(fuzzInput(8, 3, texts));
});

describe('catches planted faults', () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, 'polluted');
    Reflect.deleteProperty(Object.prototype, 'planted');
  });
  /** The first input of a thousand that is judged wrong, as the workers would find it. */
  const firstWrong = (fault: (text: string) => string | null): string | null => {
    const complain = (text: string) => (text.includes('T001') ? fault(text) : null);
    for (let number = 0; number < 1_000; number++) {
      const wrong = judge({ complain }, fuzzInput(1, number, texts).text, { ms: 20 });
      if (wrong !== null) return wrong;
    }
    return null;
  };

  test('none where there is none', () => {
    expect(firstWrong(() => null)).toBeNull();
  });

  test('a reader that throws', () => {
    const fault = () => {
      throw new Error('planted');
    };
    expect(firstWrong(fault)).toMatch(/^threw Error: planted/);
  });

  test('a reader that takes too long', () => {
    const fault = () => {
      const before = process.cpuUsage();
      // By its own work, and not by the clock: on a busy machine the two are far apart.
      for (let spent = 0; spent < 60_000; ) {
        const { user, system } = process.cpuUsage(before);
        spent = user + system;
      }
      return null;
    };
    expect(firstWrong(fault)).toMatch(/^took \d+ ms/);
  });

  test.each(['polluted', 'planted'])('a reader that gives every object `%s`', (name) => {
    const fault = () => {
      Object.defineProperty(Object.prototype, name, { value: 1, configurable: true });
      return null;
    };
    expect(firstWrong(fault)).toBe('the prototype of all objects was changed');
  });

  const right: Diagnostic = {
    severity: 'error',
    code: 'unknown-id',
    message: 'm',
    file: 'plan.md',
    line: 2,
    column: 4,
    length: 1,
    excerpt: 'abc',
  };
  test.each<[string, Partial<Diagnostic>, RegExp | null]>([
    ['nothing', {}, null],
    ['a column behind its line', { column: 5 }, /a column outside of its line/],
    ['a column before its line', { column: 0 }, /a column outside of its line/],
    ['a line behind the file', { line: 3 }, /a line outside of 2/],
    ['a line that is no number', { line: Number.NaN }, /a line outside of 2/],
    ['an empty mark', { length: 0 }, /a length of 0/],
    ['a code that nobody can explain', { code: 'planted' }, /nobody can explain/],
    ['a message that moves the cursor', { message: '\u001b[2J' }, /a control character/],
    ['a help of several lines', { help: 'a\nb' }, /a control character/],
  ])('a diagnostic with %s', (_, fault, expected) => {
    const wrong = malformed([{ ...right, ...fault }], 'x\r\nabc');
    if (expected === null) expect(wrong).toBeNull();
    else expect(wrong).toMatch(expected);
  });

  test('and makes them small', () => {
    const fails = (text: string) => text.includes('b') && text.includes('\n# c');
    expect(shrink('aaa\nbbb\nccc\n# c d\neee\n'.repeat(20), fails)).toHaveLength(5);
  });
});
