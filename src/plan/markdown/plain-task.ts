// Tasks so plain that their plainest spelling can only be read as themselves. Reading every line back would cost a large plan
// more than all the rest; whatever is not plain by these few rules is read back.
import { criteriaLabel } from './headings.ts';
import type { TaskText } from './write-task.ts';

/** `lines` is the plainest spelling: the head, keys on a line each, the prose. */
export function isPlainTask(
  { id, title, parallel, keys, prompt, references }: TaskText,
  lines: readonly string[],
): boolean {
  if (id === null || parallel || !plainId.test(id) || !plainTitle.test(title) || title === id) return false;
  for (const { text } of references) if (!plainReference.test(text)) return false;
  let keyCount = 0;
  for (const _ in keys) keyCount++;
  const prose = prompt === null ? 0 : lines.length - 1 - keyCount;
  if (lines.length !== 1 + keyCount + prose || prose < 0) return false;
  for (let i = 1; i <= keyCount; i++) if (!plainKey.test(lines[i]!)) return false;
  for (let i = keyCount + 1; i < lines.length; i++) if (!isPlainProse(lines[i]!)) return false;
  return true;
}

const plainId = /^[a-z][a-z0-9_-]*$/;
const plainTitle = /^[A-Za-z][A-Za-z0-9_ ,./']*$/;
const plainReference = /^[A-Za-z0-9][A-Za-z0-9_.]*(?:-[A-Za-z_][A-Za-z0-9_.]*)*$/;
/** On one line; what stands behind the colon was read back when it was chosen. */
const plainKey = /^ {2}- [a-z-]+: [^<]+$/;
const plainProse = /^ {2}(?:- )?[A-Za-z][A-Za-z0-9_ ,./']*$/;

const isPlainProse = (line: string): boolean =>
  plainProse.test(line) && criteriaLabel(line.trim().replace(/^- /, '')) === null;
