// YAML text → nodes with their places. The plain reader takes most plans; everything else goes through the `yaml` package,
// which also finds the syntax errors.
import type { Place, Report } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';
import { beginningLength, complainAt, parseByPackage } from './package-yaml.ts';
import { parsePlainYaml, TooMany } from './plain-yaml.ts';
import { findTooMany, isForPlainReader, isVeryLong, tellLongLine, tellTooDeep } from './yaml-limits.ts';
import { tabAsIndent } from './yaml-mistake.ts';
import type { YamlNode } from './yaml-node.ts';

/** `at` is where the text starts in the file. Null when there is nothing in it, or after an error. */
export function parseYaml(text: string, at: Place, report: Report): YamlNode | null {
  if (tellLongLine(text, at, report) || tellTooDeep(text, at, report)) return null;
  const tooMany = isVeryLong(text) && isPlainAtFirst(text, at) ? findTooMany(text, at) : null;
  if (tooMany) return tellTooMany(tooMany, report);
  try {
    const plain = parsePlainYaml(text, at);
    if ('node' in plain) return plain.node;
    if (!isForPlainReader(text)) return parseByPackage(text, at, report);
    return tellNotPlain(text, at, plain.unusualLine, report);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return tellTooMany(error.place, report);
  }
}

/** What is no YAML, or another part of it, is to be called that, however much of it there is. */
function isPlainAtFirst(text: string, at: Place): boolean {
  return 'node' in parsePlainYaml(text.slice(0, text.lastIndexOf('\n', beginningLength) + 1), at);
}

function tellTooMany({ line, column }: Place, report: Report): null {
  report.error({
    code: 'too-many-tasks',
    message: `this is number ${mostTasks + 1} of one list or map; a plan has ${mostTasks} tasks at most`,
    line,
    column,
    help: 'split the plan into several files, and run one after the other',
  });
  return null;
}

/** Everything above this line is plain, so the mistake is here, if it is one. A tab further down is one whatever stands here. */
function tellNotPlain(text: string, at: Place, line: number, report: Report): null {
  const tabbed = lineWithTab(text, at, line);
  if (tabbed !== line) complainAt(report, { line, column: firstColumn(report, line) }, ...notPlain);
  if (tabbed !== null) complainAt(report, { line: tabbed, column: firstColumn(report, tabbed) }, ...tabAsIndent);
  return null;
}

const firstColumn = (report: Report, line: number): number => report.lineAt(line).search(/[^ ]|$/) + 1;

/** The first line, from this one on, that is indented with a tab; null: none is. */
function lineWithTab(text: string, at: Place, from: number): number | null {
  let line = at.line;
  for (let start = 0; start !== -1; line++) {
    if (line >= from && startsWithTab(text, start)) return line;
    start = text.indexOf('\n', start) + 1 || -1;
  }
  return null;
}

const tabbed = / *\t[\t ]*[^\s#]/y;

function startsWithTab(text: string, start: number): boolean {
  tabbed.lastIndex = start;
  return tabbed.test(text);
}

const notPlain: readonly [message: string, help: string] = [
  'from here on this is not plain YAML, and the file is too large to be read as anything else',
  'close every quote and bracket in its line, write long texts with `|`, and take out `>`, values that go on in the next line, tabs, anchors and tags; up to 4 MB and about 200,000 lines any YAML is read',
];
