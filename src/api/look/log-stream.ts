// What an attempt printed, as a stream; with `follow` until the attempt has ended and everything was read.
import { existsSync } from 'node:fs';
import { attemptsFolderOf, outputFile } from '../../agents/process/attempt-files.ts';
import { followOutput } from '../../agents/process/output-tail.ts';
import { commandLine } from '../../core/model/command-line.ts';
import { type AttemptId, attemptId, type PlanPath } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';
import type { LogChunk } from '../reports/answers.ts';
import { stayAlive } from '../run/stay-alive.ts';
import type { LogsOptions } from '../signalbox.ts';
import type { Workspace } from '../workspace.ts';
import { findTask } from './find-task.ts';

interface Wanted {
  readonly attempt: AttemptId;
  readonly file: string;
  readonly token: number;
}

export async function* logStream(
  parts: { readonly workspace: Workspace; readonly store: Store; readonly path: PlanPath },
  task: string,
  options: LogsOptions,
): AsyncGenerator<LogChunk> {
  const { store } = parts;
  const { attempt, file, token } = await wanted(parts, task, options);
  if (!existsSync(file) && !options.follow) {
    throw (await store.read((state) => state.live.has(token)))
      ? new Refusal(2, `${attempt} has printed nothing yet`, {
          instead: `wait for it: ${commandLine('logs', task, '-f')}`,
        })
      : new Refusal(2, `${attempt} has no log: it was done by hand, or ended before it printed anything`, {
          instead: `read its findings: ${commandLine('read-findings', task)}`,
        });
  }
  const leave = stayAlive();
  const pipe = new Pipe();
  const follow = followOutput(file, (text) => pipe.write(text));
  const whenEnded = options.follow ? ended(store, token, options.signal) : Promise.resolve();
  whenEnded
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
    return plan ? lastAttempt(plan, findTask(plan, task)) : null;
  });
  if (!last || last.attempts === 0) {
    throw new Refusal(2, `${task} has had no attempt yet`, {
      instead: `see what it waits for: ${commandLine('why', task)}`,
    });
  }
  const n = options.attempt ?? last.attempts;
  const attempt = attemptId(last.id, n);
  const token = n === last.attempts ? last.token : await findToken(store, path, attempt);
  if (token === null) throw new Refusal(2, `${task} has no attempt ${n}`, { instead: `it has ${last.attempts}` });
  return { attempt, token, file: outputFile(attemptsFolderOf(workspace, store), { token, attempt }) };
}

function lastAttempt(plan: PlanState, task: number) {
  const { id, group } = plan.plan.tasks[task]!;
  if (group)
    throw new Refusal(2, `${id} is a group and prints nothing itself`, { instead: 'name one of its subtasks' });
  const { attempts, token } = plan.tasks[task]!;
  return { id, attempts, token };
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
