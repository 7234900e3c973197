// The server on standard input and output. It ends when its input does, or its parent is gone, and answers before that what was asked; a
// lock that would be for nobody is not waited for. A signal ends it without the answers. What a guest has locked is released then; work
// that it has started by hand stays its own.
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  fromJsonSchema,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { LockDoor } from '../api/locks/lock-door.ts';
import type { Signalbox } from '../api/signalbox.ts';
import { type Answer, type Perform, performTool } from './perform-tool.ts';
import { offerResources } from './resources.ts';
import { type Fields, type ToolForm, type ToolSources, toolForm } from './tool-forms.ts';
import { toolTable } from './tool-table.ts';

/** An agent inside of an attempt, or anybody else, who is a guest by a name. */
export type Caller =
  | { readonly kind: 'worker'; readonly task: string | undefined }
  | { readonly kind: 'guest'; readonly nameFor: (client: string) => string; readonly decides: boolean };

export interface Serving extends ToolSources {
  readonly version: string;
  readonly caller: Caller;
  readonly input: Readable;
  readonly output: Writable;
  /** @param guest the name that commands are performed under; null: an attempt has its own */
  readonly perform: (guest: string | null) => Perform;
  readonly open: (guest: string | null) => Promise<Signalbox>;
  readonly parentIsGone: () => boolean;
  /** Aborted by a signal that ends the process. */
  readonly killed: AbortSignal;
}

const progressEveryMs = 5_000;
const parentEveryMs = 1_000;
/** A lease lasts for half an hour. */
const signEveryMs = 60_000;

/** Resolves when the client is gone and every call has ended. */
export async function serve(serving: Serving): Promise<void> {
  const desk = new Desk(serving);
  // The library drops what is asked when its input ends, so the end is kept from it until everything is answered.
  const input = new PassThrough();
  serving.input.on('data', (chunk) => input.write(chunk));
  serveStdio(() => desk.server(), { transport: new StdioServerTransport(input, serving.output) });
  await nobodyIsLeft(serving);
  await desk.finish();
  input.end();
  await desk.leave();
}

/** The input has ended, or whoever started the server is gone. */
function nobodyIsLeft({ input, parentIsGone, killed }: Serving): Promise<void> {
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (parentIsGone()) end();
    }, parentEveryMs);
    const end = () => {
      clearInterval(watch);
      resolve();
    };
    input.once('end', end);
    input.once('error', end);
    killed.addEventListener('abort', end);
  });
}

class Desk {
  readonly #serving: Serving;
  readonly #forms: readonly ToolForm[];
  /** By tool and request key: a call that is repeated while the first goes on gets its answer. */
  readonly #underWay = new Map<string, Promise<Answer>>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #nobodyIsLeft = new AbortController();
  #server: McpServer | null = null;
  #lastSign = 0;
  /** Of the last call. From protocol 2026-07-28 on there is no handshake, and every request says who asks. */
  #client: string | undefined;

  constructor(serving: Serving) {
    this.#serving = serving;
    const { caller } = serving;
    const role = caller.kind === 'worker' ? 'worker' : caller.decides ? 'decider' : 'guest';
    this.#forms = toolTable
      .filter((row) => row.for.includes(role))
      .map((row) => toolForm(row, serving, role !== 'worker'));
  }

