// Gathers what an agent's stream amounts to, while it comes and with bounded memory: calls, words, files, usage, and how it says that it
// ended. What follows from that is judged elsewhere; an agent's word is no evidence.
import { createHash } from 'node:crypto';
import type { ModelUsage } from '../../core/model/agent-result.ts';
import { plainLine } from '../sanitize-terminal.ts';
import type { AgentEvent, StreamResult } from './agent-event.ts';
import { type Fields, JsonLines } from './json-lines.ts';

export interface StreamReport {
  /** Whether anything but white space was printed. */
  readonly output: boolean;
  /** Null: nothing that was printed tells about calls. */
  readonly calls: number | null;
  /** The longest row of one and the same call. */
  readonly longest: { readonly call: string; readonly times: number } | null;
  readonly session: string | null;
  /** Of the program; null: it does not say. */
  readonly version: string | null;
  /** What the program took in that did not come with it; the first twenty. */
  readonly loaded: readonly string[];
  /** The last message. */
  readonly said: string;
  /** As the agent spells them; the first thousand. Not those of calls that failed. */
  readonly writes: readonly string[];
  /** Tools that the program itself refused; the first hundred. */
  readonly denied: readonly string[];
  /** What it asked a person, if it did nothing after that; empty: nothing. */
  readonly asked: string;
  /** By model. */
  readonly usage: readonly ModelUsage[];
  /** Null: the program does not price itself, or not all of it. */
  readonly costUsd: number | null;
  /** The usage of a subagent is missing. */
  readonly isPartial?: true;
  readonly resetsAt: number | null;
  /** The last one; null: it never said that a turn has ended. */
  readonly result: Pick<StreamResult, 'class' | 'text'> | null;
  /** Lines that could not be read because of their length. */
  readonly tooLong: number;
  /** All that could not be read: those, and what is no JSON object; with the beginning of the first one. Null: every line was read. */
  readonly unread: { readonly lines: number; readonly preview: string } | null;
}

/** What is known of a stream while it goes on. */
export interface StreamSeen {
  readonly events: number;
  /** The last event says how the work ended, and nothing goes on beside it. */
  readonly isOver: boolean;
  /** It is told again and again that the conversation is too long, and makes no call in between. */
  readonly isStuck?: true;
}

export interface StreamListener {
  readonly onEvent?: (event: AgentEvent) => void;
  /** A line that is no JSON object. */
  readonly onOther?: (line: string) => void;
  /** The beginning of a line that is too long to be read. */
  readonly onTooLong?: (begin: string) => void;
  /** Told each time when a call was made once more in a row. */
  readonly onRow?: (call: string, times: number) => void;
}

const mostSaid = 100_000;
const mostWrites = 1_000;
const mostDenied = 100;
const mostLoaded = 20;
/** One is usual: the program then makes the conversation shorter. */
const mostOverflows = 3;
const mostModels = 100;
const mostAnswers = 100;
const mostOpen = 1_000;
const longestShown = 200;
const longestName = 200;
const longestVersion = 50;
const longestPath = 4_096;

export class StreamReader {
  readonly #lines: JsonLines;
  readonly #listener: StreamListener;
  #isStream = false;
  #output = false;
  #calls = 0;
  #last = '';
  #row = 0;
  #longest: StreamReport['longest'] = null;
  #session: string | null = null;
  #version: string | null = null;
  #loaded: readonly string[] = [];
  #said = '';
  /** Whether another piece of the last message may follow. */
  #isSaying = false;
  readonly #writes = new Set<string>();
  /** Files of calls that have not returned, by the call. One that never returns may have written. */
  readonly #open = new Map<string, readonly string[]>();
  readonly #denied = new Set<string>();
  /** Calls that a hook has denied. */
  readonly #byHook = new Set<string>();
  #asked = '';
  #usage = new Map<string, ModelUsage>();
  /** By answer; the last hundred. */
  readonly #models = new Map<string, string>();
  #costUsd: number | null = null;
  /** The program has told the cost of all of it. */
  #isTotal = false;
  /** Subagents that have worked, and those of which usage is known. */
  readonly #delegated = new Set<string>();
  readonly #accounted = new Set<string>();
  /** How often the conversation was too long since the last call. */
  #overflows = 0;
  #resetsAt: number | null = null;
  #trouble: (AgentEvent & { type: 'trouble' }) | null = null;
  #result: StreamReport['result'] = null;
  #events = 0;
  /** The last event was the end of a turn. */
  #hasEnded = false;
  readonly #background = new Set<string>();

