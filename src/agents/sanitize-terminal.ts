// Makes text from outside harmless for a terminal: of control characters only newline and tab remain, and nothing can move the
// cursor, change colours, titles or the clipboard, hide text by overprinting, or turn reading order around. Pure.

/** For text that comes in pieces: a sequence may be split anywhere between them. */
export class PlainTextStream {
  #state: State = 'text';
  /** A carriage return is a line end until it is clear that a newline follows. */
  #carriageReturn = false;

  push(chunk: string): string {
    if (this.#state === 'text' && !this.#carriageReturn && !suspicious.test(chunk)) return chunk;
    let clean = '';
    for (let index = 0; index < chunk.length; index++) clean += this.#take(chunk.charCodeAt(index));
    return clean;
  }

  /** What was held back at the end of the text. */
  end(): string {
    const held = this.#carriageReturn ? '\n' : '';
    this.#carriageReturn = false;
    this.#state = 'text';
    return held;
  }

  #take(code: number): string {
    const held = this.#carriageReturn && code !== newline && code !== carriageReturn ? '\n' : '';
    if (code !== carriageReturn) this.#carriageReturn = false;
    return held + this.#step(code);
  }

  #step(code: number): string {
    // A terminal carries these out and goes on with the sequence around them.
    if (this.#state !== 'text' && isIdle(code)) return '';
    switch (this.#state) {
      case 'text':
        return this.#plain(code);
      case 'escape':
        return this.#afterEscape(code);
      case 'control':
        // Parameters and intermediates go on, a final byte ends it; anything else was none.
        if (code >= 0x20 && code <= 0x3f) return '';
        return this.#leave(code, code >= 0x40 && code <= 0x7e);
      case 'string-escape':
        if (code !== backslash) return this.#afterEscape(code);
        this.#state = 'text';
        return '';
      case 'string':
        if (code === esc) this.#state = 'string-escape';
        // A terminal would go on to swallow lines here; text must not be able to hide what follows it.
        else if (code === newline || code === carriageReturn) return this.#leave(code, false);
        else if (code === bell || code === stringEnd || code === cancel || code === substitute) this.#state = 'text';
        return '';
      case 'tag':
        return this.#leave(code, code >= 0xdc00 && code <= 0xdfff);
    }
  }

  #plain(code: number): string {
    if (code === newline) return '\n';
    if (code === carriageReturn) {
      this.#carriageReturn = true;
      return '';
    }
    if (code === tab || (code >= 0x20 && code < 0x7f)) return String.fromCharCode(code);
    if (code === esc) this.#state = 'escape';
    else if (code === 0x9b) this.#state = 'control';
    else if (isStringStart(code)) this.#state = 'string';
    else if (code === 0xdb40) this.#state = 'tag';
    else if (code > 0x9f && !invisible.test(String.fromCharCode(code))) return String.fromCharCode(code);
    else if (code === 0x85 || code === 0x2028 || code === 0x2029) return '\n';
    return '';
  }

  #afterEscape(code: number): string {
    if (code === 0x5b /* [ */) this.#state = 'control';
    // The seven-bit forms of the same string starts: P X ] ^ _
    else if (code >= 0x40 && code <= 0x5f && isStringStart(code + 0x40)) this.#state = 'string';
    else if (code >= 0x20 && code <= 0x2f) this.#state = 'escape';
    else return this.#leave(code, code >= 0x30 && code <= 0x7e);
    return '';
  }

  /** Back to text; the character that ended it is swallowed, or read again as text. */
  #leave(code: number, swallow: boolean): string {
    this.#state = 'text';
    return swallow ? '' : this.#plain(code);
  }
}

/** A whole text; line ends of any kind become newlines. */
export function plainText(text: string): string {
  const stream = new PlainTextStream();
  return stream.push(text) + stream.end();
}

/** For titles, names and messages that must stay on one line. */
export const plainLine = (text: string): string =>
  plainText(text)
    .replace(/[\n\t]+/g, ' ')
    .trim();

/** `control`: CSI; `string`: OSC, DCS, SOS, PM, APC; `tag`: the invisible letters of plane 14. */
type State = 'text' | 'escape' | 'control' | 'string' | 'string-escape' | 'tag';

const [tab, newline, carriageReturn, esc, bell, backslash] = [0x09, 0x0a, 0x0d, 0x1b, 0x07, 0x5c];
const [cancel, substitute, stringEnd] = [0x18, 0x1a, 0x9c];

const isIdle = (code: number): boolean =>
  code === 0x7f || (code < 0x20 && ![newline, carriageReturn, esc, bell, cancel, substitute].includes(code));

const isStringStart = (code: number): boolean =>
  code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f;

/** Marks, embeddings, overrides and isolates of reading order; line separators; annotation characters. */
const invisible = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/;
const suspicious =
  /[^\n\t\x20-\x7e\u00a0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\udb3f\udb41-\ufff8\ufffc-\uffff]/;
