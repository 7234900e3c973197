// What can be wrong with a line of a markdown plan, in words.

import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Mistake, Place } from '../../diagnostics/report.ts';
import { type Key, placesOf } from '../../keys/keys.ts';
import type { LooseArrow } from '../dependencies.ts';

/** An arrow outside of every task's line. */
export function looseArrow(text: string, { parts, sign }: LooseArrow, at: Place): Mistake {
  const [left, ...right] = parts;
  return {
    code: 'loose-arrow',
    message: left === '' ? `${quoted(text)} stands on a line of its own` : `${quoted(text)} can be read in two ways`,
    ...at,
    length: text.length,
    help:
      left === ''
        ? `put it at the end of the task's line, or write \`- ${sign === '→' ? 'needs' : 'prefers'}: ${right.join(', ')}\``
        : bothReadings(parts, sign),
  };
}

const box = /^(?:[\ufeff\u200b]*[-*+–—−•·‣◦▪●]?\s*[[［][ xX-][\]］]\*?|\([ xX]\)|\[(?:done|todo|wip)\])[ \t]+\S/i;

/** `[ ] a` without its dash, `-[ ] a`, `• [ ] a`, `( ) a`, `[done] a`: prose to every reader of markdown. */
export const isLooseBox = (text: string): boolean => box.test(text);

export function looseBox(text: string, at: Place): Mistake {
  const title = text.replace(/^[^\])］]*[\])］]\*?[ \t]+/, '');
  const mark = /^[^\])］]*(?:[xX]|done)[\])］]/i.test(text) ? 'x' : ' ';
  return {
    code: 'loose-box',
    message: `${quoted(text)} is prose, not a task`,
    ...at,
    length: text.length - title.length,
    help: `a task is a list item with a box: write ${quoted(`- [${mark}] ${title}`)}`,
  };
}

export function keyInProse(name: string, at: Place): Mistake {
  return {
    code: 'key-in-prose',
    message: `${quoted(`${name}:`)} is prose here, because it is not a list item`,
    ...at,
    length: name.length,
    help: `write \`- ${name}: …\` to set the key`,
  };
}

/** Each step of it, read forwards and backwards. */
function bothReadings(parts: readonly string[], sign: string): string {
  const steps = parts.slice(1, 6).map((to, i) => [parts[i]!, to] as const);
  const say = (waits: string, forWhat: string) =>
    `end ${waits.includes(',') ? 'each line of' : 'the line of'} ${quoted(waits)} with \`${sign} ${forWhat}\``;
  const forwards = steps.map(([from, to]) => say(from, to)).join(', ');
  const backwards = steps.map(([from, to]) => say(to, from)).join(', ');
  const [first, second] = [quoted(parts[0]!), quoted(parts[1]!)];
  const isMany = parts[0]!.includes(',');
  const verb = `${sign === '→' ? 'need' : 'prefer'}${isMany ? '' : 's'}`;
  return `if ${first} ${verb} ${second}, ${forwards}; if ${first} ${isMany ? 'come' : 'comes'} first, ${backwards}`;
}

export function unknownBox(raw: string, from: number, line: number): Mistake {
  const length = raw.indexOf(']', from) + 1 - from;
  const box = raw.slice(from, from + length);
  if (/^\[[ xX-]\]$/.test(box)) {
    const isLikeSpace = /^\*?\s/.test(raw.slice(from + length));
    const message = `behind the box ${quoted(box)} there is ${isLikeSpace ? 'a character that only looks like a space' : 'no space'}`;
    const behind = raw
      .slice(from + length)
      .replace(/^\*/, '')
      .trim();
    const help = `write ${quoted(`- ${box}${raw[from + length] === '*' ? '*' : ''} ${behind}`)}`;
    return { code: 'unknown-box', message, line, column: from + 1, length, help };
  }
  return {
    code: 'unknown-box',
    message: `${quoted(box)} is not a box`,
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

export function misplacedKey(key: Key, name: string, at: Place): Mistake {
  const message = `${quoted(name)} has no meaning under a task`;
  const help = placesOf(key);
  return { code: 'misplaced-key', message, ...at, length: name.length, help };
}

export function blockOutside(info: string, at: Place): Mistake {
  const message = `a ${quoted(info)} block outside of every task`;
  return { code: 'misplaced-block', message, ...at, length: 3, help: 'indent it under its task' };
}

export function shallowIndent(indent: number, line: number): Mistake {
  return {
    code: 'shallow-indent',
    message: 'this task stands one space further right than the one above, and is no part of it',
    line,
    column: indent + 1,
    help: 'indent subtasks by two spaces or more; others start in the same column',
  };
}
