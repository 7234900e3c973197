// The stream of Codex (`codex exec --json`).
import type { ModelUsage, ResultClass } from '../../../core/model/agent-result.ts';
import type { AgentEvent } from '../../stream/agent-event.ts';
import { countOf, type Fields, fieldsOf, listOf, textOf } from '../../stream/json-lines.ts';
import { momentOf, monthNamed, wallTime } from '../wall-time.ts';

export function codexEvents(line: Fields): AgentEvent[] {
  switch (line.type) {
    case 'thread.started':
      return [{ type: 'session', id: textOf(line.thread_id) }];
    case 'item.started':
      return started(fieldsOf(line.item));
    case 'item.completed':
      return completed(fieldsOf(line.item));
    case 'turn.completed':
      return [{ type: 'result', result: { class: 'done', text: '', usage: [usageOf(fieldsOf(line.usage))] } }];
    case 'turn.failed': {
      const text = textOf(fieldsOf(line.error)?.message);
      return [...limitOf(text), { type: 'result', result: { class: classOf(text), text } }];
    }
    default:
      return [];
  }
}

/** A command is seen when it starts, so that a person can see what goes on. Everything else is told when it has ended. */
function started(item: Fields | null): AgentEvent[] {
  return item?.type === 'command_execution' ? [{ ...called(item, 'command', item.command), isShell: true }] : [];
}

function completed(item: Fields | null): AgentEvent[] {
  if (item === null) return [];
  const id = textOf(item.id);
  const ok = item.status !== 'failed' && item.status !== 'declined';
  switch (item.type) {
    case 'agent_message':
      return [{ type: 'said', text: textOf(item.text) }];
    case 'command_execution':
      // One that a hook denies is not told at all.
      return [
        {
          type: 'returned',
          id,
          ok: ok && item.exit_code === 0,
          text: textOf(item.aggregated_output),
          ran: item.status !== 'declined',
        },
      ];
    case 'file_change': {
      const writes = listOf(item.changes).map((change) => textOf(fieldsOf(change)?.path));
      return [called(item, 'patch', item.changes, writes), { type: 'returned', id, ok, text: '' }];
    }
    case 'mcp_tool_call': {
      const text = textOf(fieldsOf(item.error)?.message);
      return [
        called(item, `${textOf(item.server)}.${textOf(item.tool)}`, item.arguments),
        { type: 'returned', id, ok, text },
      ];
    }
    case 'web_search':
      return [called(item, 'web_search', item.query), { type: 'returned', id, ok, text: '' }];
    default:
      return [];
  }
}

const called = (item: Fields, tool: string, input: unknown, writes?: readonly string[]) => ({
  type: 'called' as const,
  id: textOf(item.id),
  tool,
  input,
  ...(writes ? { writes } : {}),
});

/** The stream names no model. Cached tokens are part of the input there. */
const usageOf = (usage: Fields | null): ModelUsage => ({
  model: '',
  input: Math.max(0, countOf(usage?.input_tokens) - countOf(usage?.cached_input_tokens)),
  output: countOf(usage?.output_tokens),
  cached: countOf(usage?.cached_input_tokens),
  cacheWrite: countOf(usage?.cache_write_input_tokens),
});

const again = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M/;
const minuteMs = 60_000;

/**
 * Codex says by the clock on the wall when an account may go on, to the minute, with the date if that is another day. In ms; null: it does
 * not say.
 */
export function resetIn(text: string, now: number): number | null {
  const [, month, day, year, hour, minute, half] = again.exec(text) ?? [];
  if (hour === undefined) return null;
  const today = wallTime(now, undefined);
  const date = month === undefined ? today : { year: Number(year), month: monthNamed(month), day: Number(day) };
  if (date.month === null) return null;
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  const shown = { ...date, month: date.month, hour: hours, minute: Number(minute) };
  // The seconds were cut off.
  return momentOf(shown, undefined) + minuteMs;
}

function limitOf(text: string): AgentEvent[] {
  const resetsAt = classOf(text) === 'rate-limit' ? resetIn(text, Date.now()) : null;
  return resetsAt === null ? [] : [{ type: 'limit', resetsAt }];
}

/** The error of a failed turn is a sentence without a code. The model has no part in it. */
function classOf(text: string): ResultClass {
  if (/hit your usage limit|rate limit|429 Too Many/i.test(text)) return 'rate-limit';
  if (/quota exceeded|billing/i.test(text)) return 'billing';
  if (/401 Unauthorized|403 Forbidden|not logged in|sign in again|^Missing environment variable/i.test(text))
    return 'authentication';
  if (
    /at capacity|overloaded|\bstatus:? 5\d\d\b|\b50\d (?:internal|bad|service|gateway)|stream disconnected/i.test(text)
  )
    return 'overload';
  if (/context window|context length/i.test(text)) return 'context';
  return 'crash';
}
