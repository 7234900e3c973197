// A list item `key: value` under a task or a heading: an attribute when the key is known, an error when it is nearly one,
// prose otherwise.

import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import { readEnvLine } from '../../keys/env.ts';
import { findKey, type Key, nearKey, type Scope } from '../../keys/keys.ts';
import {
  expectedForm,
  hasSmartQuotes,
  meantChoice,
  readScalar,
  smartQuotes,
  splitNames,
  unwrapCode,
} from '../../keys/value.ts';
import { mostTasks } from '../../limits.ts';
import { splitReferences } from '../dependencies.ts';
import type { Reference } from '../raw-plan.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { readKeyValue } from '../yaml/read-keys.ts';

export interface Part {
  text: string;
  readonly at: Place;
  /** Where in the file the further lines of it start, so that what is wrong in them is shown there. */
  turns: Turn[] | null;
}

interface Turn extends Place {
  /** In the text of the part, behind what joins it to the line before. */
  readonly offset: number;
}

/** While its lines are collected. */
export interface Attribute extends Place {
  readonly key: Key;
  /** Where the value starts, in its line. */
  readonly valueColumn: number;
  text: string;
  /** Items nested under it, and blocks. */
  more: Part[] | null;
}

export type ItemReading =
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  /** Known, but not at this place. */
  | { readonly kind: 'misplaced'; readonly key: Key; readonly word: string }
  /** Nearly a key. */
  | { readonly kind: 'near'; readonly word: string; readonly meant: string }
  | { readonly kind: 'prose' };

const prose: ItemReading = { kind: 'prose' };

/** `at` is where the text of the item starts. */
export function readItem(text: string, at: Place, scope: Scope): ItemReading {
  const colon = text.indexOf(':');
  if (colon < 2 || colon > 28) return prose;
  const decorated = /^[A-Za-z]/.test(text) ? null : decoration.exec(text);
  const word = decorated ? decorated[2]! : text.slice(0, colon);
  const from = decorated ? decorated[0].length : colon + 1;
  if (!(from === text.length || isBlank(text[from]))) return prose;
  const key = findKey(word);
  if (key && !key.yamlOnly) {
    if (!key.where.includes(scope)) return { kind: 'misplaced', key, word };
    let start = from;
    while (isBlank(text[start])) start++;
    const { line, column } = at;
    const value = text.slice(start).trimEnd();
    const attribute = { key, line, column, valueColumn: column + start, text: value, more: null };
    return { kind: 'attribute', attribute };
  }
  // `**Check:** …` is how people set off prose.
  const meant = decorated || !wordForm.test(word) ? undefined : nearKey(word, scope);
  return meant === undefined ? prose : { kind: 'near', word, meant };
}

