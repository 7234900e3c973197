// The output of an attempt for people: the stream of a coding agent as a text, and what it amounts to. Only a coding agent has a file for its
// standard error beside its output, so nothing else is taken for one, whatever it prints.
import { existsSync } from 'node:fs';
import { tailLines } from '../../agents/process/output-tail.ts';
import { announcesWaiting } from '../../agents/stream/announces-waiting.ts';
import { priced, withModel } from '../../agents/stream/price.ts';
import { ReadableLog } from '../../agents/stream/readable-log.ts';
import type { Evidence } from '../../core/model/failure.ts';
import type { AttemptId } from '../../core/model/ids.ts';
import type { Price } from '../../core/model/settings.ts';
import type { LogPiece } from '../signalbox.ts';

export interface ReadableParts {
  readonly attempt: AttemptId;
  /** Its standard error, if it is a coding agent. */
  readonly errors: string;
  readonly root: string;
  readonly isRunning: () => Promise<boolean>;
  /** What was recorded at its end; null: nothing is. A stream may count what earlier attempts have used, or know no price. */
  readonly recorded: () => Promise<Evidence | null>;
  /** Of the settings, for programs that do not price themselves. */
  readonly prices: Readonly<Record<string, Price>>;
  /** That the program was started with; empty: its own choice. */
  readonly model: string;
}

const lastErrors = { lines: 50, maxBytes: 16 * 1024 };

export async function* readably(raw: AsyncIterable<LogPiece>, parts: ReadableParts): AsyncGenerator<LogPiece> {
  const { attempt, errors, root, isRunning, recorded, prices, model } = parts;
  const log = new ReadableLog(root);
  // Asked when something was printed: before that it may not have been started.
  const isAgent = () => existsSync(errors);
  let isStream: boolean | undefined;
  for await (const piece of raw) {
    isStream ??= isAgent();
    const text = isStream ? log.feed(piece.text) : piece.text;
    if (text !== '') yield { attempt, text };
  }
  if (!(isStream ?? isAgent())) return;
  const { text, report } = log.end();
  const evidence = await recorded();
  const own = evidence?.agent;
  const usage = own?.usage ?? withModel(report.usage, model);
  const costUsd = own?.costUsd ?? (report.isPartial ? null : (report.costUsd ?? priced(usage, prices)));
  const waits = report.result?.class === 'done' ? announcesWaiting(report.said) : null;
  const version = own?.version ?? report.version;
  const known = { ...report, usage, costUsd, version, waits, audit: evidence?.audit?.files ?? [] };
  yield { attempt, text, end: { ...known, isRunning: await isRunning(), errors: tailLines(errors, lastErrors) } };
}
