// Syntax errors of the `yaml` package in words that help, without those that only follow from the first one.
import { Lexer, type YAMLError } from 'yaml';
import { printable } from '../../diagnostics/diagnostic.ts';

export interface YamlMistake {
  readonly offset: number;
  readonly message: string;
  readonly help: string;
}

/** Those of which each stands for itself; behind any other one the reader has lost its way. */
const local: ReadonlySet<string> = new Set([
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_SCALAR_START',
  'BAD_DQ_ESCAPE',
  'TAG_RESOLVE_FAILED',
  'TAB_AS_INDENT',
]);

/** One for each line at most, in the order of the text. */
export function yamlMistakes(text: string, errors: readonly YAMLError[]): YamlMistake[] {
  const found: YamlMistake[] = [];
  for (const error of [...errors].sort((a, b) => a.pos[0] - b.pos[0])) {
    const offset = error.pos[0];
    const last = found[found.length - 1];
    if (last && !text.slice(last.offset, offset).includes('\n')) continue;
    found.push(wordsFor(text, error));
    if (!local.has(error.code)) break;
  }
  return found;
}

function wordsFor(text: string, error: YAMLError): YamlMistake {
  const offset = error.pos[0];
  const quote = /^Missing closing ["']quote/.test(error.message) ? openQuote(text, offset) : -1;
  if (quote >= 0) return unclosedQuote(text, quote);
  const open = bracketErrors.has(error.code) ? openBracket(text, offset) : -1;
  if (open >= 0) return unclosedBracket(text, open);
  if (/^[ \t]*[-*+] \[[ xX-]\] /m.test(lineAt(text, offset)))
    return { offset: lineStart(text, offset), message: 'this is a task as markdown has them', help: markdownHelp };
  if (lineAt(text, offset).startsWith('```'))
    return {
      offset,
      message: 'a fence of markdown',
      help: 'the file is YAML as a whole: take out the lines with the backticks',
    };
  const deeper = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? keyBelow(text, offset) : -1;
  if (deeper >= 0)
    return {
      offset: deeper,
      message: 'this line stands further right than the keys above it',
      help: 'keys that belong together start in the same column; put a text with a colon and a space in quotes',
    };
  const special = byMessage.find(([form]) => form.test(error.message));
  if (special) return { offset, message: special[1], help: special[2] };
  const behind = /^Unexpected .* at node end/.test(error.message) ? behindValue(text, offset) : null;
  if (behind) return { offset, ...behind };
  const bracket = /must end with a (?<close>[}\]])|Expected .* to end with (?<end>[}\]])/.exec(error.message);
  const close = bracket?.groups?.close ?? bracket?.groups?.end;
  if (close !== undefined && words[error.code] === undefined) {
    const message = `${close === '}' ? 'a map in braces' : 'a list in brackets'} is not closed before this`;
    return { offset, message, help: `close it with \`${close}\`; what is in it stands further right than its key` };
  }
  const [message, help] = words[error.code] ?? [printable(error.message), general];
  return { offset, message, help };
}

const byMessage: readonly (readonly [form: RegExp, message: string, help: string])[] = [
  [/^Unexpected , in flow/, 'a comma too many', 'take it out: between two items there is one comma'],
  [
    /^Implicit map keys need to be followed/,
    'this line is no `key: value`',
    'a key ends with a colon and a space; what belongs to the key above stands further right',
  ],
  [/^Block scalar header/, 'text behind `|` or `>`', 'the text of a block starts in the line below, indented'],
  [/^Unsupported YAML version/, 'a version of YAML that is not known', 'take the line out'],
];

const markdownHelp =
  'tasks stand under `tasks:` in YAML, as `id: { title: … }`; in markdown below the front matter, in a file that ends with `.md`';

const bracketErrors: ReadonlySet<string> = new Set(['BAD_INDENT', 'MISSING_CHAR', 'BLOCK_IN_FLOW']);

/** The innermost bracket that is still open where the lexer gave up on it, or where the text ends. */
function openBracket(text: string, offset: number): number {
  const open: number[] = [];
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === flowEnd) {
      if (at >= offset) return open.at(-1) ?? -1;
      open.length = 0;
    }
    if (isMark(token)) continue;
    if (token === '[' || token === '{') open.push(at);
    else if (token === ']' || token === '}') {
      const last = open.pop();
      if (last !== undefined && (text[last] === '[') !== (token === ']')) return last;
    }
    at += token.length;
  }
  return at <= offset ? (open.at(-1) ?? -1) : -1;
}

