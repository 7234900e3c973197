// Where a text stops being JSON. The engine's own message names no place for most mistakes, and its wording changes.

/** The offset of the first token that cannot stand there; the end of the text when something is missing. */
export function jsonMistake(text: string): number {
  const open: ('{' | '[')[] = [];
  let wanted: 'value' | 'first' | 'key' | 'first-key' | 'colon' | 'next' = 'value';
  let i = 0;
  while (i < text.length) {
    space.lastIndex = i;
    space.exec(text);
    i = space.lastIndex;
    const c = text[i];
    if (c === undefined || (wanted === 'next' && open.length === 0)) return i;
    const close = open.at(-1) === '{' ? '}' : ']';
    if (open.length > 0 && c === close && (wanted === 'next' || wanted === 'first' || wanted === 'first-key')) {
      open.pop();
      wanted = 'next';
      i++;
    } else if (wanted === 'next') {
      if (c !== ',') return i;
      wanted = open.at(-1) === '{' ? 'key' : 'value';
      i++;
    } else if (wanted === 'colon') {
      if (c !== ':') return i;
      wanted = 'value';
      i++;
    } else if (wanted === 'key' || wanted === 'first-key') {
      const end = endOf(string, text, i);
      if (end === i) return i;
      wanted = 'colon';
      i = end;
    } else if (c === '{' || c === '[') {
      open.push(c);
      wanted = c === '{' ? 'first-key' : 'first';
      i++;
    } else {
      const end = endOf(c === '"' ? string : word, text, i);
      if (end === i) return i;
      wanted = 'next';
      i = end;
    }
  }
  return text.length;
}

const space = /[ \t\n\r]*/y;
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

function endOf(form: RegExp, text: string, from: number): number {
  form.lastIndex = from;
  return form.test(text) ? form.lastIndex : from;
}
