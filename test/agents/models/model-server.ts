// A model that a test scripts: an HTTP server on loopback that speaks the protocol of one provider. What it answers depends on the
// conversation alone, so several agents can talk to it at once, in any order.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

/** Where a conversation stands when the model is asked. */
export interface Conversation {
  /** All that the agent was told: its instructions and what the person said. */
  readonly prompt: string;
  /** How often the model has answered in it, from 0. */
  readonly turn: number;
  /** What the tools of the last answer returned, in order. */
  readonly results: readonly string[];
  readonly model: string;
}

export type Turn =
  | { readonly text: string; readonly tools?: readonly ToolCall[]; readonly headers?: Headers }
  | { readonly status: number; readonly error: unknown; readonly headers?: Headers }
  /** Fails inside of the stream, as the Responses API does. */
  | { readonly failed: { readonly code: string; readonly message: string } }
  /** Never answers. */
  | { readonly hangs: true };

export interface ToolCall {
  readonly name: string;
  /** An object; a text for tools that take free text. */
  readonly input: unknown;
  /** Of an MCP server, where the provider tells it apart. */
  readonly namespace?: string;
}

type Headers = Readonly<Record<string, string>>;
export type Script = (conversation: Conversation) => Turn | Promise<Turn>;

/** How a provider asks and is answered. */
export interface Dialect {
  /** Null: no question to the model. `side`: one for a title or the like, which has no tools. */
  read(path: string, body: Body): Conversation | 'side' | null;
  answer(response: ServerResponse, turn: Turn, asked: Asked): void;
  /** Everything else that it asks for; false: it is not known. */
  other?(path: string, response: ServerResponse): boolean;
}

export type Body = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly id: number;
  readonly path: string;
  readonly body: Body;
}

export class ModelServer {
  readonly #server: Server;
  readonly #dialect: Dialect;
  readonly asked: Asked[] = [];
  /** May be changed while agents talk to it. */
  script: Script;

  static async start(dialect: Dialect, script: Script): Promise<ModelServer> {
    const model = new ModelServer(dialect, script);
    await new Promise<void>((listening) => model.#server.listen(0, '127.0.0.1', listening));
    return model;
  }

  private constructor(dialect: Dialect, script: Script) {
    this.#dialect = dialect;
    this.script = script;
    this.#server = createServer((request, response) => {
      this.#hear(request, response).catch((error: Error) => sendJson(response, 500, { error: String(error) }));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const path = request.url!.split('?')[0]!;
    const asked = { id: this.asked.length + 1, path, body };
    const question = request.method === 'POST' ? this.#dialect.read(path, body) : null;
    if (question === null) {
      if (this.#dialect.other?.(path, response)) return;
      sendJson(response, request.method === 'HEAD' ? 200 : 404, {});
      return;
    }
    if (question !== 'side') this.asked.push(asked);
    const turn = question === 'side' ? { text: 'a title' } : await this.script(question);
    if ('hangs' in turn) return;
    if ('status' in turn) sendJson(response, turn.status, turn.error, turn.headers);
    else this.#dialect.answer(response, turn, asked);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const raw = Buffer.concat(parts);
  const packed = request.headers['content-encoding'];
  const bytes = packed === 'gzip' ? gunzipSync(raw) : packed === 'zstd' ? zstdDecompressSync(raw) : raw;
  return bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Server-sent events: each with a name where the provider names them. */
export function sendEvents(
  response: ServerResponse,
  events: readonly (readonly [string | null, unknown])[],
  headers: Headers = {},
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  for (const [name, data] of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }
  response.end();
}

export const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? (value as Body[]) : []);

/** The texts in whatever a provider calls content: a string, or blocks with texts in them. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textIn).join('');
  if (typeof content !== 'object' || content === null) return '';
  const { text, content: inner, output } = content as Body;
  return textIn(text ?? inner ?? output ?? '');
}
