// YAML text → nodes with their places. Most plans are plain enough for the fast reader; everything else goes through the
// `yaml` package, which also words the syntax errors. Aliases are bounded, so that a few lines cannot become a billion.
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { mostTasks } from '../limits.ts';
import type { Place, Report } from '../report.ts';
import { lineOfUnusual, parsePlainYaml } from './plain-yaml.ts';
import { TooMany } from './unusual.ts';
import { tooDeep, yamlMistakes } from './yaml-mistake.ts';
import type { YamlEntry, YamlNode, YamlText } from './yaml-node.ts';

/** `at` is where the text starts in the file. Null when there is nothing in it, or after an error. */
/** Nobody nests so deep, and the package would take a second for 100,000 of them. */
function tellTooDeep(text: string, at: Place, report: Report): boolean {
  const deep = text.search(/[[{]{500}/);
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

export function parseYaml(text: string, at: Place, report: Report): YamlNode | null {
  if (text.length > mostUnusual && tellLongLine(text, at, report)) return null;
  if (text.length > 1_000 && tellTooDeep(text, at, report)) return null;
  try {
    if (text.length > mostUnusual && isPlainAtFirst(text, at)) refuseTooMany(text, at);
    const plain = parsePlainYaml(text, at);
    return plain === 'unusual' ? parseAnyYaml(text, at, report) : plain;
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    report.error({
      code: 'too-many-tasks',
      message: `this is number ${mostTasks + 1} of one list or map; a plan has ${mostTasks} tasks at most`,
      line: error.place.line,
      column: error.place.column,
      help: 'split the plan into several files, and run one after the other',
    });
    return null;
  }
}

/** What is no YAML, or another part of it, is to be called that, however much of it there is. */
function isPlainAtFirst(text: string, at: Place): boolean {
  return parsePlainYaml(text.slice(0, text.lastIndexOf('\n', beginningLength) + 1), at) !== 'unusual';
}

/**
 * Before a node is made for each entry. Only in a text that is too large to be read unless it is plain: there each line that stands as
 * far right as the one above is one more of the same list or map, but for the lines of a literal block.
 */
function refuseTooMany(text: string, at: Place): void {
  /** How many stand so far right, since one stood further left. */
  const counts = new Map<number, number>();
  let above = -1;
  /** Lines further right than this are a text. */
  let inBlock = Number.MAX_SAFE_INTEGER;
  let line = at.line;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    let i = start;
    while (text.charCodeAt(i) === 0x20) i++;
    const indent = i - start;
    start = end + 1;
    if (i >= end || text.charCodeAt(i) === 0x23 || indent > inBlock) continue;
    inBlock = opensBlock(text, end) ? indent : Number.MAX_SAFE_INTEGER;
    if (indent < above) for (const deeper of counts.keys()) if (deeper > indent) counts.delete(deeper);
    above = indent;
    const count = (counts.get(indent) ?? 0) + 1;
    if (count > mostTasks) throw new TooMany({ line, column: indent + 1 });
    counts.set(indent, count);
  }
}

/** `|`, `|-`, `>2`: wherever a line ends like that, those below it are not counted. */
function opensBlock(text: string, end: number): boolean {
  let i = end - 1;
  while (i > 0 && isIndicator(text.charCodeAt(i))) i--;
  return text.charCodeAt(i) === 0x7c || text.charCodeAt(i) === 0x3e;
}

const isIndicator = (c: number): boolean => c === 0x20 || c === 0x2b || c === 0x2d || (c >= 0x30 && c <= 0x39);

/** A list in brackets that is as long as a file. */
function tellLongLine(text: string, at: Place, report: Report): boolean {
  let line = at.line;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > mostUnusual) {
      const message = `this line has ${end - start} characters; one of a plan has ${mostUnusual} at most`;
      const help = 'break it into several lines: a list may have one item in each';
      report.error({ code: 'long-line', message, line, column: 1, help });
      return true;
    }
    start = end + 1;
  }
  return false;
}

/** The whole language, at about 25 times the cost. */
export function parseAnyYaml(text: string, at: Place, report: Report): YamlNode | null {
  if (text.length > mostUnusual || countSigns(text) > mostSigns) {
    const line = lineOfUnusual(text, at);
    complainAt(report, { line, column: report.lineAt(line).search(/\S|$/) + 1 }, ...tooLarge);
    return null;
  }
  const lines = new LineCounter();
  try {
    const beginning = wrongFromTheStart(text, lines);
    const document = beginning ?? parseByPackage(text, lines);
    const walk: Walk = { anchors: new Map(), lines, at, report, aliased: 0, inAlias: 0, complaints: 0 };
    for (const { offset, message, help } of yamlMistakes(text, [...document.errors, ...document.warnings]))
      complain(walk, offset, message, help);
    if (beginning) onlyBeginning(walk);
    if (document.errors.length > 0 || document.warnings.length > 0 || document.contents === null) return null;
    const node = convert(walk, document.contents as ParsedNode);
    if (walk.complaints > 0) return null;
    return node.kind === 'text' && node.plain && node.text === '' ? null : node;
  } catch (error) {
    if (error instanceof TooMuch) complainAt(report, error.place, error.message, 'write out what is meant');
    else if (error instanceof RangeError) complainAt(report, at, ...tooDeep);
    else throw error;
    return null;
  }
}

/**
 * The package needs 70 bytes for each character and a second for each million where the text is right, and ten times the
 * time where it is not. A plan that is larger than this keeps to the part of YAML that the fast reader knows.
 */
const mostUnusual = 4_000_000;
/** Each makes a node or two, of a kilobyte. A text of this size has about 200,000 where people wrote it. */
const mostSigns = 400_000;

