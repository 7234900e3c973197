// Any text as the name of one file: ids of tasks may be anything. Plain ones stay as they are, because people type them.
import { createHash } from 'node:crypto';

const longest = 80;

/** Never empty, `.` or `..`; starts neither with a dot nor like a flag. Different texts give different names. */
export function safeName(text: string): string {
  const bytes = Buffer.from(text);
  let name = '';
  for (const byte of bytes) {
    const c = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9_]/.test(c) || (name !== '' && /[.-]/.test(c));
    name += isPlain ? c : `%${byte.toString(16).padStart(2, '0')}`;
  }
  if (name === '') return '%';
  if (name.length <= longest) return name;
  // No short name has such an end: a `%` is followed by two digits there.
  return `${name.slice(0, longest - 18).replace(/%.?$/, '')}%-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
