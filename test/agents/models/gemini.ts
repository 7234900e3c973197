// The Gemini API, as Gemini CLI speaks it.
import { type Body, type Conversation, type Dialect, listOf, sendEvents, sendJson, textIn } from './model-server.ts';

const question = /models\/([^:/]+):(\w+)$/;

export const gemini: Dialect = {
  read: (path, body) => {
    const [, model = '', verb] = question.exec(path) ?? [];
    if (verb !== 'streamGenerateContent' && verb !== 'generateContent') return null;
    const hasTools = listOf(body.tools).some(({ functionDeclarations }) => listOf(functionDeclarations).length > 0);
    return hasTools ? conversationIn(body, model) : 'side';
  },
  answer: (response, turn, { id, path, body }) => {
    if (!('text' in turn)) throw new Error('this provider has no such answer');
    const [, model, verb] = question.exec(path)!;
    const wanted = (body.generationConfig ?? {}) as Body;
    const wantsJson = 'responseSchema' in wanted || 'responseJsonSchema' in wanted;
    const parts = [
      ...(turn.text === '' ? [] : [{ text: wantsJson ? '{}' : turn.text }]),
      ...(turn.tools ?? []).map(({ name, input }, i) => ({
        functionCall: { name, args: input, id: `call_${id}_${i}` },
      })),
    ];
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 20,
        totalTokenCount: 120,
        cachedContentTokenCount: 10,
      },
      modelVersion: model,
      responseId: `r${id}`,
    };
    if (verb === 'streamGenerateContent') sendEvents(response, [[null, answer]]);
    else sendJson(response, 200, answer);
  },
  other: (path, response) => {
    if (!path.endsWith(':countTokens')) return false;
    sendJson(response, 200, { totalTokens: 100 });
    return true;
  },
};

function conversationIn({ contents, systemInstruction }: Body, model: string): Conversation {
  const all = listOf(contents);
  const said = all.filter(({ role }) => role === 'user').map(({ parts }) => textIn(parts));
  const since = all.slice(all.findLastIndex(({ role }) => role === 'model') + 1);
  const results = since.flatMap(({ parts }) => listOf(parts)).filter((part) => 'functionResponse' in part);
  return {
    prompt: [textIn((systemInstruction as Body | undefined)?.parts), ...said].join('\n'),
    turn: all.filter(({ role }) => role === 'model').length,
    results: results.map(({ functionResponse }) => JSON.stringify((functionResponse as Body).response)),
    model,
  };
}
