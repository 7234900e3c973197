// Whether a call that failed came as far as its tool, by what the programs print: a call that ran must have reached its hook.
import { expect, it } from 'vitest';
import { kindOf } from '../kind.ts';

const claude = (content: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: '1', is_error: true, content }] },
});
const codex = (item: object) => ({ type: 'item.completed', item: { id: '1', type: 'command_execution', ...item } });
const gemini = (type: string) => ({
  type: 'tool_result',
  tool_id: '1',
  status: 'error',
  error: { type, message: 'x' },
});
const opencode = (state: object) => ({ type: 'tool_use', sessionID: 's', part: { callID: '1', tool: 'bash', state } });

it.each<[boolean | undefined, string, object]>([
  [true, 'claude', claude('Exit code 3\nout')],
  [false, 'claude', claude('<tool_use_error>InputValidationError: Bash failed</tool_use_error>')],
  [undefined, 'claude', claude('b.txt is locked by task other')],
  [true, 'codex', codex({ status: 'failed', exit_code: 3 })],
  [true, 'codex', codex({ status: 'completed', exit_code: null })],
  [false, 'codex', codex({ status: 'declined', exit_code: -1 })],
  [false, 'gemini', gemini('invalid_tool_params')],
  [undefined, 'gemini', gemini('shell_execute_error')],
  [true, 'opencode', opencode({ status: 'completed', metadata: { exit: 3 } })],
  [undefined, 'opencode', opencode({ status: 'error', error: 'denied' })],
])('%s: %s %j', (ran, kind, line) => {
  const events = kindOf({ kind })!.events!(line as Readonly<Record<string, unknown>>);
  const returned = events.find(({ type }) => type === 'returned');
  expect(returned).toMatchObject({ ok: false });
  expect((returned as { ran?: boolean }).ran).toBe(ran);
});

it.each([
  ['claude', { type: 'assistant', message: { content: [{ type: 'tool_use', id: '1', name: 'Bash', input: {} }] } }],
  ['codex', { type: 'item.started', item: { id: '1', type: 'command_execution', command: 'ls' } }],
  ['gemini', { type: 'tool_use', tool_id: '1', tool_name: 'run_shell_command', parameters: {} }],
  ['opencode', opencode({ status: 'completed', input: {} })],
])('%s calls a shell', (kind, line) => {
  const events = kindOf({ kind })!.events!(line as Readonly<Record<string, unknown>>);
  expect(events.find(({ type }) => type === 'called')).toMatchObject({ isShell: true });
});
