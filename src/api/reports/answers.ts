// Small answers: what a code means, a piece of a log, a script for a shell, and a refusal.
import { defined } from './defined.ts';
import { count, either, list, maybe, object, one, orNull, type Shown, text, texts } from './schema-words.ts';

const example = object({ file: text, text });

export type CodeReport = Shown<typeof codeReport>;
export const codeReport = either(
  object({ kind: one('diagnostic'), code: text, about: text, wrong: example, right: example }),
  object({ kind: one('exit'), code: count, word: text, about: text, ways: texts }),
);

export type LogChunk = Shown<typeof logChunk>;
export const logChunk = object({ attempt: text, text });

export const completion = object({ shell: text, script: text });

export const error = object({
  type: one('error'),
  exitCode: count,
  message: text,
  instead: orNull(text),
  diagnostics: list(defined('diagnostic')),
  stack: maybe(text),
});
