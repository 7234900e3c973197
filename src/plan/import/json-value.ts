// JSON of others: parsed with the line of a mistake, and looked at only through own properties, so that no name in it can
// mean more than it says.
import type { Report } from '../report.ts';
import { jsonMistake } from './json-mistake.ts';

export type JsonMap = Readonly<Record<string, unknown>>;

/** Undefined after an error. `line` is where the text starts in the file. */
export function parseJson(text: string, line: number, report: Report): unknown {
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
