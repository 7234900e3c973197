// Reads the tool calls of a coding agent from what it prints, as far as it prints them: one JSON object per line, in the shapes of
// Claude Code (and Qwen Code), Codex, opencode and Gemini. Fed piece by piece, with bounded memory; everything else is only text.
import { createHash } from 'node:crypto';
import { plainLine } from '../sanitize-terminal.ts';

export interface SeenCalls {
  /** Null: nothing that was printed tells about calls. */
  readonly count: number | null;
  /** The longest row of one and the same call. */
  readonly longest: { readonly call: string; readonly times: number } | null;
  /** Whether anything but white space was printed. */
  readonly output: boolean;
}

/** A line that is longer is no call that anybody would compare. */
const longestLine = 1024 * 1024;
const longestShown = 200;

export class ToolCallReader {
  #line = '';
  #tooLong = false;
  #isStream = false;
  #count = 0;
  #output = false;
  #last = '';
  #row = 0;
  #longest: SeenCalls['longest'] = null;
  readonly #onRow: (call: string, times: number) => void;

  /** @param onRow told each time when a call was made once more in a row. */
  constructor(onRow: (call: string, times: number) => void = () => undefined) {
    this.#onRow = onRow;
  }

  feed(text: string): void {
    if (!this.#output && /\S/.test(text)) this.#output = true;
    let begin = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      this.#append(text.slice(begin, end));
      this.#endLine();
      begin = end + 1;
    }
    this.#append(text.slice(begin));
  }

  /** What came last may have no line end. */
  end(): SeenCalls {
    this.#endLine();
    return this.seen;
  }

  get seen(): SeenCalls {
    return { count: this.#isStream ? this.#count : null, longest: this.#longest, output: this.#output };
  }

  #append(part: string): void {
    if (this.#tooLong) return;
    if (this.#line.length + part.length > longestLine) {
      this.#tooLong = true;
      this.#line = '';
    } else this.#line += part;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = '';
    this.#tooLong = false;
    if (!/^\s*\{/.test(line)) return;
    const event = parsed(line);
    if (event === null) return;
    if (isStreamEvent(event)) this.#isStream = true;
    for (const call of callsIn(event)) this.#note(call);
  }

  #note({ name, input }: Call): void {
    this.#isStream = true;
    this.#count++;
    const words = JSON.stringify(input) ?? '';
    // A hash, because an input may be a whole file.
    const fingerprint = createHash('sha256').update(`${name}\n${words}`).digest('base64');
    this.#row = fingerprint === this.#last ? this.#row + 1 : 1;
    this.#last = fingerprint;
    if (this.#row < 2) return;
    const call = plainLine(`${name} ${words}`.slice(0, longestShown));
    if (this.#row > (this.#longest?.times ?? 1)) this.#longest = { call, times: this.#row };
    this.#onRow(call, this.#row);
  }
}

interface Call {
  readonly name: string;
  readonly input: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(line: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
}

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** That somebody prints such events at all, so that none about a call means that there was none. */
function isStreamEvent({ type, message, item, part, session_id: session }: Fields): boolean {
  switch (type) {
    case 'assistant':
      return fieldsOf(message) !== null;
    case 'result':
    case 'init':
      return typeof session === 'string';
    case 'thread.started':
    case 'turn.started':
    case 'turn.completed':
      return true;
    case 'item.completed':
      return fieldsOf(item) !== null;
    case 'step_start':
    case 'step_finish':
      return fieldsOf(part) !== null;
    default:
      return false;
  }
}

function callsIn(event: Fields): Call[] {
  switch (event.type) {
    case 'assistant':
      return claudeCalls(fieldsOf(event.message)?.content);
    case 'item.completed':
      return codexCalls(fieldsOf(event.item));
    case 'tool_use':
      return otherCalls(event);
    default:
      return [];
  }
}

function claudeCalls(content: unknown): Call[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    const { type, name, input } = fieldsOf(block) ?? {};
    return type === 'tool_use' ? [{ name: textOf(name), input }] : [];
  });
}

function codexCalls(item: Fields | null): Call[] {
  switch (item?.type) {
    case 'command_execution':
      return [{ name: 'command', input: item.command }];
    case 'file_change':
      return [{ name: 'file_change', input: item.changes }];
    case 'mcp_tool_call':
      return [{ name: `${textOf(item.server)}.${textOf(item.tool)}`, input: item.arguments }];
    case 'web_search':
      return [{ name: 'web_search', input: item.query }];
    default:
      return [];
  }
}

/** opencode tells it in a part, Gemini beside the type. */
function otherCalls({ part, tool_name: tool, parameters }: Fields): Call[] {
  const own = fieldsOf(part);
  if (own) return [{ name: textOf(own.tool), input: fieldsOf(own.state)?.input }];
  return typeof tool === 'string' ? [{ name: tool, input: parameters }] : [];
}
