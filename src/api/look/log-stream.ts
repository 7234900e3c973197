// What an attempt printed, as a stream; with `follow` until the attempt has ended and everything was read.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agentNamed } from '../../agents/kind.ts';
import { attemptsFolderOf, errorFile, outputFile } from '../../agents/process/attempt-files.ts';
import { followOutput } from '../../agents/process/output-tail.ts';
import { commandLine } from '../../core/model/command-line.ts';
import type { Evidence } from '../../core/model/failure.ts';
import { type AttemptId, attemptId, type PlanPath } from '../../core/model/ids.ts';
import { agentOf } from '../../core/rules/quota.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import type { PlanState } from '../../core/state/state.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import { placesOf } from '../../status/output-places.ts';
import { writtenMark } from '../../status/write-status.ts';
import type { Store } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';
import { stayAlive } from '../run/stay-alive.ts';
import type { LogPiece, LogsOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { findAttempt } from './find-task.ts';
import { readably } from './readable-stream.ts';
import { refuseUnknown, type Seen, viewPlan } from './state-view.ts';

interface Wanted {
  readonly attempt: AttemptId;
  readonly file: string;
  /** Only a coding agent has one. */
  readonly errors: string;
  readonly token: number;
  /** Of the task, and who performs it. */
  readonly model: string | undefined;
  readonly agent: string | undefined;
}

export interface LogsAsked {
  readonly workspace: Workspace;
  readonly seen: Seen;
  readonly path: PlanPath;
  readonly warn: (text: string) => void;
}

export async function* logsOf(asked: LogsAsked, task: string, options: LogsOptions): AsyncGenerator<LogPiece> {
  const { workspace, seen, path } = asked;
  const { store, broken } = seen;
  if (broken) yield* keptLog(asked, task, options);
  else if (store) yield* logStream({ workspace, store, path }, task, options);
  else throw new Refusal(2, `${path} has never been run here`, { instead: 'run it: signalbox run' });
}

/** Without the database nobody knows whether the attempt goes on: what it has printed is all there is. */
async function* keptLog(
  { workspace, seen, path, warn }: LogsAsked,
  task: string,
  options: LogsOptions,
): AsyncGenerator<LogPiece> {
  const last = await viewPlan(workspace, seen, path, (_, plan) => lastAttempt(plan, task, options), warn);
  const attempt = attemptId(last.id, last.named ?? Math.max(1, last.attempts));
  const log = writtenMark(placesOf(workspace, [], path).status)?.log ?? '';
  const folder = join(workspace.attemptsFolder, basename(log));
  const tokens = namesIn(folder).flatMap((name) => {
    const token = Number(/^\d+/.exec(name)?.[0] ?? 0);
    return token > 0 && outputFile(folder, { token, attempt }) === join(folder, name) ? [token] : [];
  });
  if (tokens.length === 0) refuseUnknown(seen.broken!, `where the log of ${attempt} is`);
  const name = { token: Math.max(...tokens), attempt };
  const raw = printed(attempt, outputFile(folder, name), () => Promise.resolve());
  const about = { attempt, errors: errorFile(folder, name), root: workspace.root, ...nothingKnown };
  yield* options.readable ? readably(raw, { ...about, ...pricing(workspace, last) }) : raw;
}

async function* logStream(
  parts: { readonly workspace: Workspace; readonly store: Store; readonly path: PlanPath },
  task: string,
  options: LogsOptions,
): AsyncGenerator<LogPiece> {
  const { store, workspace } = parts;
  const { attempt, file, errors, token, ...about } = await wanted(parts, task, options);
  const isRunning = () => store.read((state) => state.live.has(token));
  if (!existsSync(file) && !options.follow) {
    throw (await isRunning())
      ? new Refusal(2, `${attempt} has printed nothing yet`, {
          instead: `wait for it: ${commandLine('logs', task, '-f')}`,
        })
      : new Refusal(2, `${attempt} has no log: it was done by hand, or ended before it printed anything`, {
          instead: `read its findings: ${commandLine('read-findings', task)}`,
        });
  }
  const raw = printed(attempt, file, async () => (options.follow ? ended(store, token, options.signal) : undefined));
  const { root } = workspace;
  const recorded = () => evidenceIn(store, parts.path, token);
  const told = { attempt, errors, root, isRunning, recorded, ...pricing(workspace, about) };
  yield* options.readable ? readably(raw, told) : raw;
}

const nothingKnown = { isRunning: async () => false, recorded: async () => null };

async function evidenceIn(store: Store, plan: PlanPath, token: number): Promise<Evidence | null> {
  for (let after = 0; ; ) {
    const events = await store.events({ after, plan, limit: 1_000 });
    const ended = events.find((event) => event.type === 'attempt-ended' && event.token === token);
    if (ended?.type === 'attempt-ended') return ended.evidence ?? null;
    if (events.length === 0) return null;
    after = events.at(-1)!.seq;
  }
}

/** As `cost` reckons. */
function pricing({ settings }: Workspace, { model, agent }: Pick<Wanted, 'model' | 'agent'>) {
  const own = agent === undefined ? null : agentNamed(settings, agent);
  return { prices: settings.prices ?? {}, model: model ?? own?.model ?? '' };
}

/** @param whenEnded resolves when nothing more is to come. */
async function* printed(attempt: AttemptId, file: string, whenEnded: () => Promise<void>): AsyncGenerator<LogPiece> {
  const leave = stayAlive();
  const pipe = new Pipe();
  const follow = followOutput(file, (text) => pipe.write(text));
  whenEnded()
    .then(() => follow.finish())
    .then(
      () => pipe.end(),
      (error) => pipe.fail(error),
    );
  try {
    for await (const text of pipe) yield { attempt, text };
  } finally {
    follow.stop();
    leave();
  }
}

/** Resolves when the attempt is not live any more, or the reader has gone. */
function ended(store: Store, token: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () =>
      store
        .read((state) => !state.live.has(token))
        .then((over) => {
          if (over) done();
        }, reject);
    const unwatch = store.watch(look);
    const done = () => {
      unwatch();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    signal?.addEventListener('abort', done);
    void look();
  });
}