/** Letters of any alphabet: some look like those of a key. */
const wordForm = /^\p{L}+(?:[ _-]\p{L}+){0,2}$/u;
const decoration = /^(\*\*|__|`|\*|_)([A-Za-z-]{2,24}|[A-Za-z]{2,12}[ _][A-Za-z]{2,12})(?::\1|\1:)/;
const isBlank = (c: string | undefined): boolean => c === ' ' || c === '\t' || c === '\u00a0';

/** One more value: an item nested under the key, or a block. */
export function grow(attribute: Attribute, text: string, at: Place): void {
  attribute.more ??= [];
  if (attribute.more.length <= mostTasks) attribute.more.push({ text, at, turns: null });
}

/** A line that goes on with the value above it. */
export function continueAttribute(attribute: Attribute, text: string, at: Place): void {
  if (attribute.more === null && attribute.text !== '') {
    grow(attribute, attribute.text, { line: attribute.line, column: attribute.valueColumn });
    attribute.text = '';
  }
  const last = attribute.more?.[attribute.more.length - 1];
  if (last === undefined) return grow(attribute, text, at);
  last.text += attribute.key.value.kind === 'prose' ? '\n' : ' ';
  last.turns ??= [];
  if (last.turns.length > mostTasks) return;
  last.turns.push({ offset: last.text.length, ...at });
  last.text += text;
}

const lists: ReadonlySet<string> = new Set(['references', 'names', 'env']);

/** A block under the key: one text, or for keys that take several values one in each line. */
export function growByBlock(attribute: Attribute, block: { content: string; at: Place }, report: Report): void {
  if (!lists.has(attribute.key.value.kind)) return grow(attribute, block.content, block.at);
  const inBraces = block.content.trimStart().startsWith('{');
  const height = block.content === '' ? 0 : block.content.split('\n').length;
  for (let i = 1, isFirst = true; i <= height; i++) {
    const line = block.at.line + i;
    const raw = report.lineAt(line);
    const text = raw.trim();
    if (text === '') continue;
    const at = { line, column: raw.indexOf(text) + 1 };
    if (isFirst || !inBraces) grow(attribute, text, at);
    else continueAttribute(attribute, text, at);
    isFirst = false;
  }
}

/** The value that the key takes, or undefined after an error. References come back with their places. */
export function readAttribute(attribute: Attribute, report: Report): unknown {
  const { key, line, text, more, valueColumn } = attribute;
  const kind = key.value;
  if (more === null && text !== '') {
    if (kind.kind === 'names') return splitNames(text);
    const plain = unwrapCode(text);
    if ((key.name === 'run' || key.name === 'check') && hasSmartQuotes(text))
      report.warning({ ...smartQuotes(text), line, column: valueColumn });
    if (kind.kind === 'statements') return [plain];
    if (kind.kind === 'text' && plain !== '') return plain;
  }
  const valueAt = { line, column: valueColumn };
  const parts: Part[] = text === '' ? (more ?? []) : [{ text, at: valueAt, turns: null }, ...(more ?? [])];
  if (parts.length === 0) return wrong(attribute, '', valueAt, report);
  if (parts.length > mostTasks || parts.some(({ turns }) => turns !== null && turns.length > mostTasks))
    return tooMuch(attribute, report);
  switch (kind.kind) {
    case 'prose':
      return parts.map((part) => part.text).join('\n');
    case 'statements':
      return parts.map((part) => unwrapCode(part.text));
    case 'names':
      return parts.flatMap((part) => splitNames(part.text));
    case 'references':
      return parts.flatMap((part) => readReferences(part, key.name === 'needs' ? 'need' : 'preference'));
    case 'env':
      return readEnv(attribute, parts, report);
    case 'limits':
    case 'structure':
      return undefined;
    default: {
      if (parts.length > 1) return second(attribute, parts[1]!, report);
      const plain = unwrapCode(parts[0]!.text);
      const reading = readScalar(kind, plain);
      return reading.ok ? reading.value : wrong(attribute, plain, parts[0]!.at, report);
    }
  }
}

function readReferences({ text, at, turns }: Part, kind: Reference['kind']): readonly Reference[] {
  const found = splitReferences(text, at, kind);
  if (turns === null) return found;
  return found.map((reference) => {
    const offset = reference.column - at.column;
    const turn = turns.findLast((one) => one.offset <= offset);
    return turn ? { ...reference, line: turn.line, column: turn.column + offset - turn.offset } : reference;
  });
}

/** As it stands in the file, for a reader that counts lines and columns itself. */
function asWritten({ text, turns }: Part): string {
  let written = '';
  let from = 0;
  for (const { offset, column } of turns ?? []) {
    written += `${text.slice(from, offset - 1)}\n${' '.repeat(column - 1)}`;
    from = offset;
  }
  return written + text.slice(from);
}

function readEnv(attribute: Attribute, parts: readonly Part[], report: Report): unknown {
  const env: Record<string, string> = Object.create(null);
  for (const part of parts) {
    const { text, at } = part;
    if (text.startsWith('{')) {
      const node = parseYaml(asWritten(part), at, report);
      Object.assign(env, node === null ? {} : readKeyValue(attribute.key, node, report));
      continue;
    }
    const line = readEnvLine(unwrapCode(text));
    if ('wrong' in line) return wrong(attribute, line.wrong, at, report);
    for (const [name, value] of line.env) env[name] = value;
  }
  return env;
}

function second({ key }: Attribute, { text, at }: Part, report: Report): undefined {
  report.error({
    code: 'bad-value',
    message: `${quoted(key.name)} takes one value, and this is a second one`,
    ...at,
    length: Math.max(1, text.length),
    help:
      key.name === 'run'
        ? 'join commands with `&&`, or put them in a block with the info `run`'
        : 'take one of them out',
  });
  return undefined;
}

function tooMuch({ key, line, column }: Attribute, report: Report): undefined {
  const message = `${quoted(key.name)} goes on for more than ${mostTasks} lines`;
  const help = 'put it into a file, and name the file';
  report.error({ code: 'bad-value', message, line, column, length: key.name.length, help });
  return undefined;
}

function wrong({ key }: Attribute, text: string, at: Place, report: Report): undefined {
  report.error({
    code: 'bad-value',
    message: `${quoted(key.name)} takes ${expectedForm(key.value)}${text === '' ? '' : `, not ${quoted(text)}`}`,
    line: at.line,
    column: at.column,
    length: Math.max(1, text.length),
    help: meantChoice(key.value, text),
  });
  return undefined;
}
