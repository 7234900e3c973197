// Needs and preferences in all their spellings: arrows at the end of a task's line, words in parentheses, lists of ids.
// Whatever looks like a dependency and cannot be read as one is an error: a need that silently means nothing starts
// everything at once.
import { quoted } from '../diagnostics/diagnostic.ts';
import { editDistance } from '../diagnostics/nearest.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import { needKey } from '../keys/need-words.ts';
import type { Reference } from './raw-plan.ts';

export interface TitleReading {
  readonly title: string;
  readonly references: Reference[] | null;
}

/** Takes the dependencies off a task's title. `at` is where the text starts in the file. */
export function readDependencies(text: string, at: Place, report: Report): TitleReading {
  if (!text.includes('(') && !hasArrow(text)) return { title: text.trim(), references: null };
  const scan: Scan = { text, at, report, found: [] };
  let title = '';
  let from = 0;
  let i = 0;
  while (i < text.length) {
    const c = text[i]!;
    if (!isSign(c)) {
      i++;
      continue;
    }
    if (c === '`') {
      i = afterCode(text, i);
      continue;
    }
    if (arrowAt(text, i) !== null) break;
    const after = c === '(' ? readParenthesis(scan, i) : i;
    if (after === i) i++;
    else {
      title += text.slice(from, i).trimEnd();
      from = i = after;
    }
  }
  title += text.slice(from, i);
  if (i < text.length) readTail(scan, i);
  return { title: title.trim(), references: scan.found.length > 0 ? scan.found : null };
}

/** The ids in a list such as `1.1, 1.2 and api`, added to those found before. */
export function splitReferences(
  text: string,
  at: Place,
  kind: Reference['kind'],
  found: Reference[] = [],
): Reference[] {
  const before = found.length;
  let i = 0;
  let joined = false;
  while (i < text.length) {
    if (isSeparator(text[i]!)) {
      i++;
      continue;
    }
    const from = i;
    while (i < text.length && !isSeparator(text[i]!)) i++;
    const word = unwrap(text.slice(from, i)).normalize('NFC');
    const last = found.length > before ? found[found.length - 1] : undefined;
    if (last && joined) {
      found[found.length - 1] = { ...last, text: `${last.text}-${word}` };
      joined = false;
    } else if (last && (word === '-' || word === '–') && /\S/.test(text.slice(i))) joined = true;
    else found.push({ kind, text: word, line: at.line, column: at.column + from });
  }
  return found;
}

export interface LooseArrow {
  readonly parts: readonly string[];
  readonly sign: string;
}

