// JSON with comments and trailing commas, read with the place of every member, so that one can be added, changed or cut while every other
// byte stays. `JSON.parse` stays the reader of strings.
import { mostDepth, SettingsMistake } from '../../agents/config/settings-mistake.ts';

export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** As `JSON.parse` would give it. */
  readonly value: unknown;
  /** Of an object, in the order of the text. */
  readonly members: readonly JsonMember[] | null;
}

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly node: JsonNode;
  /** Where the comma behind it is; null: there is none. */
  readonly comma: number | null;
}

/** Throws a `SettingsMistake`. A byte order mark is passed over. */
export function readJsonc(text: string): JsonNode {
  const reader = new JsoncReader(text);
  const node = reader.value(0);
  reader.end();
  return node;
}

/** Of equal keys the last one counts, as for every reader of JSON. */
export const memberOf = (node: JsonNode, key: string): JsonMember | undefined =>
  node.members?.findLast((member) => member.key === key);

class JsoncReader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  value(depth: number): JsonNode {
    this.#skip();
    const start = this.#at;
    if (depth > mostDepth) throw this.#mistake('it is nested too deeply');
    if (this.#takes('{')) return this.#object(start, depth);
    if (this.#takes('[')) return this.#array(start, depth);
    if (this.#text[start] === '"') return this.#leaf(start, this.#string());
    const word = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    if (word === null) throw this.#mistake(this.#isEnd() ? 'it ends too early' : 'this is not a value of JSON');
    return this.#leaf(start, JSON.parse(word));
  }

  end(): void {
    this.#skip();
    if (!this.#isEnd()) throw this.#mistake('something follows its end');
  }

  #object(start: number, depth: number): JsonNode {
    const members: JsonMember[] = [];
    for (;;) {
      this.#skip();
      if (this.#takes('}')) break;
      const at = this.#at;
      if (members.length > 0 && members.at(-1)!.comma === null) throw this.#mistake('a comma is missing');
      if (this.#text[at] !== '"')
        throw this.#mistake(this.#isEnd() ? 'a } is missing' : 'a name in quotes must stand here');
      const key = this.#string();
      this.#skip();
      if (!this.#takes(':')) throw this.#mistake('a colon is missing');
      const node = this.value(depth + 1);
      this.#skip();
      const comma = this.#at;
      members.push({ key, start: at, node, comma: this.#takes(',') ? comma : null });
    }
    const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
    return { start, end: this.#at, value, members };
  }

  #array(start: number, depth: number): JsonNode {
    const items: unknown[] = [];
    for (let isNext = true; ; ) {
      this.#skip();
      if (this.#takes(']')) return this.#leaf(start, items);
      if (!isNext) throw this.#mistake(this.#isEnd() ? 'a ] is missing' : 'a comma is missing');
      items.push(this.value(depth + 1).value);
      this.#skip();
      isNext = this.#takes(',');
    }
  }

  #string(): string {
    const word = this.#match(/"(?:[^"\\\n]|\\.)*"/y);
    if (word === null) throw this.#mistake('a text has no closing quote');
    try {
      return JSON.parse(word) as string;
    } catch {
      throw this.#mistake('this text is not one of JSON');
    }
  }

  #leaf(start: number, value: unknown): JsonNode {
    return { start, end: this.#at, value, members: null };
  }

  #skip(): void {
    this.#match(/(?:[ \t\r\n]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y);
  }

  #takes(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #match(form: RegExp): string | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #mistake(what: string): SettingsMistake {
    return new SettingsMistake(this.#text, this.#at, what);
  }
}
