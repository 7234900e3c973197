// Tasks so plain that their plainest spelling can only be read as themselves. Reading every line back would cost a large plan
// more than all the rest; whatever is not plain by these few rules is read back.
import type { RawTask } from '../raw-plan.ts';
import { filler } from '../resolve-needs.ts';
import { criteriaLabel } from './headings.ts';
import { writeKeys } from './write-value.ts';

/** Adds the lines of the task; false, and none of them, when it is not plain. */
export function writePlainTask(task: RawTask, margin: string, out: string[]): boolean {
  const { id, title, box, optional, parallel, keys, prompt, references } = task;
  if (id === null || parallel || task.sequential || box === 'suspended' || title === id) return false;
  if (!plainId.test(id) || !plainTitle.test(title)) return false;
  let head = `${margin}- ${boxes[box]}${optional ? '*' : ''} ${id}: ${title}`;
  let sign = ' →';
  for (const { kind, text } of references ?? none) {
    // Preferences stand behind needs, in the order of their own: left to the general way.
    if (kind !== 'need' || !plainReference.test(text) || filler.has(text.toLowerCase())) return false;
    head += `${sign} ${text}`;
    sign = ',';
  }
  const own = keys === null ? none : writeKeys(keys);
  for (const line of own) if (!plainKey.test(line)) return false;
  if (prompt !== null && !isPlainProse(prompt)) return false;
  out.push(head);
  for (const line of own) out.push(`${margin}  ${line}`);
  if (prompt === null) return true;
  for (let from = 0; from <= prompt.length; ) {
    const newline = prompt.indexOf('\n', from);
    const end = newline < 0 ? prompt.length : newline;
    out.push(`${margin}  ${prompt.slice(from, end)}`);
    from = end + 1;
  }
  return true;
}

const none: readonly never[] = [];
const boxes = { open: '[ ]', completed: '[x]', skipped: '[-]' } as const;
const plainId = /^[a-z][a-z0-9_-]*$/;
const plainTitle = /^[A-Za-z](?:[A-Za-z0-9_ ,./']*[A-Za-z0-9_,./'])?$/;
const plainReference = /^[A-Za-z0-9][A-Za-z0-9_.]*(?:-[A-Za-z_][A-Za-z0-9_.]*)*$/;
/** On one line; what stands behind the colon was read back when it was chosen. */
const plainKey = /^- [a-z-]+: [^<]+$/;
const plainProse = /^(?:- )?[A-Za-z](?:[A-Za-z0-9_ ,./']*[A-Za-z0-9_,./'])?$/;

function isPlainProse(prompt: string): boolean {
  if (!prompt.includes('\n')) return isPlainLine(prompt);
  return prompt.split('\n').every(isPlainLine);
}

const isPlainLine = (line: string): boolean =>
  plainProse.test(line) && criteriaLabel(line.startsWith('- ') ? line.slice(2) : line) === null;
