// The stream of Claude Code (`--output-format stream-json --verbose`), and of Qwen Code, which prints the same.
import type { ModelUsage, ResultClass } from '../../../core/model/agent-result.ts';
import { denialLead } from '../../../core/model/denial.ts';
import type { AgentEvent } from '../../stream/agent-event.ts';
import { countOf, type Fields, fieldsOf, listOf, textOf } from '../../stream/json-lines.ts';
import { serverName } from '../known-program.ts';
import { limitIn } from './claude-limit.ts';

export function claudeEvents(line: Fields): AgentEvent[] {
  switch (line.type) {
    case 'system':
      return system(line);
    case 'assistant':
      return [...errorOf(line), ...contentOf(line).flatMap(block)];
    case 'user':
      return contentOf(line).flatMap((value) => toolResult(value, line));
    case 'rate_limit_event':
      return rateLimit(fieldsOf(line.rate_limit_info));
    case 'result':
      return typeof line.session_id === 'string' ? [...denials(line), ...ended(line)] : [];
    default:
      return [];
  }
}

function system(line: Fields): AgentEvent[] {
  const { subtype, session_id: id, error, error_status: status, tool_name: tool, task_id: task } = line;
  if (subtype === 'init') {
    const version = textOf(line.claude_code_version);
    return [{ type: 'session', id: textOf(id), ...(version === '' ? {} : { version }), loaded: loadedBy(line) }];
  }
  // Older versions tell of them in the result only.
  if (subtype === 'permission_denied') return [{ type: 'denied', tool: textOf(tool) }];
  if (subtype === 'task_started' || subtype === 'task_notification')
    return [{ type: 'background', id: textOf(task), isOver: subtype === 'task_notification' }];
  if (subtype === 'api_retry') return [{ type: 'retrying', because: textOf(error) || `status ${status}` }];
  return [];
}

/** Plugins bring hooks and tools of their own. */
function loadedBy({ plugins, mcp_servers: servers }: Fields): string[] {
  const names = (list: unknown, what: string, isForeign: (one: Fields) => boolean) =>
    listOf(list).flatMap((value) => {
      const one = fieldsOf(value);
      return one !== null && isForeign(one) ? [`${what} ${textOf(one.name)}`] : [];
    });
  return [
    ...names(plugins, 'plugin', ({ path }) => path !== 'builtin'),
    ...names(servers, 'MCP server', ({ name }) => name !== serverName),
  ];
}

const contentOf = ({ message }: Fields): readonly unknown[] => listOf(fieldsOf(message)?.content);

function block(value: unknown): AgentEvent[] {
  const { type, text, id, name, input } = fieldsOf(value) ?? {};
  if (type === 'text' && textOf(text) !== '') return [{ type: 'said', text: textOf(text) }];
  if (type !== 'tool_use') return [];
  const path = editing.has(textOf(name)) ? pathIn(fieldsOf(input)) : '';
  return [
    {
      type: 'called',
      id: textOf(id),
      tool: textOf(name),
      input,
      ...(path === '' ? {} : { writes: [path] }),
      ...(name === 'Bash' ? { isShell: true } : {}),
    },
    ...(name === asking ? questionIn(fieldsOf(input)) : []),
  ];
}

const asking = 'AskUserQuestion';
const editing = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const pathIn = (input: Fields | null): string => textOf(input?.file_path ?? input?.notebook_path);

function toolResult(value: unknown, line: Fields): AgentEvent[] {
  const { type, tool_use_id: id, content, is_error: isError } = fieldsOf(value) ?? {};
  if (type !== 'tool_result') return [];
  const text =
    typeof content === 'string'
      ? content
      : listOf(content)
          .map((part) => textOf(fieldsOf(part)?.text))
          .join('');
  const ok = isError !== true;
  const byHook = !ok && (hookWords.test(text) || isByHook(line, id));
  return [{ type: 'returned', id: textOf(id), ok, text, ...(ok ? {} : reached(text)), ...(byHook ? { byHook } : {}) }];
}

/** A command that failed says with which code; what is wrong with a call itself is found before any hook, and marked. */
function reached(text: string): { readonly ran?: boolean } {
  if (/^Exit code \d/.test(text)) return { ran: true };
  return text.startsWith('<tool_use_error>') ? { ran: false } : {};
}

/**
 * A tool that asks a person: the program offers none where nobody can answer, but a model may call it all the same. With the labels of its
 * answers, if there are any.
 */