/** Hands chunks from a callback to a reader, one at a time: the writer waits until the reader has taken it. */
class Pipe implements AsyncIterable<string> {
  private chunks: { text: string; taken: () => void }[] = [];
  private over: { error?: unknown } | null = null;
  private wake: () => void = () => undefined;

  write(text: string): Promise<void> {
    return new Promise((taken) => {
      this.chunks.push({ text, taken });
      this.wake();
    });
  }

  end(): void {
    this.over = {};
    this.wake();
  }

  fail(error: unknown): void {
    this.over = { error };
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const next = this.chunks.shift();
      if (next) {
        yield next.text;
        next.taken();
      } else if (this.over) {
        if (this.over.error !== undefined) throw this.over.error;
        return;
      } else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

async function wanted(
  { workspace, store, path }: { readonly workspace: Workspace; readonly store: Store; readonly path: PlanPath },
  task: string,
  options: LogsOptions,
): Promise<Wanted> {
  const last = await store.read((state) => {
    const plan = state.plans.get(path);
    return plan ? lastAttempt(plan, task, options) : null;
  });
  if (!last || last.attempts === 0) {
    throw new Refusal(2, `${task} has had no attempt yet`, {
      instead: `see what it waits for: ${commandLine('why', task)}`,
    });
  }
  const n = last.named ?? last.attempts;
  const attempt = attemptId(last.id, n);
  // Also the last one is only in the log when the plan was started over since.
  const isKnown = n === last.attempts && last.token > 0;
  const token = isKnown ? last.token : await findToken(store, path, attempt);
  if (token === null) throw new Refusal(2, `${last.id} has no attempt ${n}`, { instead: `it has ${last.attempts}` });
  const folder = attemptsFolderOf(workspace, store);
  const name = { token, attempt };
  const { model, agent } = last;
  return { attempt, token, file: outputFile(folder, name), errors: errorFile(folder, name), model, agent };
}

/** @param typed the id of a task or of one of its attempts */
function lastAttempt(plan: PlanState, typed: string, options: LogsOptions) {
  const { task, number } = findAttempt(plan, typed);
  const named = options.attempt ?? number;
  if (number !== null && named !== number)
    throw new Refusal(2, `two attempts are named: ${number} and ${named}`, { instead: 'name one' });
  const { id, group, keys } = plan.plan.tasks[task]!;
  if (group)
    throw new Refusal(2, `${id} is a group and prints nothing itself`, { instead: 'name one of its subtasks' });
  const { token } = plan.tasks[task]!;
  return { id, named, attempts: attemptNumber(plan, task), token, model: keys.model, agent: agentOf(plan, task) };
}

/** Earlier attempts are only in the log. */
async function findToken(store: Store, path: PlanPath, attempt: AttemptId): Promise<number | null> {
  let after = 0;
  for (;;) {
    const events = await store.events({ after, plan: path, limit: 1_000 });
    if (events.length === 0) return null;
    for (const event of events) {
      const isStart = event.type === 'attempt-scheduled' || event.type === 'task-started';
      if (isStart && event.attempt === attempt) return event.token;
    }
    after = events.at(-1)!.seq;
  }
}
