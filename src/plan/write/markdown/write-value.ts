// A key of a task as lines of markdown that read back as the same value. Whatever a plain line would change (line breaks,
// comments, boxes, backticks) goes into a block.
import type { TaskKeys } from '../../../core/model/plan.ts';
import { writeDuration } from '../../keys/duration.ts';
import { readEnvLine } from '../../keys/env.ts';
import { type Key, keys } from '../../keys/keys.ts';
import { splitNames, unwrapCode } from '../../keys/value.ts';
import { readBox } from '../../read/markdown/box.ts';

/** `- key: value` for every key there is, in the order of the table; not indented. */
export function writeKeys(own: TaskKeys): string[] {
  const values = own as Readonly<Record<string, unknown>>;
  const lines: string[] = [];
  for (const key of taskKeys) {
    const value = values[key.field];
    if (value !== undefined) for (const line of writeKey(key, value)) lines.push(line);
  }
  return lines;
}

const taskKeys = keys.filter((key) => key.where.includes('task') && !key.yamlOnly);

function writeKey(key: Key, value: unknown): string[] {
  switch (key.value.kind) {
    case 'statements':
      return writeParts(
        key,
        (value as readonly string[]).map((text) => writeText(text, key.name === 'check')),
      );
    case 'names':
      return writeNames(key, value as readonly string[]);
    case 'env':
      return writeParts(key, writeEnv(value as Readonly<Record<string, string>>));
    case 'duration':
      return [`- ${key.name}: ${writeDuration(value as number)}`];
    default:
      return writeParts(key, [writeText(String(value), key.name === 'run')]);
  }
}

type Part = string | { readonly block: string };

/** One on the line of the key; several, or a block, under it. */
function writeParts(key: Key, parts: readonly Part[]): string[] {
  const [first] = parts;
  if (first === undefined) return [`- ${key.name}: ${key.value.kind === 'env' ? '{}' : ','}`];
  if (parts.length === 1 && typeof first === 'string') return [`- ${key.name}: ${first}`];
  const isBlockOfItsOwn = parts.length === 1 && (key.name === 'run' || key.name === 'check');
  if (isBlockOfItsOwn && typeof first === 'object') return fenced(first.block, key.name);
  return [
    `- ${key.name}:`,
    ...parts
      .flatMap((part) => (typeof part === 'string' ? [`- ${part}`] : fenced(part.block, 'text')))
      .map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

/** A block whose fence no line of it can close. */
export function fenced(content: string, info: string): string[] {
  let longest = 2;
  for (const [, ticks] of content.matchAll(/^\s*(`+)/gm)) longest = Math.max(longest, ticks!.length);
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${info}`, ...content.split('\n'), fence];
}

function writeText(text: string, asCode: boolean): Part {
  const candidates = asCode ? [`\`${text}\``, text, `\`\` ${text} \`\``] : [text, `\`${text}\``, `\`\` ${text} \`\``];
  return candidates.find((written) => isOneLine(written) && unwrapCode(written) === text) ?? { block: text };
}

function writeNames(key: Key, names: readonly string[]): string[] {
  const readsBack = (written: string, wanted: readonly string[]) =>
    isOneLine(written) && JSON.stringify(splitNames(written)) === JSON.stringify(wanted);
  const each = names.map(
    (name) => [name, `\`${name}\``, `\`\` ${name} \`\``].find((written) => readsBack(written, [name])) ?? name,
  );
  const line = each.join(', ');
  return names.length > 0 && line.length <= 100 && readsBack(line, names)
    ? [`- ${key.name}: ${line}`]
    : writeParts(key, each);
}

function writeEnv(env: Readonly<Record<string, string>>): string[] {
  const each = Object.entries(env).map(([name, value]) => {
    const plain = `${name}=${value}`;
    const read = readEnvLine(unwrapCode(plain));
    const reads = 'env' in read && read.env.length === 1 && read.env[0]![0] === name && read.env[0]![1] === value;
    return reads && isOneLine(plain) && !plain.includes('{') ? plain : `{${name}: ${JSON.stringify(value)}}`;
  });
  const line = each.join(', ');
  const read = readEnvLine(line);
  const reads = 'env' in read && JSON.stringify(read.env) === JSON.stringify(Object.entries(env));
  return reads && each.length > 0 && line.length <= 100 && isOneLine(line) ? [line] : each;
}

/** As the value of a key or the text of an item it is read as it stands. */
function isOneLine(text: string): boolean {
  if (text === '' || text !== text.trim() || /[\n\r\u2028\u2029]|<!--/.test(text)) return false;
  return !(text.startsWith('[') && readBox(text, 0) !== null);
}