function countSigns(text: string): number {
  let signs = 0;
  if (text.length < mostSigns) return signs;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || c === 0x2c || c === 0x5b || c === 0x7b || c === 0x3f) signs++;
  }
  return signs;
}

const tooLarge: readonly [message: string, help: string] = [
  'from here on this is not plain YAML, and the file is too large to be read as anything else',
  'close every quote and bracket in its line, and take out tabs, anchors and tags; up to 4 MB and about 200,000 lines any YAML is read',
];

/** A long file with nothing right in it is answered by its beginning. */
const beginningLength = 50_000;

function wrongFromTheStart(text: string, lines: LineCounter): Document.Parsed | null {
  if (text.length < 3 * beginningLength) return null;
  const document = parseByPackage(text.slice(0, beginningLength), lines);
  // What is wrong in the first half does not come from the cut at the end.
  const errors = document.errors.filter(({ pos }) => pos[0] < beginningLength / 2);
  if (errors.length > 0) document.errors = errors;
  else lines.lineStarts.length = 0;
  return errors.length > 0 ? document : null;
}

/** The reader takes ten times as long where nothing is right, so nobody waits for the rest; but nobody may take it for read. */
function onlyBeginning(walk: Walk): void {
  const { line, column } = placeOf(walk, beginningLength / 2);
  walk.report.error({
    code: 'more',
    message: 'the file is long and wrong from its start, so from here on it was not read',
    line,
    column: Math.min(column, walk.report.lineAt(line).length + 1),
    help: 'mend what is wrong above, and check it again',
  });
}

function parseByPackage(text: string, lines: LineCounter): Document.Parsed {
  // It makes an error for each mistake, and what costs most in them is the stack that nobody looks at.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    // Duplicate keys are ours: the package compares every pair, and takes 1.1 and 1.10 for equal.
    return parseDocument(text, { lineCounter: lines, uniqueKeys: false, schema: 'failsafe', prettyErrors: false });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Nodes reached through aliases, each time they are. */
const mostAliased = 10_000;

interface Walk {
  /** The last node of each name so far; the package would look through the whole document for every alias. */
  readonly anchors: Map<string, ParsedNode>;
  readonly lines: LineCounter;
  readonly at: Place;
  readonly report: Report;
  aliased: number;
  inAlias: number;
  complaints: number;
}

class TooMuch extends Error {
  readonly place: Place;
  constructor(place: Place) {
    super('these aliases grow into more than a plan can hold');
    this.place = place;
  }
}

function convert(walk: Walk, node: ParsedNode | null, fallback = 0): YamlNode {
  const offset = node?.range?.[0] ?? fallback;
  const place = placeOf(walk, offset);
  if (walk.inAlias > 0 && ++walk.aliased > mostAliased) throw new TooMuch(place);
  if (node === null) return { kind: 'text', text: '', plain: true, ...place };
  if (isAlias(node)) return convertAlias(walk, node, place);
  keepAnchor(walk, node);
  if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:'))
    complain(walk, offset, 'tags are not read here', 'take the tag out');
  if (isMap(node)) {
    const entries = node.items.map((pair): YamlEntry => {
      const key = keyOf(walk, pair.key as ParsedNode);
      return { key, value: convert(walk, pair.value as ParsedNode | null, offset) };
    });
    return { kind: 'map', entries, ...place };
  }
  if (isSeq(node))
    return { kind: 'list', items: node.items.map((n) => convert(walk, n as ParsedNode, offset)), ...place };
  return textOf(walk, node);
}

function keepAnchor(walk: Walk, node: Exclude<ParsedNode, Alias>): void {
  if (node.anchor !== undefined && walk.inAlias === 0) walk.anchors.set(node.anchor, node);
}

function convertAlias(walk: Walk, { source }: Alias, place: Place): YamlNode {
  const target = walk.anchors.get(source);
  if (target === undefined) {
    walk.complaints++;
    const help = 'put a value that starts with `*` in quotes';
    complainAt(walk.report, place, 'this alias has no anchor before it', help);
    return { kind: 'text', text: '', plain: true, ...place };
  }
  walk.inAlias++;
  const found = convert(walk, target);
  walk.inAlias--;
  return found;
}

function keyOf(walk: Walk, node: ParsedNode): YamlText {
  if (isScalar(node)) {
    keepAnchor(walk, node);
    return textOf(walk, node);
  }
  const place = placeOf(walk, node.range[0]);
  walk.complaints++;
  complainAt(walk.report, place, 'a key must be a plain word', 'put a value that starts with `{` or `[` in quotes');
  return { kind: 'text', text: '', plain: false, ...place };
}

function textOf(walk: Walk, node: ParsedNode): YamlText {
  const scalar = isScalar(node) ? node : null;
  const text = scalar?.source ?? (typeof scalar?.value === 'string' ? scalar.value : '');
  return { kind: 'text', text, plain: scalar?.type === 'PLAIN', ...placeOf(walk, node.range[0]) };
}

function placeOf(walk: Walk, offset: number): Place {
  const { line, col } = walk.lines.linePos(offset);
  const first = line <= 1;
  return { line: walk.at.line + Math.max(0, line - 1), column: Math.max(1, col) + (first ? walk.at.column - 1 : 0) };
}

function complain(walk: Walk, offset: number, message: string, help: string): void {
  walk.complaints++;
  complainAt(walk.report, placeOf(walk, offset), message, help);
}

/** The package counts on in the same line where a scalar of several lines is out of place. */
function complainAt(report: Report, { line, column }: Place, message: string, help: string): void {
  const most = report.lineAt(line).length + 1;
  report.error({ code: 'bad-yaml', message, line, column: Math.min(column, most), help });
}
