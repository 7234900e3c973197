// The Responses API, as Codex speaks it, and Chat Completions, as opencode does.
import type { ServerResponse } from 'node:http';
import {
  type Asked,
  type Body,
  type Conversation,
  type Dialect,
  listOf,
  sendEvents,
  sendJson,
  type ToolCall,
  type Turn,
  textIn,
} from './model-server.ts';

export const openai: Dialect = {
  read: (path, body) => {
    const isChat = path.endsWith('/chat/completions');
    if (!isChat && !path.endsWith('/responses')) return null;
    if (listOf(body.tools).length === 0) return 'side';
    return isChat ? chatIn(body) : responsesIn(body);
  },
  answer: (response, turn, asked) =>
    asked.path.endsWith('/chat/completions')
      ? answerChat(response, turn, asked)
      : answerResponses(response, turn, asked),
  other: (path, response) => {
    if (!path.endsWith('/models')) return false;
    sendJson(response, 200, { object: 'list', data: [], models: [] });
    return true;
  },
};

const answered = new Set(['message', 'function_call', 'custom_tool_call', 'local_shell_call']);
const returned = new Set(['function_call_output', 'custom_tool_call_output']);

function responsesIn({ input, instructions, model }: Body): Conversation {
  const items = listOf(input);
  const isModels = ({ type, role }: Body) => answered.has(String(type)) && (role === undefined || role === 'assistant');
  const last = items.findLastIndex(isModels);
  const said = items.filter(({ role }) => role !== undefined && role !== 'assistant');
  // One answer is a message, calls, or both: what stands together is one turn.
  const turn = items.filter((item, i) => isModels(item) && (i === 0 || !isModels(items[i - 1]!))).length;
  return {
    prompt: [textIn(instructions), ...said.map(({ content }) => textIn(content))].join('\n'),
    turn,
    results: items.slice(last + 1).flatMap((item) => (returned.has(String(item.type)) ? [textIn(item.output)] : [])),
    model: String(model),
  };
}

function answerResponses(response: ServerResponse, turn: Turn, { id, body }: Asked): void {
  const base = {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    model: body.model,
    output: [],
    status: 'in_progress',
    usage: null,
  };
  const events: [string, object][] = [['response.created', { response: base }]];
  if ('failed' in turn)
    events.push(['response.failed', { response: { ...base, status: 'failed', error: turn.failed } }]);
  else if ('text' in turn) {
    const output = [
      ...(turn.text === '' ? [] : [messageItem(turn.text, id)]),
      ...(turn.tools ?? []).map((call, i) => callItem(call, `${id}_${i}`)),
    ];
    output.forEach((item, output_index) => {
      events.push(['response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } }]);
      events.push(['response.output_item.done', { output_index, item }]);
    });
    events.push(['response.completed', { response: { ...base, status: 'completed', output, usage: responsesUsage } }]);
  }
  sendEvents(
    response,
    events.map(([type, data], sequence_number) => [type, { type, sequence_number, ...data }]),
    'headers' in turn ? turn.headers : {},
  );
}

const responsesUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

const messageItem = (text: string, id: number) => ({
  type: 'message',
  id: `msg_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

function callItem({ name, input, namespace }: ToolCall, id: string) {
  const about = { call_id: `call_${id}`, name, status: 'completed' };
  if (typeof input === 'string') return { type: 'custom_tool_call', id: `ctc_${id}`, ...about, input };
  const where = namespace === undefined ? {} : { namespace };
  return { type: 'function_call', id: `fc_${id}`, ...about, ...where, arguments: JSON.stringify(input) };
}

function chatIn({ messages, model }: Body): Conversation {
  const all = listOf(messages);
  const last = all.findLastIndex(({ role }) => role === 'assistant');
  const said = all.filter(({ role }) => role === 'system' || role === 'user');
  return {
    prompt: said.map(({ content }) => textIn(content)).join('\n'),
    turn: all.filter(({ role }) => role === 'assistant').length,
    results: all.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? [textIn(content)] : [])),
    model: String(model),
  };
}

function answerChat(response: ServerResponse, turn: Turn, { id, body }: Asked): void {
  if (!('text' in turn)) throw new Error('this provider has no such answer');
  const calls = (turn.tools ?? []).map(({ name, input }, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const base = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1, model: body.model };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 10 },
  };
  const chunks = [
    chunk({ role: 'assistant', content: turn.text }),
    ...(calls.length === 0 ? [] : [chunk({ tool_calls: calls })]),
    chunk({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    { ...base, choices: [], usage },
    '[DONE]',
  ];
  sendEvents(
    response,
    chunks.map((data) => [null, data]),
  );
}
