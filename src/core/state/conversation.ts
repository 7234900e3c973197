// The conversation of a task with a coding agent: what is known of it when an attempt has ended.
import type { AgentReport, ModelUsage } from '../model/agent-result.ts';
import type { AttemptId } from '../model/ids.ts';

export interface Conversation {
  /** The name under which the program resumes it. */
  readonly id: string;
  /** The last attempt in it. */
  readonly attempt: AttemptId;
  /** The agent as the settings call it, and the account that it was charged to, if that is known. */
  readonly by: string;
  readonly account?: string;
  readonly folder: string;
  /** See `AgentReport`. */
  readonly told: string;
  /** What all attempts in it are known to have used, of all models. */
  readonly used: Tokens;
  /** Nobody can go on in it. */
  readonly over?: 'too-long' | 'gone';
}

export type Tokens = Pick<ModelUsage, 'input' | 'output' | 'cached' | 'cacheWrite'>;

interface Ended {
  readonly attempt: AttemptId;
  readonly account?: string;
  /** Undefined: nothing is known of it, so it says nothing about the conversation. */
  readonly report: AgentReport | undefined;
}

export function conversationAfter(before: Conversation | null, ended: Ended): Conversation | null {
  const { attempt, account, report } = ended;
  if (report === undefined) return before;
  const { session: id, folder, told, by, resumed } = report;
  if (id === undefined || folder === undefined || told === undefined)
    return before && resumed ? { ...before, over: 'gone' } : before;
  const over = endOf(report);
  return {
    id,
    attempt,
    by,
    ...(account === undefined ? {} : { account }),
    folder,
    told,
    used: (report.usage ?? []).reduce(sum, before?.id === id ? before.used : nothing),
    ...(over === null ? {} : { over }),
  };
}

/** A conversation that ended with an error when it was resumed would do so again. */
function endOf({ class: result, resumed }: AgentReport): 'too-long' | 'gone' | null {
  if (result === 'context') return 'too-long';
  return result === 'no-conversation' || (result === 'crash' && resumed) ? 'gone' : null;
}

const nothing: Tokens = { input: 0, output: 0, cached: 0, cacheWrite: 0 };

const sum = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
  cacheWrite: a.cacheWrite + b.cacheWrite,
});
