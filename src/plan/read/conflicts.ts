// The marks that git leaves in a file with a conflict. Both sides are in the file then, and whatever else could be said about
// it is only a consequence.
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';

const marks = /^(?:[ \t]*(?:`{3,}|~{3,})|(<{7}|>{7}|={7}|\|{7})(?:[ \t](.*))?$)/gm;

/** More than anybody takes out by hand. */
const mostMarks = 100_000;

interface Open {
  readonly line: number;
  readonly side: string;
  /** Where what both sides had before starts, if it is there. */
  base: number;
  /** Where the other side starts. */
  middle: number;
}

/** One error for each conflict. Those in a block of code of a markdown file are an example of one. */
export function tellConflicts(text: string, report: Report): void {
  // Nearly no text has one, and the pattern looks at the start of every line.
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return;
  if (!/^(?:<{7}|>{7})[ \t\n]/m.test(text)) return;
  const hasBlocks = /\.(?:md|markdown)$/i.test(report.file);
  let inBlock = false;
  let open: Open | null = null;
  let seen = 0;
  for (const match of text.matchAll(marks)) {
    // A hundred are told; nobody counts the others of a file that is nothing but marks.
    if (report.failed && ++seen > mostMarks) {
      report.stopCounting();
      return;
    }
    const [, mark, name = ''] = match;
    if (mark === undefined) inBlock = hasBlocks && !inBlock;
    else if (!inBlock) open = step(mark, name.trim(), report.placeOf(match.index).line, open, report);
  }
  if (open) loose('<<<<<<<', open.line, report);
}

function step(mark: string, name: string, line: number, open: Open | null, report: Report): Open | null {
  if (mark.startsWith('<')) {
    if (open) loose(mark, open.line, report);
    return { line, side: name, base: 0, middle: 0 };
  }
  if (mark.startsWith('|')) {
    if (open && open.middle === 0) open.base = line;
    return open;
  }
  if (mark.startsWith('=')) {
    if (open && open.middle === 0) open.middle = line;
    return open;
  }
  if (open && open.middle > 0) conflict(open, name, line, report);
  else loose(mark, line, report);
  return null;
}

function conflict({ line, side, base, middle }: Open, other: string, end: number, report: Report): void {
  const name = (text: string, fallback: string) => (text === '' ? fallback : quoted(text));
  const sides = `${name(side, 'one side')} (${lines(line, base || middle)}) and ${name(other, 'the other')} (${lines(middle, end)})`;
  report.error({
    code: 'merge-conflict',
    message: `git left a conflict between ${sides}`,
    line,
    column: 1,
    length: 7,
    help: `keep one side, or make one of both, and take out the marks in lines ${line}, ${base > 0 ? `${base}, ` : ''}${middle} and ${end}${base > 0 ? ', with what both had before' : ''}`,
  });
}

/** What stands between two marks. */
function lines(before: number, behind: number): string {
  const from = before + 1;
  const to = behind - 1;
  if (from > to) return 'nothing';
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}

function loose(mark: string, line: number, report: Report): void {
  report.error({
    code: 'merge-conflict',
    message: `${quoted(mark)} is a mark of a conflict that git left`,
    line,
    column: 1,
    length: 7,
    help: 'take the line out, and look whether both sides of the conflict are still in the file',
  });
}
