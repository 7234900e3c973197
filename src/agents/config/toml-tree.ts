// TOML as a list of its tables and pairs, each with its place, so that one can be added, changed or cut while every other byte stays. Some
// mistakes, such as keys that stand twice, are not found here: the owner of the file checks them itself.
import { mostDepth, SettingsMistake } from './settings-mistake.ts';

export interface TomlPart {
  readonly kind: 'table' | 'pair';
  /** From the root, also of a pair in a table. */
  readonly path: readonly string[];
  readonly start: number;
  /** Behind its last sign, before a comment on the same line. */
  readonly end: number;
  /** Of a pair. Numbers, dates and the like are `{ bare: their text }`. */
  readonly value?: unknown;
  /** The table that a pair stands in. */
  readonly table?: TomlPart | null;
}

/** Throws a `SettingsMistake`. */
export const readToml = (text: string): readonly TomlPart[] => new TomlReader(text).parts();

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
  '"': '"',
  '\\': '\\',
};

class TomlReader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  parts(): readonly TomlPart[] {
    const parts: TomlPart[] = [];
    let table: TomlPart | null = null;
    for (;;) {
      this.#match(/(?:[ \t\r\n]|#[^\n]*)*/y);
      if (this.#at >= this.#text.length) return parts;
      const start = this.#at;
      if (this.#text[start] === '[') {
        table = { kind: 'table', path: this.#header(), start, end: this.#at };
        parts.push(table);
      } else {
        const key = this.#key();
        this.#want('=', 'a = is missing');
        const value = this.#value(0);
        parts.push({ kind: 'pair', path: [...(table?.path ?? []), ...key], start, end: this.#at, value, table });
      }
      if (this.#match(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y) === null)
        throw this.#mistake('something follows on the same line');
    }
  }

  #header(): readonly string[] {
    const isList = this.#match(/\[\[/y) !== null;
    if (!isList) this.#at++;
    const path = this.#key();
    this.#want(isList ? ']]' : ']', 'a ] is missing');
    return path;
  }

  #key(): readonly string[] {
    const path: string[] = [];
    do {
      this.#match(/[ \t]*/y);
      const quote = this.#text[this.#at];
      const bare = this.#match(/[\w-]+/y);
      if (bare !== null) path.push(bare);
      else if (quote === '"') path.push(this.#basic());
      else if (quote === "'") path.push(this.#literal());
      else throw this.#mistake('a key must stand here');
      this.#match(/[ \t]*/y);
    } while (this.#match(/\./y) !== null);
    return path;
  }

  #value(depth: number): unknown {
    this.#match(/[ \t]*/y);
    if (depth > mostDepth) throw this.#mistake('it is nested too deeply');
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (rest === '"""') return this.#long(/"""(?:\r?\n)?((?:[^\\"]|\\[\s\S]|"{1,2}(?!"))*"{0,2})"""/y, true);
    if (rest === "'''") return this.#long(/'''(?:\r?\n)?([\s\S]*?'{0,2})'''/y, false);
    if (rest[0] === '"') return this.#basic();
    if (rest[0] === "'") return this.#literal();
    if (rest[0] === '[') return this.#list(depth);
    if (rest[0] === '{') return this.#inlineTable(depth);
    const word = this.#match(/\d{4}-\d\d-\d\d \d\d:[\d:.+\-Zz]+|[+-]?[\w.:+-]+/y);
    if (word === null || /^[A-Za-z]/.test(word) === !/^(?:true|false|inf|nan)$/.test(word))
      throw this.#mistake(word === null ? 'a value is missing' : `${word} is not a value; a text needs quotes`);
    return word === 'true' ? true : word === 'false' ? false : { bare: word };
  }

  #list(depth: number): readonly unknown[] {
    const items: unknown[] = [];
    this.#at++;
    for (let isNext = true; ; ) {
      this.#skip();
      if (this.#match(/\]/y) !== null) return items;
      if (!isNext) throw this.#mistake('a comma or a ] is missing');
      items.push(this.#value(depth + 1));
      this.#skip();
      isNext = this.#match(/,/y) !== null;
    }
  }

  #inlineTable(depth: number): Readonly<Record<string, unknown>> {
    const table: Record<string, unknown> = {};
    this.#at++;
    for (let isNext = true; ; ) {
      this.#skip();
      if (this.#match(/\}/y) !== null) return table;
      if (!isNext) throw this.#mistake('a comma or a } is missing');
      const key = this.#key();
      this.#want('=', 'a = is missing');
      put(table, key, this.#value(depth + 1));
      this.#skip();
      isNext = this.#match(/,/y) !== null;
    }
  }

  #basic(): string {
    const word = this.#match(/"(?:[^"\\\r\n]|\\.)*"/y);
    if (word === null) throw this.#mistake('a text has no closing quote');
    return this.#unescaped(word.slice(1, -1));
  }

  #literal(): string {
    const word = this.#match(/'[^'\r\n]*'/y);
    if (word === null) throw this.#mistake('a text has no closing quote');
    return word.slice(1, -1);
  }

  #long(form: RegExp, isBasic: boolean): string {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text);
    if (!found) throw this.#mistake('a text has no closing quotes');
    this.#at += found[0].length;
    return isBasic ? this.#unescaped(found[1]!.replace(/\\[ \t]*\r?\n\s*/g, '')) : found[1]!;
  }

  #unescaped(text: string): string {
    return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/g, (_, x, u, long, sign) => {
      const code = Number.parseInt(x ?? u ?? long, 16);
      const told = sign === undefined && code <= 0x10ffff ? String.fromCodePoint(code) : escapes[sign];
      if (told === undefined) throw this.#mistake(`\\${sign ?? 'U'} is not known in a text`);
      return told;
    });
  }

  #want(sign: string, what: string): void {
    this.#match(/[ \t]*/y);
    if (!this.#text.startsWith(sign, this.#at)) throw this.#mistake(what);
    this.#at += sign.length;
  }

  #skip(): void {
    this.#match(/(?:[ \t\r\n]|#[^\n]*)*/y);
  }

  #match(form: RegExp): string | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #mistake(what: string): SettingsMistake {
    return new SettingsMistake(this.#text, this.#at, what);
  }
}

/** Into a table of tables. Names such as __proto__ are names like others. */
export function put(table: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = table;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(inner, key) ? inner[key] : undefined;
    const made = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {};
    define(inner, key, made);
    inner = made;
  }
  define(inner, path.at(-1)!, value);
}

const define = (table: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(table, key, { value, enumerable: true, writable: true, configurable: true });
};
