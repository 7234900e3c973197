// What a coding agent does now, by the end of its output: its last call, or its last message. Another process than the one that started it
// can tell it too.
import { anyEvents } from '../kind.ts';
import { readEnd } from '../process/output-tail.ts';
import { plainLine } from '../sanitize-terminal.ts';
import type { AgentEvent } from './agent-event.ts';
import { callLine, cutLine } from './call-line.ts';
import { parsed } from './json-lines.ts';

/** The result of a call may be a long line, with the call before it. */
const sizes = [16 * 1024, 128 * 1024, 1024 * 1024];
const longest = 120;

/** Null: the end of the file tells nothing. */
export function lastAction(file: string, root: string): string | null {
  for (const size of sizes) {
    const text = readEnd(file, size);
    const found = lastIn(text, root);
    // Fewer bytes than asked for: that was all of it.
    if (found !== null || Buffer.byteLength(text) < size) return found;
  }
  return null;
}

function lastIn(text: string, root: string): string | null {
  let said = '';
  for (const event of backwards(text)) {
    if (event.type === 'said') {
      said = event.text + said;
      if (event.goesOn) continue;
    }
    const line = said === '' ? lineOf(event, root) : cutLine(firstLine(said), longest);
    if (line !== '') return line;
    said = '';
  }
  return said === '' ? null : cutLine(firstLine(said), longest) || null;
}

/** Empty: it is nothing that the agent does. */
function lineOf(event: AgentEvent, root: string): string {
  if (event.type === 'called') return callLine(event.tool, event.input, root, longest);
  return event.type === 'retrying' ? cutLine(plainLine(`tries again: ${event.because.slice(0, 500)}`), longest) : '';
}

const firstLine = (text: string): string =>
  plainLine(
    text
      .slice(0, 2_000)
      .split('\n')
      .find((line) => line.trim() !== '') ?? '',
  );

/** The first line may be cut, and is no JSON then. */
function* backwards(text: string): Generator<AgentEvent> {
  let end = text.length;
  while (end > 0) {
    const begin = text.lastIndexOf('\n', end - 1) + 1;
    const fields = parsed(text.slice(begin, end));
    if (fields !== null) yield* anyEvents(fields).toReversed();
    end = begin - 1;
  }
}