  constructor(read: (line: Fields) => readonly AgentEvent[], listener: StreamListener = {}) {
    this.#listener = listener;
    this.#lines = new JsonLines({
      onLine: (line) => {
        for (const event of read(line)) this.#take(event);
      },
      onOther: listener.onOther,
      onTooLong: listener.onTooLong,
    });
  }

  feed(text: string): void {
    if (!this.#output && /\S/.test(text)) this.#output = true;
    this.#lines.feed(text);
  }

  end(): StreamReport {
    this.#lines.end();
    for (const files of this.#open.values()) this.#wrote(files);
    this.#open.clear();
    return {
      output: this.#output,
      calls: this.#isStream ? this.#calls : null,
      longest: this.#longest,
      session: this.#session,
      version: this.#version,
      loaded: this.#loaded,
      said: this.#said,
      writes: [...this.#writes],
      denied: [...this.#denied],
      asked: this.#asked,
      usage: [...this.#usage.values()],
      costUsd: this.#costUsd !== null && !this.#isTotal && this.#hasUnpriced() ? null : this.#costUsd,
      ...([...this.#delegated].some((one) => !this.#accounted.has(one)) ? { isPartial: true } : {}),
      resetsAt: this.#resetsAt,
      result: this.#result,
      tooLong: this.#lines.tooLong,
      unread: this.#lines.unread === 0 ? null : { lines: this.#lines.unread, preview: plainLine(this.#lines.preview) },
    };
  }

  /** How far it is. */
  get seen(): StreamSeen {
    if (this.#isStuck) return { events: this.#events, isOver: true, isStuck: true };
    return { events: this.#events, isOver: this.#hasEnded && this.#background.size === 0 };
  }

  get #isStuck(): boolean {
    return this.#overflows >= mostOverflows;
  }

  /** Of several models one may have no price. */
  #hasUnpriced(): boolean {
    return [...this.#usage.values()].some(({ costUsd, input, output }) => costUsd === undefined && input + output > 0);
  }

  #take(event: AgentEvent): void {
    this.#isStream = true;
    // What is loaded, or asked, is no sign that the agent has begun.
    if (event.type !== 'loaded' && event.type !== 'model') this.#events++;
    this.#hasEnded = event.type === 'result';
    const isMore = this.#isSaying && event.type === 'said' && event.goesOn === true;
    this.#isSaying = event.type === 'said' && event.goesOn === true;
    switch (event.type) {
      case 'session':
        this.#session = event.id.slice(0, longestName);
        if (event.version) this.#version = plainLine(event.version.slice(0, longestVersion));
        if (event.loaded) this.#load(event.loaded);
        break;
      case 'loaded':
        this.#load(event.names);
        break;
      case 'said':
        this.#said = (isMore ? this.#said + event.text : event.text).slice(0, mostSaid);
        break;
      case 'called':
        // It goes on: what it said about its end was about a turn before.
        this.#result = null;
        this.#overflows = 0;
        this.#asked = '';
        this.#call(event.tool, event.input);
        if (event.writes) this.#mayWrite(event.id, event.writes);
        break;
      case 'returned':
        if (event.byHook && this.#byHook.size < mostOpen) this.#byHook.add(event.id.slice(0, longestName));
        this.#return(event.id, event.ok);
        break;
      case 'asked':
        this.#asked = event.question.slice(0, mostSaid);
        break;
      case 'denied':
        this.#refuse(event);
        break;
      case 'background':
        if (event.isOver) this.#background.delete(event.id.slice(0, longestName));
        else if (this.#background.size < mostOpen) this.#background.add(event.id.slice(0, longestName));
        break;
      case 'usage':
        this.#count({ ...event.usage, model: event.usage.model || this.#modelOf(event.message) });
        if (event.by !== undefined) note(this.#accounted, event.by);
        break;
      case 'model':
        this.#answers(event);
        break;
      case 'delegated':
        note(this.#delegated, event.to);
        break;
      case 'limit':
        if (!event.fromWords || this.#resetsAt === null) this.#resetsAt = event.resetsAt;
        break;
      case 'trouble':
        this.#trouble = event;
        break;
      case 'result':
        this.#end(event.result);
        break;
    }
    this.#listener.onEvent?.(event);
  }

  /** The last one decides: an agent may go on after it, when something that it left in the background has ended. */
  #end({ class: said, text, usage, more, costUsd }: StreamResult): void {
    // A result may only say that something went wrong.
    const words = (text || this.#said).slice(0, mostSaid);
    const result = { class: said === 'crash' ? (this.#trouble?.class ?? said) : said, text: words };
    this.#trouble = null;
    if (result.class === 'context') this.#overflows++;
    // One that makes its conversation shorter and shorter ends a turn each time.
    if (result.class === 'context' || !this.#isStuck) this.#result = result;
    if (usage) {
      this.#usage = new Map();
      this.#costUsd = null;
      for (const one of usage) this.#count(one);
    }
    // Who tells that nothing came to it since knows what it cost.
    if (more) this.#costUsd ??= 0;
    for (const one of more ?? []) this.#count(one);
    if (costUsd === undefined) return;
    this.#costUsd = costUsd;
    this.#isTotal = true;
  }

  #answers({ message, model }: AgentEvent & { type: 'model' }): void {
    // Of long conversations only the last answers are still to be counted.
    if (this.#models.size >= mostAnswers) this.#models.delete(this.#models.keys().next().value!);
    this.#models.set(message.slice(0, longestName), model.slice(0, longestName));
  }

  #modelOf(message = ''): string {
    return this.#models.get(message.slice(0, longestName)) ?? '';
  }

  #load(names: readonly string[]): void {
    this.#loaded = names.slice(0, mostLoaded).map((name) => name.slice(0, longestName));
  }

  #mayWrite(call: string, files: readonly string[]): void {
    // Nobody will say how a call without a name went.
    if (call === '' || call.length > longestName || this.#open.size >= mostOpen) this.#wrote(files);
    else this.#open.set(call, files);
  }

  #return(call: string, ok: boolean): void {
    const files = this.#open.get(call);
    if (!files) return;
    this.#open.delete(call);
    if (ok) this.#wrote(files);
  }

  #refuse({ tool, id }: AgentEvent & { type: 'denied' }): void {
    if (id !== undefined && this.#byHook.has(id.slice(0, longestName))) return;
    if (this.#denied.size < mostDenied) this.#denied.add(tool.slice(0, longestName));
  }

  #wrote(files: readonly string[]): void {
    for (const file of files) if (this.#writes.size < mostWrites) this.#writes.add(file.slice(0, longestPath));
  }

  #count(usage: ModelUsage): void {
    const { costUsd } = usage;
    const model = usage.model.slice(0, longestName);
    if (!this.#usage.has(model) && this.#usage.size >= mostModels) return;
    const before = this.#usage.get(model);
    this.#usage.set(model, before ? sum(before, usage) : { ...usage, model });
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
  }

  #call(tool: string, input: unknown): void {
    this.#calls++;
    const words = wordsOf(input) ?? `nested too deeply, ${this.#calls}`;
    // A hash, because an input may be a whole file.
    const fingerprint = createHash('sha256').update(`${tool}\n${words}`).digest('base64');
    this.#row = fingerprint === this.#last ? this.#row + 1 : 1;
    this.#last = fingerprint;
    if (this.#row < 2) return;
    const call = plainLine(`${tool} ${words}`.slice(0, longestShown));
    if (this.#row > (this.#longest?.times ?? 1)) this.#longest = { call, times: this.#row };
    this.#listener.onRow?.(call, this.#row);
  }
}

function note(names: Set<string>, name: string): void {
  if (names.size < mostOpen) names.add(name.slice(0, longestName));
}

/** Null: it is nested so deeply that it was read but cannot be written. */
function wordsOf(input: unknown): string | null {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return null;
  }
}

const sum = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  model: a.model,
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  ...(a.costUsd === undefined && b.costUsd === undefined ? {} : { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) }),
});
