// The value of a key as YAML gives it: the right type, or an error that says what was expected and when to use quotes.

import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import { readEnvLine } from '../../keys/env.ts';
import { findKey, type Key, meantKey, placesOf, type Scope } from '../../keys/keys.ts';
import {
  expectedForm,
  hasSmartQuotes,
  isEnvName,
  meantChoice,
  readScalar,
  smartQuotes,
  splitNames,
} from '../../keys/value.ts';
import { splitReferences } from '../dependencies.ts';
import type { Reference } from '../raw-plan.ts';
import { describeNode, entriesOf, looksTyped, type YamlNode, type YamlText } from './yaml-node.ts';

/** The key that this word names here; an error when there is none. */
export function knownKey(word: YamlText, scope: Scope, report: Report): Key | null {
  const key = findKey(word.text);
  if (key?.where.includes(scope)) return key;
  const code = key ? 'misplaced-key' : 'unknown-key';
  if (report.isFull('error', code)) {
    report.count('error', code);
    return null;
  }
  const meant = key ? undefined : meantKey(word.text, scope);
  report.error({
    code: key ? 'misplaced-key' : 'unknown-key',
    message: key ? `${quoted(word.text)} has no meaning here` : `there is no key ${quoted(word.text)}`,
    line: word.line,
    column: word.column,
    length: Math.max(1, word.text.length),
    help: key ? placesOf(key) : meant === undefined ? helpForUnknown(word.text, scope) : `did you mean \`${meant}\`?`,
  });
  return null;
}

/** Where no key is near: what can be done about it. */
function helpForUnknown(word: string, scope: Scope): string {
  if (/[^\S ]/.test(word)) return 'it has a character that only looks like a space';
  const out = 'take it out, or make it a comment with `#`';
  return scope === 'plan'
    ? `${out}; tasks stand under \`tasks:\` in YAML, and below the front matter in markdown`
    : out;
}

/** The value, or undefined after an error. Structures are read by who knows them. */
export function readKeyValue(key: Key, node: YamlNode, report: Report): unknown {
  switch (key.value.kind) {
    case 'statements':
    case 'names':
      return readTexts(key, node, report);
    case 'references':
      return readReferences(key, node, report);
    case 'env':
      return readEnv(key, node, report);
    case 'limits':
      return readLimits(key, node, report);
    case 'structure':
      return undefined;
    default:
      return readOne(key, node, report);
  }
}

function readOne(key: Key, node: YamlNode, report: Report): unknown {
  if (node.kind !== 'text') return wrong(key, node, report);
  const { kind } = key.value;
  const isText = kind === 'text' || kind === 'prose' || kind === 'statements' || kind === 'names';
  if (isText && looksTyped(node)) return wrong(key, node, report);
  // A number or a flag in quotes is a text.
  if (!isText && !node.plain && kind !== 'duration' && kind !== 'choice') return wrong(key, node, report);
  const reading = readScalar(key.value, isText ? node.text : node.text.trim());
  if (!reading.ok) return wrong(key, node, report);
  const { value } = reading;
  if (isCommand(key) && node.plain && hasSmartQuotes(node.text))
    report.warning({ ...smartQuotes(node.text), line: node.line, column: node.column });
  return typeof value === 'string' ? withoutLastLineEnds(value) : value;
}

const isCommand = ({ name }: Key): boolean => name === 'run' || name === 'check';

