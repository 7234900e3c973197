// JSON of others: parsed with the line of a mistake, and looked at only through own properties, so that no name in it can
// mean more than it says.

import type { Mistake, Place, Report } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';
import { jsonMistake } from './json-mistake.ts';

export type JsonMap = Readonly<Record<string, unknown>>;

/** Undefined after an error. `line` is where the text starts in the file. */
export function parseJson(text: string, line: number, report: Report): unknown {
  const much = text.length > deepest ? tooMuchAt(text) : null;
  if (much !== null) {
    const before = text.slice(0, much.at);
    const place = { line: line + before.split('\n').length - 1, column: before.length - before.lastIndexOf('\n') };
    report.error(much.isDeep ? tooDeep(place) : tooManyValues(place));
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    const found = text.slice(0, jsonMistake(text));
    const isEnd = found.trim() === text.trim();
    const before = isEnd ? found.trimEnd() : found;
    report.error({
      code: 'bad-json',
      message: isEnd ? 'this JSON ends too early' : 'from here on this is not JSON',
      help: isEnd
        ? 'a bracket or a quote is not closed: let the tool write the file again'
        : helpFor(text, before.length),
      line: line + before.split('\n').length - 1,
      column: before.length - before.lastIndexOf('\n'),
    });
    return undefined;
  }
}

const deepest = 1_000;

/** Values, lists and maps. Sixteen for each task: files of tasks have about ten bytes for one, and this many are 250 MB in memory. */
const mostValues = 16 * mostTasks;

const tooDeep = (place: Place): Mistake => ({
  code: 'bad-json',
  message: `this is nested more than ${deepest} levels deep`,
  help: 'a file of tasks has a handful of levels: let the tool write it again',
  ...place,
});

const tooManyValues = (place: Place): Mistake => ({
  code: 'too-many-tasks',
  message: `this file has more than ${mostValues} values; a plan has ${mostTasks} tasks at most`,
  help: 'let the tool write several files, and import one after the other',
  ...place,
});

/** Where a bracket is one too deep, or there are too many. Each level costs memory, and a file of nothing else gigabytes. */
function tooMuchAt(text: string): { readonly at: number; readonly isDeep: boolean } | null {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      i = stringEnd(text, i);
      if (i < 0) return null;
    } else if (c === '[' || c === '{') {
      if (++depth > deepest) return { at: i, isDeep: true };
      values++;
    } else if (c === ']' || c === '}') depth--;
    else if (c === ',' && ++values > mostValues) return { at: i, isDeep: false };
  }
  return null;
}

/** Its closing quote; -1 when there is none. */
function stringEnd(text: string, from: number): number {
  for (let i = text.indexOf('"', from + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text[i - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return i;
  }
  return -1;
}

function helpFor(text: string, at: number): string {
  const c = text[at] ?? '';
  const before = text
    .slice(Math.max(0, at - 200), at)
    .trimEnd()
    .at(-1);
  if (before === ',' && (c === ']' || c === '}')) return 'take out the comma before it';
  if (/['‘’“”]/.test(c)) return 'JSON has straight double quotes only';
  if (c === '/' || c === '#') return 'JSON has no comments';
  if (/["{[]/.test(c) && before !== undefined && /["\d}\]el]/.test(before)) return 'a comma is missing before it';
  if (c === '"') return 'this text is not closed in its line, or has a character that needs a backslash';
  if (c === ',') return 'take out this comma';
  if (/[A-Za-z_]/.test(c) && before !== '}' && before !== ']') return 'texts and keys stand in double quotes';
  return 'mend it here, or let the tool write the file again';
}

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const own = (map: JsonMap, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

/** Texts and numbers as text; anything else is nothing. */
export function textOf(map: JsonMap, ...names: readonly string[]): string {
  for (const name of names) {
    const value = own(map, name);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

export function listOf(map: JsonMap, name: string): readonly unknown[] {
  const value = own(map, name);
  return Array.isArray(value) ? value : [];
}

export const textsOf = (map: JsonMap, name: string): readonly string[] =>
  listOf(map, name)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((value) => String(value).trim())
    .filter((text) => text !== '');

/** Fields that say something, beside those that are known. */
export const otherFields = (map: JsonMap, known: ReadonlySet<string>): string[] =>
  Object.keys(map).filter((name) => !known.has(name) && !isNothing(map[name]));

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;
}
