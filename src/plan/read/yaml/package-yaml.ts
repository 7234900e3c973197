// The whole language, through the `yaml` package: its tree becomes nodes with places, and its errors become mistakes in words
// that help. Aliases are bounded, so that a few lines cannot become a billion.
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
import type { Place, Report } from '../../diagnostics/report.ts';
import { tooDeep, yamlMistakes } from './yaml-mistake.ts';
import type { YamlEntry, YamlNode, YamlText } from './yaml-node.ts';

/** Takes about ten times as long as the plain reader. `at` is where the text starts in the file. Null as in `parseYaml`. */
export function parseByPackage(text: string, at: Place, report: Report): YamlNode | null {
  const lines = new LineCounter();
  try {
    const beginning = wrongFromTheStart(text, lines);
    const document = beginning ?? callPackage(text, lines);
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

/** A long file with nothing right in it is answered by its beginning. */
export const beginningLength = 50_000;

function wrongFromTheStart(text: string, lines: LineCounter): Document.Parsed | null {
  if (text.length < 3 * beginningLength) return null;
  const document = callPackage(text.slice(0, beginningLength), lines);
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

function callPackage(text: string, lines: LineCounter): Document.Parsed {
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
export function complainAt(report: Report, { line, column }: Place, message: string, help: string): void {
  const most = report.lineAt(line).length + 1;
  report.error({ code: 'bad-yaml', message, line, column: Math.min(column, most), help });
}
