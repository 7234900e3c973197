// `[a, b]` and `{ a: b }` on one line, in one spacing.

/** The value, with the comment behind it; null when it does not end in its line, or is more than plain. */
export function reprintFlow(text: string): string | null {
  const reader = new FlowReader(text);
  const value = reader.value(0);
  if (value === null) return null;
  const rest = text.slice(reader.at).trim();
  if (rest === '') return value;
  return rest.startsWith('#') && text[reader.at] === ' ' ? `${value} ${rest}` : null;
}

const deepest = 50;

class FlowReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): string | null {
    const c = this.text[this.at];
    if (c === '[' || c === '{') return depth < deepest ? this.collection(c, depth) : null;
    return this.scalar();
  }

  private collection(open: '[' | '{', depth: number): string | null {
    const close = open === '[' ? ']' : '}';
    const parts: string[] = [];
    this.at++;
    for (;;) {
      this.skip();
      if (this.text[this.at] === close) {
        this.at++;
        break;
      }
      const part = this.part(depth);
      if (part === null) return null;
      parts.push(part);
      this.skip();
      if (this.text[this.at] === ',') this.at++;
      else if (this.text[this.at] !== close) return null;
    }
    if (parts.length === 0) return open + close;
    return open === '[' ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  }

  private part(depth: number): string | null {
    const key = this.value(depth + 1);
    if (key === null) return null;
    this.skip();
    if (this.text[this.at] !== ':') return key;
    this.at++;
    this.skip();
    if (/[,\]}]/.test(this.text[this.at] ?? ',')) return `${key}:`;
    const value = this.value(depth + 1);
    return value === null ? null : `${key}: ${value}`;
  }

  private scalar(): string | null {
    const { text, at } = this;
    const c = text[at];
    const form = c === '"' ? /"(?:[^"\\]|\\.)*"/y : c === "'" ? /'(?:[^']|'')*'/y : plain;
    form.lastIndex = at;
    const match = form.exec(text);
    if (match === null) return null;
    this.at += match[0].length;
    return match[0].trimEnd();
  }

  private skip(): void {
    while (this.text[this.at] === ' ') this.at++;
  }
}

/** Colons that do not end a key belong to it; a `#` behind a space would be a comment. */
const plain =
  /[^\s,[\]{}"'#&*!|>%@`?:-](?:[^,[\]{}:# ]|:(?![\s,[\]{}]|$)|(?<! )#| (?!#))*|-(?=[^\s,[\]{}])(?:[^,[\]{}:# ]|:(?![\s,[\]{}]|$)|(?<! )#| (?!#))*/y;
