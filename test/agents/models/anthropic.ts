// The Messages API, as Claude Code speaks it.
import { type Body, type Conversation, type Dialect, listOf, sendEvents, sendJson, textIn } from './model-server.ts';

export const anthropic: Dialect = {
  read: (path, body) =>
    path !== '/v1/messages' ? null : listOf(body.tools).length === 0 ? 'side' : conversationIn(body),
  answer: (response, turn, { id, body }) => {
    if (!('text' in turn)) throw new Error('this provider has no such answer');
    const { text, tools = [], headers } = turn;
    const content = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...tools.map(({ name, input }, i) => ({ type: 'tool_use', id: `toolu_${id}_${i}`, name, input })),
    ];
    const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 20 };
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    };
    const stop = tools.length > 0 ? 'tool_use' : 'end_turn';
    const about = { 'request-id': `req_${id}`, ...headers };
    if (body.stream !== true) return sendJson(response, 200, { ...message, content, stop_reason: stop, usage }, about);
    const blocks = content.flatMap((block, index) => [
      [
        'content_block_start',
        { index, content_block: 'text' in block ? { type: 'text', text: '' } : { ...block, input: {} } },
      ],
      ['content_block_delta', { index, delta: deltaOf(block) }],
      ['content_block_stop', { index }],
    ]);
    const events = [
      ['message_start', { message }],
      ...blocks,
      ['message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage }],
      ['message_stop', {}],
    ] as [string, object][];
    sendEvents(
      response,
      events.map(([type, data]) => [type, { type, ...data }]),
      about,
    );
  },
  other: (path, response) => {
    if (path !== '/v1/messages/count_tokens') return false;
    sendJson(response, 200, { input_tokens: 100 });
    return true;
  },
};

const deltaOf = (block: { text: string } | { input: unknown }) =>
  'text' in block
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };

function conversationIn({ messages, system, model }: Body): Conversation {
  const all = listOf(messages);
  const own = (role: string) => all.filter((message) => message.role === role);
  // Reminders may follow the results of tools as messages of their own.
  const since = all.slice(all.findLastIndex(({ role }) => role === 'assistant') + 1);
  const results = since.flatMap(({ content }) => listOf(content)).filter(({ type }) => type === 'tool_result');
  const said = own('user').map(({ content }) => textIn(content));
  return {
    prompt: [textIn(system), ...said].join('\n'),
    turn: own('assistant').length,
    results: results.map(({ content }) => textIn(content)),
    model: String(model),
  };
}
