// What is recorded of a coding agent's stream: bounded facts, in the words of the log.
import { isAbsolute, relative, sep } from 'node:path';
import type { KnownProgram } from '../../agents/kind.ts';
import { plainLine, plainText } from '../../agents/sanitize-terminal.ts';
import { announcesWaiting } from '../../agents/stream/announces-waiting.ts';
import { priced, withModel } from '../../agents/stream/price.ts';
import type { StreamReport } from '../../agents/stream/stream-reader.ts';
import type { AgentReport, ModelUsage, ResultClass } from '../../core/model/agent-result.ts';
import type { Price } from '../../core/model/settings.ts';
import type { Conversation, Tokens } from '../../core/state/conversation.ts';

const mostSaid = 2_000;
/** A shell adds the number of the signal to this. */
const signalled = 128;
const mostFiles = 50;
const mostModels = 10;
const mostLoaded = 20;
const longestName = 200;

export interface ReportParts {
  readonly root: string;
  readonly by: string;
  /** That it was started with; empty: its own choice. */
  readonly model: string;
  readonly prices: Readonly<Record<string, Price>>;
  /** Its exit code, if that is known. */
  readonly code: number | null;
  /** Of its program at the start of the run; null: not known. */
  readonly version: string | null;
  /** The end of what it printed beside its stream. */
  readonly errors: string;
  /** See `AgentReport`. */
  readonly told: string;
  /** What it takes in by the configuration of the person: see `KnownProgram`. */
  readonly loads: readonly string[];
  /** The conversation that it went on in; null: it began one. */
  readonly resumed: Conversation | null;
  /** See `KnownProgram`. */
  readonly classOfExit?: KnownProgram['classOfExit'] | undefined;
  /** It counts everything since the conversation began. */
  readonly countsFromBeginning: boolean;
}

export function agentReport(stream: StreamReport, parts: ReportParts): AgentReport {
  const { root, by, model, prices, errors, told, resumed } = parts;
  const { result, said, session, resetsAt, denied, writes, unread } = stream;
  // What never began has taken in nothing.
  const loaded = [...new Set([...stream.loaded, ...(session === null ? [] : parts.loads)])].slice(0, mostLoaded);
  const usage = withModel(ownUsage(stream, parts), model);
  // Rather unknown than too low.
  const costUsd = stream.isPartial ? null : (stream.costUsd ?? priced(usage, prices));
  const ended = classOf(stream, parts);
  // A program that dies before its stream says why beside it.
  const words = ended === 'asks' ? stream.asked : result?.text || (result === null ? errors : '') || said;
  const waits = ended === 'done' ? announcesWaiting(said) : null;
  const version = stream.version ?? parts.version;
  const text = plainText(words.slice(-mostSaid)).trim();
  return {
    by,
    class: ended,
    ...(version === null ? {} : { version }),
    ...(text === '' ? {} : { said: text }),
    ...(session === null ? {} : { session, folder: root, told }),
    ...(resumed === null ? {} : { resumed: true as const }),
    ...(resetsAt === null ? {} : { resetsAt }),
    ...(loaded.length === 0 ? {} : { loaded: loaded.map((name) => plainLine(name.slice(0, longestName))) }),
    ...(waits === null ? {} : { waits }),
    ...(denied.length === 0 ? {} : { denied }),
    ...(writes.length === 0 ? {} : { writes: writes.slice(0, mostFiles).map((file) => fromRoot(root, file)) }),
    ...(usage.length === 0 ? {} : { usage: usage.slice(0, mostModels) }),
    ...(costUsd === null ? {} : { costUsd }),
    ...(unread === null ? {} : { unread }),
  };
}

function classOf({ result, calls, said, asked, denied }: StreamReport, parts: ReportParts): ResultClass {
  const { code, resumed, classOfExit, errors } = parts;
  const byCode = code === null ? null : (classOfExit?.(code, errors) ?? (code > signalled ? 'killed' : null));
  const ended = result?.class ?? byCode ?? 'no-result';
  const isOpen = ended === 'done' || ended === 'no-result';
  // Refused tools and a good end: it gave up, however it words that.
  if (isOpen && denied.length > 0) return 'refused-tools';
  if (isOpen && asked !== '') return 'asks';
  // It died of the conversation, and not of anything in it.
  const isMute = (calls ?? 0) === 0 && said === '' && (ended === 'crash' || ended === 'no-result');
  return resumed !== null && isMute ? 'no-conversation' : ended;
}

/** Without what earlier attempts in the same conversation have used: they have recorded it. */
function ownUsage({ usage, session }: StreamReport, { resumed, countsFromBeginning }: ReportParts): ModelUsage[] {
  if (!countsFromBeginning || resumed === null || resumed.id !== session) return [...usage];
  const left: Record<keyof Tokens, number> = { ...resumed.used };
  return usage.map((one) => {
    const own = { ...one };
    for (const key of tokens) {
      const before = Math.min(left[key], one[key]);
      left[key] -= before;
      own[key] = one[key] - before;
    }
    return own;
  });
}

const tokens = ['input', 'output', 'cached', 'cacheWrite'] as const;

function fromRoot(root: string, file: string): string {
  if (!isAbsolute(file)) return file;
  const below = relative(root, file);
  return below.startsWith('..') ? file : below.split(sep).join('/');
}
