// A report with every text in it made safe for a terminal: no escape sequences, no line breaks. Renderers are given nothing
// else, so that none of them can forget it.
import { plainText } from '../../api/look/plain-text.ts';

export function plainData<T>(value: T): T {
  return plain(value) as T;
}

/** One text that has to stay on one line. */
export function safeLine(text: string): string {
  return harmless.test(text) ? text : plainText(text).replace(/[\r\n\t\v\f\u0085\u2028\u2029]/g, ' ');
}

/** Nearly every text is; asking first keeps a status of 100,000 tasks cheap. */
const harmless = /^[\x20-\x7e]*$/;

function plain(value: unknown): unknown {
  if (typeof value === 'string') return safeLine(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [safeLine(key), plain(inner)]));
}