function unclosedBracket(text: string, offset: number): YamlMistake {
  const sign = text[offset]!;
  const message = `the \`${sign}\` that opens here is never closed`;
  const help = `close it with \`${sign === '{' ? '}' : ']'}\`; what is in it stands further right than its key`;
  return { offset, message, help };
}

/** Three signs of the lexer's own stand for no character of the text. */
const flowEnd = '\u0018';
const isMark = (token: string): boolean => token === '\u0002' || token === flowEnd || token === '\u001f';

/** The reader tells where it gave up; a person looks for where the quote opens. */
function openQuote(text: string, offset: number): number {
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    if (isMark(token)) continue;
    const isQuoted = token.startsWith('"') || token.startsWith("'");
    if (isQuoted && at < offset && at + token.length >= offset) return at;
    at += token.length;
    if (at > offset) break;
  }
  return -1;
}

function unclosedQuote(text: string, offset: number): YamlMistake {
  const sign = text[offset]!;
  const other = sign === '"' ? "'" : '"';
  const message = 'the quote that opens here is never closed';
  const help = `close it with \`${sign}\` in its line; if it belongs to the text, put \`${other}\` around the whole`;
  return { offset, message, help };
}

/** A line that is indented too far goes on with the value above, where the package then finds a second key. */
function keyBelow(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0 || /:(?: |$)/.test(text.slice(offset, end))) return -1;
  return end + text.slice(end).search(/\S/);
}

/** Something goes on where a value in quotes or brackets has ended. */
function behindValue(text: string, offset: number): { message: string; help: string } | null {
  const before =
    text
      .slice(Math.max(0, offset - 200), offset)
      .trimEnd()
      .at(-1) ?? '';
  if (text[offset] === ',')
    return {
      message: 'a comma behind a value',
      help: 'take it out: only items inside `[ ]` and `{ }` have commas between them',
    };
  if (before === "'")
    return {
      message: 'the quotes have ended, and the value goes on',
      help: "an apostrophe inside single quotes is written twice (`''`), or put the whole in double quotes",
    };
  if (before === '"')
    return {
      message: 'the quotes have ended, and the value goes on',
      help: 'put the whole value in single quotes, or write `\\"` for a quote inside double ones',
    };
  if (before === ']' || before === '}')
    return {
      message: 'the brackets have ended, and the value goes on',
      help: 'put a text that starts with a bracket in quotes, as a whole',
    };
  return null;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(lineStart(text, offset), end < 0 ? text.length : end).slice(0, 200);
}

export const tooDeep: readonly [message: string, help: string] = [
  'this is nested too deeply',
  'a plan needs a handful of levels; an alias cannot hold itself',
];

/** In the indentation. */
export const tabAsIndent: readonly [message: string, help: string] = [
  'a tab in the indentation',
  'YAML is indented with spaces',
];

const general = 'the mistake may be a line above: a quote or bracket that is not closed, or wrong indentation';
const words: Readonly<Record<string, readonly [message: string, help: string]>> = {
  BLOCK_AS_IMPLICIT_KEY: [
    'a second `key: value` inside a value',
    'put a text with a colon and a space in quotes; a key stands on its own line, as far right as its neighbours',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'this line is no `key: value`',
    'a key ends with a colon and a space: `run: make`; text over several lines goes behind `|`, indented',
  ],
  BAD_INDENT: [
    'this line stands too far left or right, or something before it is not closed',
    'keys that belong together start in the same column; close every `{` and `[`',
  ],
  TAB_AS_INDENT: tabAsIndent,
  BAD_SCALAR_START: ['a value cannot start with this character', 'put the value in quotes'],
  BAD_DQ_ESCAPE: [
    'this is no escape sequence',
    'in double quotes a backslash starts one: write it twice, or use single quotes',
  ],
  TAG_RESOLVE_FAILED: ['tags such as `!name` are not read', 'put the value in quotes if the `!` belongs to it'],
  RESOURCE_EXHAUSTION: tooDeep,
  MULTIPLE_DOCS: ['a second document starts here', 'a file is one document: take out the line `---` or `...`'],
  BLOCK_IN_FLOW: [
    'a second `key: value` inside a value between brackets',
    'a comma is missing, or a text with a colon and a space needs quotes',
  ],
};
