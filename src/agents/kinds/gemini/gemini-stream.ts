// The stream of Gemini CLI (`--output-format stream-json`).
import type { ModelUsage, ResultClass } from '../../../core/model/agent-result.ts';
import type { AgentEvent } from '../../stream/agent-event.ts';
import { countOf, type Fields, fieldsOf, textOf } from '../../stream/json-lines.ts';

export function geminiEvents(line: Fields): AgentEvent[] {
  switch (line.type) {
    case 'init':
      return [{ type: 'session', id: textOf(line.session_id) }];
    case 'message':
      return line.role === 'assistant' ? [said(textOf(line.content), line.delta === true)] : [];
    case 'tool_use': {
      // Another program has lines of this type too.
      if (typeof line.tool_name !== 'string') return [];
      const tool = textOf(line.tool_name);
      const input = fieldsOf(line.parameters);
      const path = editing.has(tool) ? textOf(input?.file_path) : '';
      return [
        {
          type: 'called',
          id: textOf(line.tool_id),
          tool,
          input,
          ...(path === '' ? {} : { writes: [path] }),
          ...(tool === 'run_shell_command' ? { isShell: true } : {}),
        },
      ];
    }
    case 'tool_result':
      return returned(line);
    case 'result':
      return typeof line.status === 'string' ? [{ type: 'result', result: resultOf(line) }] : [];
    default:
      return [];
  }
}

/** Whom its service does not let in is told beside the stream, which has not begun yet. A setting that it does not take ends it with 52, too. */
export const geminiExit = (code: number, errors: string): ResultClass | null =>
  code === 41 || (code === 52 && isLogin.test(errors)) ? 'authentication' : null;

const isLogin = /auth|\b40[13]\b|API key/i;

function returned({ tool_id: id, status, output, error }: Fields): AgentEvent[] {
  const { type, message } = fieldsOf(error) ?? {};
  const text = textOf(output) || textOf(message);
  const isDenied = type === 'policy_violation' && !text.startsWith(byHook);
  const ran = isDenied || neverRan.has(textOf(type)) ? { ran: false } : {};
  return [
    { type: 'returned', id: textOf(id), ok: status === 'success', text, ...ran },
    ...(isDenied ? [{ type: 'denied', tool: toolIn(textOf(id)) } as const] : []),
  ];
}

/** A hook that denies is no refusal of the program, though it calls both a violation of its policy. */
const byHook = 'Tool execution blocked: ';

/** Found before any hook. */
const neverRan = new Set(['invalid_tool_params', 'tool_not_registered']);

/** A call is named after its tool. */
const toolIn = (id: string): string => /^(.+)__/s.exec(id)?.[1] ?? id;

const said = (text: string, goesOn: boolean): AgentEvent => ({ type: 'said', text, ...(goesOn ? { goesOn } : {}) });

const editing = new Set(['write_file', 'replace', 'edit']);

function resultOf({ status, error, stats }: Fields) {
  const { type, message } = fieldsOf(error) ?? {};
  const counts = fieldsOf(stats);
  const models = Object.entries(fieldsOf(counts?.models) ?? {});
  const usage = models.length > 0 ? models.map(([model, own]) => usageOf(model, fieldsOf(own))) : [usageOf('', counts)];
  const text = textOf(message);
  return { class: status === 'success' ? 'done' : classOf(textOf(type), text), text, usage } as const;
}

/** Cached tokens are part of the input there. */
const usageOf = (model: string, counts: Fields | null): ModelUsage => ({
  model,
  input: Math.max(0, countOf(counts?.input_tokens) - countOf(counts?.cached)),
  output: countOf(counts?.output_tokens),
  cached: countOf(counts?.cached),
  cacheWrite: 0,
});

function classOf(type: string, text: string): ResultClass {
  const said = `${type} ${text}`;
  if (/input token count .*exceeds/i.test(said)) return 'context';
  if (/quota|\b429\b|RESOURCE_EXHAUSTED/i.test(said)) return 'rate-limit';
  if (isLogin.test(said)) return 'authentication';
  if (/MaxTurns|turn limit/i.test(said)) return 'max-turns';
  if (/overloaded|\b50[0-9]\b|UNAVAILABLE/i.test(said)) return 'overload';
  return 'crash';
}