function questionIn(input: Fields | null): AgentEvent[] {
  const questions = listOf(input?.questions).flatMap((value) => {
    const { question, options } = fieldsOf(value) ?? {};
    const labels = listOf(options).map((option) => textOf(fieldsOf(option)?.label));
    const choices = labels.filter((label) => label !== '').join(' / ');
    return textOf(question) === '' ? [] : `${textOf(question)}${choices === '' ? '' : ` (${choices})`}`;
  });
  return questions.length === 0 ? [] : [{ type: 'asked', question: questions.join('\n') }];
}

/** A denial of ours, or a hook that has failed. Older versions say no more than that. */
const hookWords = new RegExp(`^(?:PreToolUse:\\S+ hook error: |${denialLead})`);

const isByHook = ({ tool_result_meta: meta }: Fields, id: unknown): boolean =>
  listOf(meta).some((value) => {
    const one = fieldsOf(value);
    return one?.id === id && fieldsOf(one?.permission_decision)?.source === 'hook';
  });

/** Of all calls so far, by whomever. A question to a person is none: it is told as what it is. */
const denials = ({ permission_denials: list }: Fields): AgentEvent[] =>
  listOf(list).flatMap((value) => {
    const { tool_name: tool, tool_use_id: id } = fieldsOf(value) ?? {};
    return textOf(tool) === '' || tool === asking ? [] : [{ type: 'denied', tool: textOf(tool), id: textOf(id) }];
  });

/** Only a rejection is a limit; warnings come long before. */
function rateLimit(info: Fields | null): AgentEvent[] {
  const seconds = countOf(info?.resetsAt);
  return info?.status === 'rejected' && seconds > 0 ? [{ type: 'limit', resetsAt: seconds * 1000 }] : [];
}

/** The synthetic message before a failed result is the only place that names the kind of its error. */
function errorOf({ error }: Fields): AgentEvent[] {
  const name = textOf(error);
  return Object.hasOwn(errors, name) ? [{ type: 'trouble', class: errors[name]!, text: name }] : [];
}

const errors: Readonly<Record<string, ResultClass>> = {
  rate_limit: 'rate-limit',
  server_error: 'overload',
  overloaded: 'overload',
  billing_error: 'billing',
  authentication_failed: 'authentication',
};

/** `subtype` says success also of failures: `is_error` decides, and where it is missing nothing is known. */
function ended(line: Fields): AgentEvent[] {
  const text = textOf(line.result) || listOf(line.errors).map(textOf).join('; ');
  const said = line.is_error === false ? 'done' : failureOf(line);
  const limit = said === 'crash' || said === 'rate-limit' ? limitIn(text, Date.now()) : null;
  const { resetsAt = null } = limit ?? {};
  return [
    ...(resetsAt === null ? [] : [{ type: 'limit', resetsAt, fromWords: true } as const]),
    { type: 'result', result: { class: limit ? 'rate-limit' : said, text, ...spent(line) } },
  ];
}

/** In a resumed conversation the total counts what was spent before it was resumed; older versions tell only the total. */
function spent({ model_usage_since_last_result: since, modelUsage, total_cost_usd: total }: Fields) {
  const own = fieldsOf(since);
  if (own !== null) return { more: usages(own) };
  return { usage: usages(fieldsOf(modelUsage)), ...(typeof total === 'number' ? { costUsd: countOf(total) } : {}) };
}

const usages = (byModel: Fields | null): ModelUsage[] =>
  Object.entries(byModel ?? {}).map(([model, usage]) => usageOf(model, fieldsOf(usage)));

/** Ends of a conversation after which it cannot go on. */
const tooLong = new Set(['prompt_too_long', 'blocking_limit', 'rapid_refill_breaker']);

function failureOf({ subtype, terminal_reason: reason, api_error_status: status }: Fields): ResultClass {
  if (subtype === 'error_max_turns') return 'max-turns';
  if (subtype === 'error_max_budget_usd') return 'budget';
  if (tooLong.has(textOf(reason))) return 'context';
  if (status === 401 || status === 403) return 'authentication';
  if (status === 429) return 'rate-limit';
  if (typeof status === 'number' && status >= 500) return 'overload';
  return 'crash';
}

const usageOf = (model: string, usage: Fields | null): ModelUsage => ({
  model,
  input: countOf(usage?.inputTokens),
  output: countOf(usage?.outputTokens),
  cached: countOf(usage?.cacheReadInputTokens),
  cacheWrite: countOf(usage?.cacheCreationInputTokens),
  ...(typeof usage?.costUSD === 'number' ? { costUsd: countOf(usage.costUSD) } : {}),
});
