// A key that an object of a JSON text has twice. JSON.parse takes the last one without a word, and readers before it may have seen
// the first.

/** Null: there is none. The text must be JSON. */
export function repeatedKey(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const key = JSON.parse(token.slice(0, -1)) as string;
      const known = open.at(-1);
      if (known?.has(key)) return key;
      known?.add(key);
    }
  }
  return null;
}

/** Keys with their colon, other strings, and brackets. */
const tokens = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g;
