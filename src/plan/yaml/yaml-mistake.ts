// Syntax errors of the `yaml` package in words that help, without those that only follow from the first one.
import type { YAMLError } from 'yaml';
import { plainText } from '../diagnostic.ts';

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
    const [message, help] = words[error.code] ?? [plainText(error.message), general];
    found.push({ offset, message, help });
    if (!local.has(error.code)) break;
  }
  return found;
}

export const tooDeep: readonly [message: string, help: string] = [
  'this is nested too deeply',
  'a plan needs a handful of levels; an alias cannot hold itself',
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
  TAB_AS_INDENT: ['a tab in the indentation', 'YAML is indented with spaces'],
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
