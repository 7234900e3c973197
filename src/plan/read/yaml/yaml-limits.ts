// YAML that is too much: one line as long as a file, brackets without an end, more entries than a plan has tasks, a text that only the
// plain reader can take. Each is found before anything is made of the text.
import type { Place, Report } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';

/**
 * Characters. The package needs 70 bytes for each and a second for each million where the text is right, and ten times the time
 * where it is not. A plan that is larger than this keeps to the part of YAML that the plain reader knows.
 */
const mostForPackage = 4_000_000;
/** Each makes a node or two, of a kilobyte. A text of this size has about 200,000 where people wrote it. */
const mostSigns = 400_000;

export const isVeryLong = (text: string): boolean => text.length > mostForPackage;

export const isForPlainReader = (text: string): boolean => isVeryLong(text) || countSigns(text) > mostSigns;

function countSigns(text: string): number {
  if (text.length < mostSigns) return 0;
  let signs = 0;
  for (let i = 0; i < text.length; i++) if ('\n,[{?'.includes(text[i]!)) signs++;
  return signs;
}

/** A list in brackets that is as long as a file. */
export function tellLongLine(text: string, at: Place, report: Report): boolean {
  if (!isVeryLong(text)) return false;
  for (const { start, end, line } of linesOf(text, at.line)) {
    const length = end - start;
    if (length <= mostForPackage) continue;
    const message = `this line has ${length} characters; one of a plan has ${mostForPackage} at most`;
    const help = 'break it into several lines: a list may have one item in each';
    report.error({ code: 'long-line', message, line, column: 1, help });
    return true;
  }
  return false;
}

/** Nobody nests so deep, and the package would take a second for 100,000 of them. */
export function tellTooDeep(text: string, at: Place, report: Report): boolean {
  const deep = text.length > 1_000 ? text.search(/[[{]{500}/) : -1;
  if (deep === -1) return false;
  const before = text.slice(0, deep).split('\n');
  const last = before[before.length - 1]!.length;
  report.error({
    code: 'bad-yaml',
    message: 'brackets are nested more than 500 deep here',
    line: at.line + before.length - 1,
    column: before.length === 1 ? at.column + last : last + 1,
    help: 'a value of a plan is a text, a list of texts, or a map of names',
  });
  return true;
}

/**
 * The first entry that is too many. Only for plain YAML: there each line that stands as far right as the one above is one more of the
 * same list or map, but for the lines of a literal block.
 */
export function findTooMany(text: string, at: Place): Place | null {
  /** How many stand so far right, since one stood further left. */
  const counts = new Map<number, number>();
  let above = -1;
  /** Lines further right than this are a text. */
  let inBlock = Number.MAX_SAFE_INTEGER;
  for (const { start, end, line } of linesOf(text, at.line)) {
    let from = start;
    while (text[from] === ' ') from++;
    const indent = from - start;
    if (from >= end || text[from] === '#' || indent > inBlock) continue;
    inBlock = opensBlock(text, end) ? indent : Number.MAX_SAFE_INTEGER;
    if (indent < above) for (const deeper of counts.keys()) if (deeper > indent) counts.delete(deeper);
    above = indent;
    const count = (counts.get(indent) ?? 0) + 1;
    if (count > mostTasks) return { line, column: indent + 1 };
    counts.set(indent, count);
  }
  return null;
}

/** `|`, `|-`, `>2`: wherever a line ends like that, those below it are not counted. */
function opensBlock(text: string, end: number): boolean {
  let last = end - 1;
  while (last > 0 && ' +-0123456789'.includes(text[last]!)) last--;
  return text[last] === '|' || text[last] === '>';
}

interface TextLine {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

function* linesOf(text: string, firstLine: number): Generator<TextLine> {
  let line = firstLine;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield { start, end, line };
    start = end + 1;
  }
}
