// A key as signs: a literal character is its code, a wildcard is a number below zero. Later steps never see a backslash.

export type Sign = number;

/** `*`: any number of characters within a segment. */
export const STAR: Sign = -1;
/** `?`: one character. */
export const ANY: Sign = -2;
const OPEN: Sign = -3;
const COMMA: Sign = -4;
const CLOSE: Sign = -5;

const meanings: ReadonlyMap<string, Sign> = new Map([
  ['*', STAR],
  ['?', ANY],
]);
const markable = '*?{},\\~';

const deepest = 16;

/** Or the problem. */
export function signsOf(text: string): Sign[] | string {
  const signs: Sign[] = [];
  let depth = 0;
  let isMarked = false;
  for (const c of text) {
    if (isMarked) {
      if (!markable.includes(c)) return 'has a backslash in it: folders are separated by `/`';
      signs.push(c.codePointAt(0)!);
      isMarked = false;
    } else if (c === '\\') {
      isMarked = true;
    } else if (c === '{') {
      signs.push(OPEN);
      if (++depth > deepest) return `has braces nested deeper than ${deepest}`;
    } else if (depth > 0 && c === ',') {
      signs.push(COMMA);
    } else if (depth > 0 && c === '}') {
      signs.push(CLOSE);
      depth--;
    } else {
      signs.push(meanings.get(c) ?? c.codePointAt(0)!);
    }
  }
  if (isMarked) return 'ends with a backslash: folders are separated by `/`';
  return depth > 0 ? 'has a `{` without its `}`' : signs;
}

/** Literal signs, escaped where needed. */
export function spell(signs: ArrayLike<Sign>): string {
  let text = '';
  for (let i = 0; i < signs.length; i++) {
    const sign = signs[i]!;
    if (sign === STAR) text += '*';
    else if (sign === ANY) text += '?';
    else text += marked(String.fromCodePoint(sign));
  }
  return text;
}

const marked = (c: string) => ('*?{}\\'.includes(c) ? `\\${c}` : c);

const mostSpellings = 64;
const mostSigns = 8192;

/**
 * Every spelling without braces, or the problem. The outermost braces are opened first, from a work list, so neither depth nor number
 * can exceed the bounds.
 */
export function expandBraces(signs: readonly Sign[]): (readonly Sign[])[] | string {
  const left: (readonly Sign[])[] = [signs];
  const done: (readonly Sign[])[] = [];
  let length = signs.length;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const open = next.indexOf(OPEN);
    if (open < 0) {
      done.push(next);
      continue;
    }
    length -= next.length;
    for (const spelling of openBraces(next, open)) {
      left.push(spelling);
      length += spelling.length;
      if (left.length + done.length > mostSpellings) return `stands for more than ${mostSpellings} patterns`;
      if (length > mostSigns) return `stands for patterns of more than ${mostSigns} characters`;
    }
  }
  return done.reverse();
}

function openBraces(signs: readonly Sign[], open: number): (readonly Sign[])[] {
  const alternatives: (readonly Sign[])[] = [];
  let depth = 0;
  let from = open + 1;
  let at = open;
  // Braces come in pairs, so this ends at the closing one.
  do {
    const sign = signs[at]!;
    if (sign === OPEN) depth++;
    if (sign === CLOSE) depth--;
    if ((depth === 1 && sign === COMMA) || depth === 0) {
      alternatives.push(signs.slice(from, at));
      from = at + 1;
    }
    at++;
  } while (depth > 0);
  const [before, after] = [signs.slice(0, open), signs.slice(at)];
  return alternatives.map((alternative) => [...before, ...alternative, ...after]);
}