/** A literal block ends with a line end that nobody means. */
function withoutLastLineEnds(text: string): string {
  // A pattern would look at every run of empty lines as often as it has lines.
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

function readTexts(key: Key, node: YamlNode, report: Report): readonly string[] | undefined {
  if (node.kind === 'map') return wrong(key, node, report);
  if (node.kind === 'text') {
    const one = readOne(key, node, report);
    if (typeof one !== 'string') return undefined;
    return key.value.kind === 'names' ? splitNames(one) : [one];
  }
  const texts = node.items.map((item) => readOne(key, item, report));
  return texts.every((text) => typeof text === 'string') ? texts : undefined;
}

function readReferences(key: Key, node: YamlNode, report: Report): readonly Reference[] | undefined {
  const kind = key.name === 'needs' ? 'need' : 'preference';
  if (node.kind === 'map') return wrong(key, node, report);
  if (node.kind === 'text') {
    if (node.text === '' && node.plain) return wrong(key, node, report);
    return splitReferences(node.text, inside(node), kind);
  }
  const found: Reference[] = [];
  for (const item of node.items) {
    if (item.kind !== 'text' || item.text.trim() === '') wrong(key, item, report);
    else splitReferences(item.text, inside(item), kind, found);
  }
  return found;
}

/** Where the text of a scalar starts: behind its quote. */
const inside = (node: YamlText) => ({ line: node.line, column: node.column + (node.plain ? 0 : 1) });

/** Values are read as they are written, so `1` and `true` need no quotes here; nothing at all does. */
function readEnv(key: Key, node: YamlNode, report: Report): Readonly<Record<string, string>> | undefined {
  const env: Record<string, string> = Object.create(null);
  if (node.kind === 'text') {
    const line = readEnvLine(node.text);
    if ('wrong' in line) return wrong(key, node, report);
    for (const [name, value] of line.env) env[name] = value;
    return env;
  }
  if (node.kind !== 'map') return wrong(key, node, report);
  for (const { key: name, value } of entriesOf(node, report)) {
    const isNothing = value.kind === 'text' && value.plain && /^(|~|null)$/i.test(value.text);
    if (!isEnvName(name.text)) badName(name, 'a name of a variable', report);
    else if (value.kind !== 'text') wrong(key, value, report);
    else if (isNothing) wrong(key, value.text === '' ? name : value, report, "`''`");
    else env[name.text] = value.text;
  }
  return env;
}

function readLimits(key: Key, node: YamlNode, report: Report): Readonly<Record<string, number>> | undefined {
  const limits: Record<string, number> = Object.create(null);
  if (node.kind !== 'map') return wrong(key, node, report);
  for (const { key: name, value } of entriesOf(node, report)) {
    const reading = value.kind === 'text' && value.plain ? readScalar(key.value, value.text) : null;
    if (name.text.trim() === '') badName(name, 'a name of a pool', report);
    else if (!reading?.ok) wrong(key, value, report);
    else limits[name.text] = reading.value as number;
  }
  return limits;
}

function badName(node: YamlText, expected: string, report: Report): void {
  const { line, column, text } = node;
  report.error({
    code: 'bad-value',
    message: `${quoted(text)} is not ${expected}`,
    line,
    column,
    length: Math.max(1, text.length + (node.plain ? 0 : 2)),
    help: expected.endsWith('variable') ? 'letters, digits and `_`, no digit first' : 'give it a name',
  });
}

function wrong(key: Key, node: YamlNode, report: Report, example?: string): undefined {
  const isText = ['text', 'prose', 'statements', 'names'].includes(key.value.kind);
  const typed = node.kind === 'text' && looksTyped(node) && isText;
  const unquoted = node.kind === 'text' && !node.plain && !isText && readScalar(key.value, node.text).ok;
  report.error({
    code: 'bad-value',
    message: `${quoted(key.name)} takes ${expectedForm(key.value)}, not ${describeNode(node)}`,
    line: node.line,
    column: node.column,
    length: node.kind === 'text' ? Math.max(1, node.text.length + (node.plain ? 0 : 2)) : 1,
    help: typed
      ? `write it in quotes: \`${key.name}: '${node.text}'\``
      : example !== undefined
        ? `an empty value is written in quotes: ${example}`
        : unquoted
          ? 'write it without quotes'
          : helpForShape(key, node, report),
  });
  return undefined;
}

/** A number that was written as a word. */
function exampleOf({ name, value: { kind } }: Key): string | undefined {
  return kind === 'count' || kind === 'integer' ? `for example \`${name}: 3\`` : undefined;
}

/** Something of another shape than the key takes: the same in its shape, if that can be told. */
function helpForShape(key: Key, node: YamlNode, report: Report): string | undefined {
  if (node.kind === 'text') {
    const isBehindSharp = node.text === '' && /:\s+#\S/.test(report.lineAt(node.line));
    if (isBehindSharp) return 'behind a space and `#` there is a comment: put a value with a `#` in quotes';
    return meantChoice(key.value, node.text) ?? exampleOf(key);
  }
  const words = node.kind === 'list' ? node.items : node.entries.map((entry) => entry.key);
  const texts = words.flatMap((word) => (word.kind === 'text' && word.text !== '' ? [word.text] : []));
  if (texts.length === 0 || texts.length !== words.length || texts.length > 8) return undefined;
  if (node.kind === 'list' && (key.value.kind === 'text' || key.value.kind === 'prose'))
    return key.name === 'run' ? `write it as one command: ${quoted(`run: ${texts.join(' ')}`)}` : undefined;
  if (node.kind === 'map' && key.value.kind === 'references' && node.entries.length > 1)
    return `write ${quoted(`${key.name}: [${texts.join(', ')}]`)}`;
  return undefined;
}
