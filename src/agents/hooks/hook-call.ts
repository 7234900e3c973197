// What a coding agent tells its hook before and after a call: whether it edits files, and which, or calls a shell, which may write anywhere.
// It all comes from a program that may have been misled: an edit that is not understood is no edit without a lock, and is denied.
import { type Fields, fieldsOf, textOf } from '../stream/json-lines.ts';

export type HookCall =
  /**
   * Absolute, or from the folder that the agent works in. `shell`: the id of the shell command that makes it. The program may take the edit
   * out of the command and make it itself, and then nobody tells of an end.
   */
  | { readonly kind: 'edit'; readonly paths: readonly string[]; readonly cwd: string; readonly shell?: string }
  /** `id`: the same before and after it. */
  | { readonly kind: 'shell-begins' | 'shell-ended'; readonly id: string }
  /** It writes nothing. */
  | { readonly kind: 'other' }
  /** No attempt may make it, whatever it is about. */
  | { readonly kind: 'withheld'; readonly because: string }
  | { readonly kind: 'unclear'; readonly because: string };

/** How the hooks of a kind name what it does. */
export interface HookForms {
  /** The files of an edit; null: the tool edits nothing, or is the shell, and nobody can tell what it writes. */
  readonly edits: (tool: string, input: Fields) => readonly string[] | null;
  readonly shell: string;
  /** Why no attempt may make this call, in case that the program offers it all the same; null: it may. Absent: it has no such tools. */
  readonly withheld?: (tool: string, input: Fields) => string | null;
  /** Its tools that edit, as people are told. */
  readonly editors: readonly string[];
  /** What writes files and takes no lock, as people are told; shell commands of any kind are looked at when they have ended. */
  readonly notCovered: readonly string[];
  /** Calls in its stream that reach the hook, by the names they have there; null: every one. */
  readonly reaching: readonly string[] | null;
}

const before = new Set(['PreToolUse', 'BeforeTool']);
const after = new Set(['PostToolUse', 'PostToolUseFailure', 'AfterTool']);
const longestId = 100;

export const hookCall = (text: string, forms: HookForms): HookCall => callIn(parsed(text), forms);

/** What the hook of somebody's own session is told: beside its edits, when it begins, and when its turn or all of it is over. */
export type GuestCall =
  | Extract<HookCall, { readonly kind: 'edit' | 'unclear' }>
  | { readonly kind: 'session-begins' | 'turn-ended' | 'session-ended' }
  /** Nothing that a guest has to ask about: another tool, another moment, or the end of a call. */
  | { readonly kind: 'other' };

const moments: Readonly<Record<string, 'session-begins' | 'turn-ended' | 'session-ended'>> = {
  SessionStart: 'session-begins',
  Stop: 'turn-ended',
  StopFailure: 'turn-ended',
  AfterAgent: 'turn-ended',
  SessionEnd: 'session-ended',
};

export function guestCall(text: string, forms: HookForms): GuestCall {
  const asked = parsed(text);
  const event = textOf(asked?.hook_event_name);
  if (Object.hasOwn(moments, event)) return { kind: moments[event]! };
  if (event !== '' && !before.has(event)) return { kind: 'other' };
  const call = callIn(asked, forms);
  return call.kind === 'edit' || call.kind === 'unclear' ? call : { kind: 'other' };
}

function callIn(asked: Fields | null, { edits, shell, withheld }: HookForms): HookCall {
  const event = textOf(asked?.hook_event_name);
  const tool = textOf(asked?.tool_name);
  if (asked === null || tool === '' || !(before.has(event) || after.has(event)))
    return { kind: 'unclear', because: 'the hook was called with something that tells of no call' };
  const input = fieldsOf(asked.tool_input) ?? {};
  const id = tool === shell ? idOf(asked, input) : null;
  if (after.has(event)) return id === null ? { kind: 'other' } : { kind: 'shell-ended', id };
  const because = withheld?.(tool, input) ?? null;
  if (because !== null) return { kind: 'withheld', because: `${tool} is not for attempts: ${because}` };
  const paths = edits(tool, input);
  if (paths === null) return id === null ? { kind: 'other' } : { kind: 'shell-begins', id };
  if (paths.length === 0 || paths.some((path) => path === '' || path.includes('\0')))
    return { kind: 'unclear', because: `${tool} does not say which file it writes` };
  return { kind: 'edit', paths: [...new Set(paths)], cwd: textOf(asked.cwd), ...(id === null ? {} : { shell: id }) };
}

/** Not every program names its calls. What it calls is then its name: two at once that are the same are one. */
function idOf({ tool_use_id: given }: Fields, { command }: Fields): string {
  const id = textOf(given) || textOf(command);
  return /^[\w.-]+$/.test(id) && id.length <= longestId
    ? id
    : `x${Buffer.from(id).toString('hex').slice(0, longestId)}`;
}

function parsed(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}
