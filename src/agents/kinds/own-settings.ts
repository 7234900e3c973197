// The settings files of programs, which the programs read and we only look at.
import { beginningOf } from '../config/plain-file.ts';
import { type Fields, fieldsOf } from '../stream/json-lines.ts';

const largestSettings = 1_000_000;

/** Null: there are none, or they are not understood. */
export function settingsIn(file: string): Fields | null {
  const { text, isCut } = beginningOf(file, largestSettings) ?? { text: '', isCut: true };
  try {
    return isCut ? null : fieldsOf(JSON.parse(withoutComments(text)));
  } catch {
    return null;
  }
}

/** Gemini CLI allows them. A text that looks like one is none. */
const withoutComments = (json: string): string =>
  json.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*(?:.|\n)*?\*\//g, (_, text: string = '') => text);
