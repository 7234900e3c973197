// When an account of Codex may go on. What a failed turn says is a sentence, and it names no time unless the whole account is meant; the
// app-server of the program asks the service, for people who are logged in with ChatGPT. With a key nobody knows.
import type { LimitQuestion } from '../../kind.ts';
import { countOf, fieldsOf, JsonLines } from '../../stream/json-lines.ts';
import { programOf } from '../known-program.ts';

const requests = [
  { id: 1, method: 'initialize', params: { clientInfo: { name: 'signalbox', version: '1' } } },
  { method: 'initialized' },
  { id: 2, method: 'account/rateLimits/read' },
];

export const codexLimits: LimitQuestion = {
  // Plugins have no part in it, and would be looked for in the internet first.
  argv: (agent) => [...programOf(agent), '-c', 'features.plugins=false', 'app-server'],
  told: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
  answer: (printed) => {
    let answer: number | null | undefined;
    const lines = new JsonLines({
      onLine: ({ id, method, result }) => {
        // It asks and tells things of its own meanwhile.
        if (id === 2 && method === undefined) answer = resetIn(result);
      },
    });
    lines.feed(printed);
    return answer;
  },
};

/** In ms: the latest end of a window that is used up; null: none is. A refusal has no windows. */
function resetIn(result: unknown): number | null {
  const limits = fieldsOf(fieldsOf(result)?.rateLimits);
  const used = [limits?.primary, limits?.secondary].map(fieldsOf).filter((one) => countOf(one?.usedPercent) >= 100);
  const latest = Math.max(0, ...used.map((one) => countOf(one?.resetsAt)));
  return latest === 0 ? null : latest * 1000;
}
