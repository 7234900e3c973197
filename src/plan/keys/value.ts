// From the text of a value to what the key takes, the same for markdown and YAML; or the form that was expected. Lists and
// maps arrive here item by item, already taken apart by the reader that knows the format.
import { impossible } from '../../core/model/impossible.ts';
import { nearest } from '../diagnostics/nearest.ts';
import { durationForm, meantDuration, readDuration } from './duration.ts';
import type { ValueKind } from './keys.ts';

export type Scalar = string | number | boolean;
export type Reading = { readonly ok: true; readonly value: Scalar } | { readonly ok: false; readonly expected: string };

/** One scalar; for kinds that take several, one of them. */
export function readScalar(kind: ValueKind, text: string): Reading {
  const ok = (value: Scalar): Reading => ({ ok: true, value });
  const no = (): Reading => ({ ok: false, expected: expectedForm(kind) });
  switch (kind.kind) {
    case 'text':
    case 'prose':
    case 'statements':
    case 'names':
    case 'references':
    case 'env':
      return text.trim() === '' ? no() : ok(text);
    case 'choice':
      return kind.values.includes(text) ? ok(text) : no();
    case 'count':
    case 'limits':
      return /^\d{1,9}$/.test(text) ? ok(Number(text)) : no();
    case 'integer':
      return /^-?\d{1,9}$/.test(text) ? ok(Number(text) + 0) : no();
    case 'amount':
      return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? ok(Number(text)) : no();
    case 'flag':
      return text === 'true' || text === 'false' ? ok(text === 'true') : no();
    case 'duration': {
      const ms = readDuration(text);
      return ms === null ? no() : ok(ms);
    }
    case 'structure':
      return no();
    default:
      return impossible(kind);
  }
}

/** The value that was meant: without signs around it, in another spelling, the nearest choice. */
export function meantChoice(kind: ValueKind, text: string): string | undefined {
  const around = exact.has(kind.kind) ? withoutDecoration(kind, text) : undefined;
  if (around !== undefined) return around;
  if (kind.kind === 'flag' && /^(?:yes|on|y|no|off|n)$/i.test(text))
    return `did you mean \`${/^(?:y|on)/i.test(text) ? 'true' : 'false'}\`?`;
  const meant =
    kind.kind === 'choice' ? nearest(text, kind.values) : kind.kind === 'duration' ? meantDuration(text) : undefined;
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}

/** Kinds with a form of their own, so that what is around a value can be told from it. */
const exact: ReadonlySet<string> = new Set(['choice', 'count', 'integer', 'amount', 'duration', 'flag', 'limits']);

function withoutDecoration(kind: ValueKind, text: string): string | undefined {
  if (text.length > 100) return undefined;
  const usual = text.normalize('NFKC').replace(/[–—−]/g, '-');
  const plain = usual.replace(/^[“”„‘’'"`$€=\s]+|[“”„‘’'"`,;.\s]+$|\s*(?:USD|usd|EUR|x|times)$/gu, '');
  const short = kind.kind === 'duration' ? plain.replace(/\s+/g, '') : plain;
  if (short !== text && readScalar(kind, short).ok) return `write \`${short}\`, and nothing around it`;
  const [first] = /^[^\s(]+/.exec(plain) ?? [''];
  if (first === plain || !readScalar(kind, first).ok || unit.test(plain)) return undefined;
  return `write \`${first}\`; a remark goes on a line of its own`;
}

/** `5 minutes` is no five seconds with a remark. */
const unit = /^\S+\s+[a-z]/i;

/** Completes "expected …". */
export function expectedForm(kind: ValueKind): string {
  switch (kind.kind) {
    case 'text':
      return 'a text';
    case 'prose':
      return 'a text';
    case 'statements':
      return 'a text, or a list of texts';
    case 'names':
      return 'names separated by commas, or a list';
    case 'references':
      return 'ids of tasks separated by commas, or a list';
    case 'choice':
      return `one of ${kind.values.map((value) => `\`${value}\``).join(', ')}`;
    case 'count':
      return 'a whole number, 0 or more';
    case 'integer':
      return 'a whole number';
    case 'amount':
      return 'an amount such as `5` or `2.50`';
    case 'duration':
      return durationForm;
    case 'flag':
      return '`true` or `false`';
    case 'env':
      return 'names with values, such as `A=1, B=2` or `{A: 1, B: 2}`';
    case 'limits':
      return 'names with limits, such as `{opus: 1, sonnet: 3}`';
    case 'structure':
      return 'a map';
    default:
      return impossible(kind);
  }
}

/** Names may hold braces (`src/{a,b}/**`) and stand in backticks; commas inside those do not separate. */
export function splitNames(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let inCode = false;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === '`') inCode = !inCode;
    else if (c === '{' && !inCode) depth++;
    else if (c === '}' && !inCode && depth > 0) depth--;
    if (c !== undefined && (c !== ',' || depth > 0 || inCode)) continue;
    const part = unwrapCode(text.slice(from, i).trim());
    if (part !== '') parts.push(part);
    from = i + 1;
  }
  return parts;
}

/** Without the one pair of backticks around it, if there is one. */
export function unwrapCode(text: string): string {
  if (text[0] !== '`') return text;
  let ticks = 0;
  while (text[ticks] === '`') ticks++;
  if (text.length <= 2 * ticks || !text.endsWith('`'.repeat(ticks))) return text;
  const inside = text.slice(ticks, -ticks);
  return inside.includes('`'.repeat(ticks)) || inside.startsWith('`') || inside.endsWith('`') ? text : inside.trim();
}

/** `“make”` as a command: an editor has made the quotes typographic, and a shell would look for a program of that name. */
export const hasSmartQuotes = (text: string): boolean =>
  text.charCodeAt(0) > 0x7f && /^[“”„‟«‘’].*[“”»‘’]$/s.test(text);

export const smartQuotes = (text: string): { code: string; message: string; length: number; help: string } => ({
  code: 'smart-quotes',
  message: 'typographic quotes around a command belong to it',
  length: text.length,
  help: `take them out, or write straight ones: \`"\` or \`'\``,
});

/** Variable names as a shell can set them. */
export const isEnvName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name);
