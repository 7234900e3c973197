// The stream of opencode (`opencode run --format json`). It has no final result: a step that ends with no more calls is the end. It is about the
// root agent alone and does not name its model; our plugin adds lines about subagents, models, refused requests, and what was loaded.
import { basename } from 'node:path';
import type { ModelUsage, ResultClass } from '../../../core/model/agent-result.ts';
import type { AgentEvent } from '../../stream/agent-event.ts';
import { countOf, type Fields, fieldsOf, textOf } from '../../stream/json-lines.ts';
import { serverName } from '../known-program.ts';

export function opencodeEvents(line: Fields): AgentEvent[] {
  const part = fieldsOf(line.part);
  if (line.type === 'loaded') return loaded(line);
  const session: AgentEvent[] = typeof line.sessionID === 'string' ? [{ type: 'session', id: line.sessionID }] : [];
  if (line.type === 'retry' && typeof line.next === 'number') return [...session, ...refused(line)];
  if (line.type === 'model' && typeof line.message === 'string')
    return [{ type: 'model', message: line.message, model: textOf(line.model) }];
  if (typeof line.subagent === 'string') return bySubagent(line, line.subagent);
  // Other programs have lines of these types too.
  if (part === null && fieldsOf(line.error) === null) return [];
  switch (line.type) {
    case 'text':
      return [...session, { type: 'said', text: textOf(part?.text) }];
    case 'tool_use':
      return [...session, ...toolUse(part)];
    case 'step_finish':
      return [...session, ...stepFinish(part)];
    case 'error': {
      const { name, data } = fieldsOf(line.error) ?? {};
      const { message, statusCode } = fieldsOf(data) ?? {};
      const text = textOf(message) || textOf(name);
      return [...session, { type: 'result', result: { class: classOf(statusCode, textOf(name)), text } }];
    }
    default:
      return session;
  }
}

/** What a subagent says, and that it is done, is for the agent that has called it. */
function bySubagent({ type, part, model }: Fields, by: string): AgentEvent[] {
  if (type === 'tool_use') return toolUse(fieldsOf(part));
  return type === 'step_finish' ? [{ type: 'usage', usage: usageOf(fieldsOf(part), textOf(model)), by }] : [];
}

/** Of itself the program waits for forty seconds at most, and to end an attempt takes longer than a minute: what is shorter is left to it. */
const longestOwnWaitMs = 120_000;

/** It would wait for hours, and for days. */
function refused({ timestamp, message, next }: Fields): AgentEvent[] {
  const text = textOf(message);
  const resetsAt = countOf(next);
  if (resetsAt - countOf(timestamp) <= longestOwnWaitMs) return [{ type: 'retrying', because: text }];
  return [
    { type: 'limit', resetsAt },
    { type: 'result', result: { class: 'rate-limit', text } },
  ];
}

function loaded({ plugins, servers }: Fields): AgentEvent[] {
  if (!Array.isArray(plugins) || !Array.isArray(servers)) return [];
  const names = [
    ...plugins.map((one) => `plugin ${pluginName(textOf(one))}`),
    ...servers.flatMap((one) => (one === serverName ? [] : `MCP server ${textOf(one)}`)),
  ];
  return names.length === 0 ? [] : [{ type: 'loaded', names }];
}

const pluginName = (spec: string): string => (spec.startsWith('file:') ? basename(spec) : spec);

function toolUse(part: Fields | null): AgentEvent[] {
  const state = fieldsOf(part?.state);
  const id = textOf(part?.callID ?? part?.id);
  const tool = textOf(part?.tool);
  const input = fieldsOf(state?.input);
  const path = editing.has(tool) ? textOf(input?.filePath) : '';
  const called: AgentEvent = {
    type: 'called',
    id,
    tool,
    input,
    ...(path === '' ? {} : { writes: [path] }),
    ...(tool === 'bash' ? { isShell: true } : {}),
  };
  const exit = fieldsOf(state?.metadata)?.exit;
  const ok = state?.status === 'completed' && (exit === undefined || exit === 0);
  return [
    called,
    {
      type: 'returned',
      id,
      ok,
      text: textOf(state?.output ?? state?.error),
      ...(typeof exit === 'number' && !ok ? { ran: true } : {}),
    },
    ...delegatedIn(tool, fieldsOf(state?.metadata)),
    ...(wasRejected.test(textOf(state?.error)) ? [{ type: 'denied', tool } as const] : []),
  ];
}

function delegatedIn(tool: string, metadata: Fields | null): AgentEvent[] {
  const to = textOf(metadata?.sessionId);
  return tool === 'task' && to !== '' ? [{ type: 'delegated', to }] : [];
}

/** Without a person it rejects what its configuration leaves to be asked, and ends there with 0. */
const wasRejected = /^The user rejected permission/;

const editing = new Set(['write', 'edit', 'multiedit', 'patch', 'apply_patch']);

function stepFinish(part: Fields | null): AgentEvent[] {
  const usage: AgentEvent = { type: 'usage', usage: usageOf(part, ''), message: textOf(part?.messageID) };
  return part?.reason === 'stop' ? [usage, { type: 'result', result: { class: 'done', text: '' } }] : [usage];
}

function usageOf(part: Fields | null, model: string): ModelUsage {
  const tokens = fieldsOf(part?.tokens);
  const cache = fieldsOf(tokens?.cache);
  return {
    model,
    input: countOf(tokens?.input),
    output: countOf(tokens?.output) + countOf(tokens?.reasoning),
    cached: countOf(cache?.read),
    cacheWrite: countOf(cache?.write),
    ...(countOf(part?.cost) > 0 ? { costUsd: countOf(part?.cost) } : {}),
  };
}

function classOf(status: unknown, name: string): ResultClass {
  if (status === 401 || status === 403 || /auth/i.test(name)) return 'authentication';
  if (status === 402) return 'billing';
  if (status === 429) return 'rate-limit';
  if (typeof status === 'number' && status >= 500) return 'overload';
  if (/ContextOverflow|OutputLength/i.test(name)) return 'context';
  return 'crash';
}
