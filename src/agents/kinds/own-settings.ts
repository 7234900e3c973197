// The settings files of the person, which programs read and we only look at.
import { readFileSync, statSync } from 'node:fs';
import { type Fields, fieldsOf } from '../stream/json-lines.ts';

const largestSettings = 1_000_000;

/** Null: there are none. They may have comments; then they are not understood here. */
export function settingsIn(file: string): Fields | null {
  try {
    return statSync(file).size > largestSettings ? null : fieldsOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