/** `a → b → c` with nothing else on the line: what stands between the arrows, or null. */
export function readLooseArrow(text: string): LooseArrow | null {
  if (text.length > 1000 || !hasArrow(text)) return null;
  const parts = text.trim().split(/\s*(?:→|(?<=^|\s)(?:->|~>))\s*/);
  const listed = (part: string) => part.split(',').every((word) => /^\s*\S+\s*$/.test(word));
  const [left, ...right] = parts as [string, ...string[]];
  if (right.length === 0 || !right.every(listed) || (left !== '' && !listed(left))) return null;
  const plain = parts.map((part) => part.replace(/\*\*|`/g, ''));
  return { parts: plain, sign: text.includes('~>') ? '~>' : '→' };
}

interface Scan {
  readonly text: string;
  readonly at: Place;
  readonly report: Report;
  readonly found: Reference[];
}

/** What a slip in a parenthesis is compared with. */
const words = ['depends', 'depends on', 'needs', 'after', 'blocked by', 'prefers'];

const hasArrow = (text: string): boolean =>
  text.includes('→') || (text.includes('>') && (text.includes('->') || text.includes('~>')));

/** An arrow stands free: `ptr->field` is text. */
function arrowAt(text: string, i: number): { kind: Reference['kind']; length: number } | null {
  const c = text[i];
  if (c === '→') return { kind: 'need', length: 1 };
  if ((c !== '-' && c !== '~') || text[i + 1] !== '>') return null;
  const before = text[i - 1] ?? ' ';
  if (before !== ' ' && before !== '\t' && before !== ')') return null;
  return { kind: c === '-' ? 'need' : 'preference', length: 2 };
}

/** From the first arrow to the end of the line there are only dependencies. */
function readTail(scan: Scan, start: number): void {
  const { text } = scan;
  let i = start;
  while (i < text.length) {
    const arrow = arrowAt(text, i);
    if (arrow) {
      const from = i + arrow.length;
      i = from;
      i = nextDependency(text, i);
      add(scan, from, i, arrow.kind);
      continue;
    }
    const after = readParenthesis(scan, i);
    if (after > i) i = after;
    else {
      const from = i;
      // From the next character on: a parenthesis with a word that nobody knows starts here, and is passed over.
      i = nextDependency(text, i + 1);
      if (text.slice(from, i).trim() !== '') unreadable(scan, from, text.slice(from, i).trim());
    }
  }
}

/** Where the next arrow or word in parentheses starts, or the end. */
function nextDependency(text: string, from: number): number {
  let i = from;
  while (i < text.length && !(isSign(text[i]!) && (arrowAt(text, i) !== null || wordAt(text, i)))) i++;
  return i;
}

/** What can start an arrow, a parenthesis or code; all other characters are passed over at once. */
const isSign = (c: string): boolean => c === '(' || c === '`' || c === '→' || c === '-' || c === '~';

const wordForm = /\(\s*([a-z][a-z _-]{1,20}?)\s*(:|(?<=depends on|blocked by)\s)/iy;

function wordAt(text: string, i: number): RegExpExecArray | null {
  if (text[i] !== '(') return null;
  wordForm.lastIndex = i;
  return wordForm.exec(text);
}

/** Reads `(needs: …)` at i and returns where it ends; i itself when there is none. */
function readParenthesis(scan: Scan, i: number): number {
  const match = wordAt(scan.text, i);
  if (!match) return i;
  const word = match[1]!.toLowerCase();
  const known = needKey(word);
  const close = scan.text.indexOf(')', i);
  const from = i + match[0].length;
  if (!known) {
    const meant = word.startsWith('prefer')
      ? 'prefers'
      : words.find((w) => editDistance(word, w, 3) <= (w.length > 6 ? 2 : 1));
    if (meant === undefined) return i;
    scan.report.error({
      code: 'unknown-dependency-word',
      message: `${quoted(`(${match[1]}: …)`)} is not read as a dependency`,
      ...place(scan, i),
      length: match[0].length,
      help: `write \`(${meant}: …)\``,
    });
  } else if (close < 0) unreadable(scan, i, scan.text.slice(i).trim());
  else add(scan, from, close, known === 'prefers' ? 'preference' : 'need');
  return close < 0 ? scan.text.length : close + 1;
}

function add(scan: Scan, from: number, to: number, kind: Reference['kind']): void {
  const before = scan.found.length;
  splitReferences(scan.text.slice(from, to), place(scan, from), kind, scan.found);
  if (scan.found.length === before) unreadable(scan, Math.max(0, from - 1), '');
}

function unreadable(scan: Scan, at: number, text: string): void {
  scan.report.error({
    code: 'bad-dependency',
    message: text === '' ? 'a dependency that names no task' : `${quoted(text)} cannot be read as a dependency`,
    ...place(scan, at),
    length: Math.max(1, text.length),
    help: 'dependencies end the line: `→ id, id ~> id`, or `(needs: id, id)`; an arrow that is text goes in backticks',
  });
}

const place = (scan: Scan, offset: number): Place => ({ line: scan.at.line, column: scan.at.column + offset });

/** Comma, semicolon, ampersand, white space. */
const isSeparator = (c: string): boolean =>
  c === ',' || c === ' ' || c === ';' || c === '\t' || c === '&' || c === '\u00a0';

/** Behind the code span that starts at i; a run of backticks that is never closed is text. */
export function afterCode(text: string, i: number): number {
  let ticks = i;
  while (text[ticks] === '`') ticks++;
  if (text.length > longLine && lastRunOf(text, ticks - i) <= i) return ticks;
  const run = text.slice(i, ticks);
  for (let close = text.indexOf(run, ticks); close >= 0; close = text.indexOf(run, close)) {
    let end = close;
    while (text[end] === '`') end++;
    if (end - close === run.length) return end;
    close = end;
  }
  return ticks;
}

const longLine = 2_000;
/** Of the long line that was looked at last: by length, where its last run of backticks starts. */
let runs: { readonly text: string; readonly last: ReadonlyMap<number, number> } = { text: '', last: new Map() };

/** A long line with runs of a thousand different lengths would otherwise be searched to its end for each of them. */
function lastRunOf(text: string, length: number): number {
  if (runs.text !== text) {
    const last = new Map<number, number>();
    for (let from = text.indexOf('`'); from >= 0; ) {
      let end = from;
      while (text[end] === '`') end++;
      last.set(end - from, from);
      from = text.indexOf('`', end);
    }
    runs = { text, last };
  }
  return runs.last.get(length) ?? -1;
}

/** Ids may be written as where they are defined: `**api**`, `` `api` ``. */
function unwrap(word: string): string {
  if (!/^[*`"']/.test(word)) return word;
  const inner = /^(?:\*\*(.+)\*\*|`(.+)`|"(.+)"|'(.+)')\.?$/.exec(word);
  return inner ? (inner[1] ?? inner[2] ?? inner[3] ?? inner[4])! : word;
}
