// The box at the start of a list item: `[ ]` open, `[x]` completed, `[-]` skipped, each with `*` behind it for optional.

export interface Box {
  readonly mark: 'open' | 'completed' | 'skipped';
  readonly optional: boolean;
  /** Where the text behind it starts. */
  readonly end: number;
}

/** The box at `from`, where a `[` stands; 'unknown' for what was surely meant as one; null for a link or text. */
export function readBox(raw: string, from: number): Box | 'unknown' | null {
  const close = raw[from + 2] === ']' ? 2 : raw.slice(from, from + 6).indexOf(']');
  if (close < 1) return null;
  const inside = close === 2 ? raw[from + 1]! : raw.slice(from + 1, from + close);
  const mark = marks.get(inside);
  let end = from + close + 1;
  const optional = raw[end] === '*';
  if (optional) end++;
  const next = end >= raw.length ? ' ' : raw[end]!;
  if (next === '(' || next === '[') return null;
  const isFree = next === ' ' || next === '\t';
  if (mark === undefined) return isFree && almost.test(inside) ? 'unknown' : null;
  if (!isFree) return 'unknown';
  while (raw[end] === ' ' || raw[end] === '\t') end++;
  return { mark, optional, end };
}

const marks: ReadonlyMap<string, Box['mark']> = new Map([
  [' ', 'open'],
  ['x', 'completed'],
  ['X', 'completed'],
  ['-', 'skipped'],
]);

/** Nothing, a known mark with spaces around it, or a sign that other tools have. */
const almost = /^(?:\s*|\s*[xX-]\s*|[^\sA-Za-z0-9])$/;
