// What can be wrong with a line of a markdown plan, in words.
import { readLooseArrow } from '../dependencies.ts';
import { quoted } from '../diagnostic.ts';
import { findKey } from '../keys.ts';
import type { Mistake, Place } from '../report.ts';

/** An arrow outside of every task's line, if the text is one. */
export function looseArrow(text: string, at: Place, insideTask: boolean): Mistake | null {
  const arrow = readLooseArrow(text);
  const [left, ...right] = arrow?.parts ?? [];
  if (arrow === null || (left === '' && !insideTask)) return null;
  return {
    code: 'loose-arrow',
    message: left === '' ? `${quoted(text)} stands on a line of its own` : `${quoted(text)} can be read in two ways`,
    ...at,
    length: text.length,
    help:
      left === ''
        ? `put it at the end of the task's line, or write \`- ${arrow.sign === '→' ? 'needs' : 'prefers'}: ${right.join(', ')}\``
        : bothReadings(arrow.parts, arrow.sign),
  };
}

/** Each step of it, read forwards and backwards. */
function bothReadings(parts: readonly string[], sign: string): string {
  const steps = parts.slice(1, 6).map((to, i) => [parts[i]!, to] as const);
  const say = (waits: string, forWhat: string) => `end the line of ${quoted(waits)} with \`${sign} ${forWhat}\``;
  const forwards = steps.map(([from, to]) => say(from, to)).join(', ');
  const backwards = steps.map(([from, to]) => say(to, from)).join(', ');
  const [first, second] = [quoted(parts[0]!), quoted(parts[1]!)];
  return `if ${first} ${sign === '→' ? 'needs' : 'prefers'} ${second}, ${forwards}; if ${first} comes first, ${backwards}`;
}

export function unknownBox(raw: string, from: number, line: number): Mistake {
  const length = raw.indexOf(']', from) + 1 - from;
  return {
    code: 'unknown-box',
    message: `${quoted(raw.slice(from, from + length))} is not a box`,
    line,
    column: from + 1,
    length,
    help: 'boxes are `[ ]` open, `[x]` completed, `[-]` skipped, `[ ]*` optional, each with a space behind it',
  };
}

export function nearlyKey(word: string, meant: string, at: Place): Mistake {
  return {
    code: 'unknown-key',
    message: `there is no key ${quoted(word)}`,
    ...at,
    length: word.length,
    help: `did you mean \`${meant}\`? Prose must not look like a key`,
  };
}

export function misplacedKey(name: string, at: Place): Mistake {
  const message = `${quoted(name)} has no meaning under a task`;
  const help = `it belongs to: ${findKey(name)!.where.join(', ')}`;
  return { code: 'misplaced-key', message, ...at, length: name.length, help };
}

export function blockOutside(info: string, at: Place): Mistake {
  const message = `a ${quoted(info)} block outside of every task`;
  return { code: 'misplaced-block', message, ...at, length: 3, help: 'indent it under its task' };
}