  server(): McpServer {
    const { version } = this.#serving;
    const server = new McpServer(
      { name: 'signalbox', version },
      { instructions: instructionsFor(this.#serving.caller) },
    );
    for (const form of this.#forms) this.#offer(server, form);
    offerResources(server, {
      perform: () => this.#serving.perform(this.#guest()),
      open: () => this.#serving.open(this.#guest()),
    });
    this.#server = server;
    return server;
  }

  #offer(server: McpServer, form: ToolForm): void {
    const { name, effect, isIdempotent } = form.row;
    server.registerTool(
      name,
      {
        description: form.description,
        inputSchema: fromJsonSchema<Fields>(form.input),
        outputSchema: fromJsonSchema<Fields>(form.output),
        annotations: {
          readOnlyHint: effect === 'looks',
          destructiveHint: effect === 'changes',
          idempotentHint: effect === 'looks' || isIdempotent === true,
          openWorldHint: false,
        },
      },
      (given, ctx) => this.#track(this.#call(form, given, ctx)),
    );
  }

  async #call(form: ToolForm, given: Fields, ctx: ServerContext): Promise<CallToolResult> {
    this.#client = clientOf(ctx) ?? this.#client;
    const stopTelling = tellProgress(form.row.name, ctx);
    try {
      const answer = await this.#answer(form, given, ctx.mcpReq.signal);
      await this.#giveSign();
      return resultOf(form, given, answer);
    } finally {
      stopTelling();
    }
  }

  #answer(form: ToolForm, given: Fields, signal: AbortSignal): Promise<Answer> {
    const { row } = form;
    const key = typeof given.request === 'string' ? `${row.name} ${given.request} ${given.task}` : null;
    const known = key === null ? undefined : this.#underWay.get(key);
    if (known) return known;
    const { caller, perform } = this.#serving;
    const argv = form.argv(given, caller.kind === 'worker' ? caller.task : undefined);
    const input = row.reads ? String(given[row.reads[0]] ?? '') : '';
    const ends = [signal, this.#serving.killed, ...(row.isWait ? [this.#nobodyIsLeft.signal] : [])];
    const answer = performTool(argv, { perform: perform(this.#guest()), input, signal: AbortSignal.any(ends) });
    if (key !== null) {
      this.#underWay.set(key, answer);
      const forget = () => {
        if (this.#underWay.get(key) === answer) this.#underWay.delete(key);
      };
      answer.then(forget, forget);
      // Who repeats a call that was cancelled wants it done after all.
      signal.addEventListener('abort', forget);
    }
    return answer;
  }

  #guest(): string | null {
    const { caller } = this.#serving;
    if (caller.kind === 'worker') return null;
    return caller.nameFor(this.#client ?? this.#server?.server.getClientVersion()?.name ?? '');
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    const forget = () => this.#calls.delete(call);
    call.then(forget, forget);
    return call;
  }

  /** Resolves when everything that was asked is answered. */
  async finish(): Promise<void> {
    this.#nobodyIsLeft.abort();
    // What came last is read first, and the last answer is on its way.
    await nextTurn();
    while (this.#calls.size > 0) await Promise.allSettled([...this.#calls]);
    await nextTurn();
  }

  /** Any call of a guest renews its lease; what did not work is tried again with a later call. */
  async #giveSign(): Promise<void> {
    if (performance.now() - this.#lastSign < signEveryMs) return;
    this.#lastSign = performance.now();
    await this.#asGuest((locks, agent) => locks.signOfLife({ agent }));
  }

  leave(): Promise<void> {
    return this.#asGuest((locks, agent) => locks.leave({ agent }));
  }

  /** Where there is no state, there is nothing to do, and what goes wrong does not matter: the lease ends by itself. */
  async #asGuest(work: (locks: LockDoor, agent: string) => Promise<unknown>): Promise<void> {
    const guest = this.#guest();
    if (guest === null) return;
    try {
      const box = await this.#serving.open(guest);
      await box
        .locks()
        .then((locks) => work(locks, guest))
        .finally(() => box.close());
    } catch {
      this.#lastSign = 0;
    }
  }
}

/** What stands there is not checked by the library. */
function clientOf({ mcpReq }: ServerContext): string | undefined {
  const about = (mcpReq.envelope as Fields | undefined)?.[CLIENT_INFO_META_KEY] as Fields | null | undefined;
  return typeof about?.name === 'string' ? about.name : undefined;
}

function tellProgress(name: string, { mcpReq }: ServerContext): () => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress++;
    const params = {
      progressToken: token,
      progress,
      message: `${name}: ${(progress * progressEveryMs) / 1000} s so far`,
    };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }, progressEveryMs);
  return () => clearInterval(timer);
}

/** Models are shown the structured content alone, so all that there is to know is in it; the same as text is for older clients. */
function resultOf({ row }: ToolForm, given: Fields, { report, isError, warnings }: Answer): CallToolResult {
  const advice = row.advice?.(report) ?? null;
  const shown = row.cut?.(report, given) ?? report;
  const structuredContent = {
    ...shown,
    ...(advice === null ? {} : { advice }),
    ...(warnings === '' ? {} : { warnings }),
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(isError ? { isError } : {}),
  };
}

function instructionsFor(caller: Caller): string {
  if (caller.kind === 'worker')
    return 'You work on a task of a plan, beside other agents. Lock a file before you change it (lock_acquire), and ask a person with report_blocked when only a person can say how to go on.';
  return 'Signalbox runs plans with coding agents. Look with plan_status, next_tasks and why. To work on a task yourself: start_task, lock_acquire for each file that you change, complete_task. To let agents work: run_plan, then run_status. Decisions are for the person: list_decisions shows them.';
}
