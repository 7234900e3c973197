// The YAML between two `---` lines at the top of a markdown plan. Its mistakes carry the lines of the whole file.

import type { Report } from '../../diagnostics/report.ts';
import type { TopKeys } from '../raw-plan.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { readTop } from '../yaml/read-top.ts';
import { describeNode, entriesOf } from '../yaml/yaml-node.ts';

export interface FrontMatter {
  readonly top: TopKeys;
  /** Where the rest starts: offset and line. */
  readonly next: number;
  readonly line: number;
}

export function readFrontMatter(text: string, report: Report): FrontMatter {
  const none = { top: { defaults: {} }, next: 0, line: 1 };
  if (!/^---[ \t]*(\n|$)/.test(text)) {
    tellOtherForm(text.slice(0, 2_000), report);
    return none;
  }
  const start = text.indexOf('\n') + 1;
  const close = start === 0 ? null : findClose(text, start);
  if (close === null) {
    const message = 'the front matter that starts here is never closed';
    report.error({
      code: 'unclosed-front-matter',
      message,
      line: 1,
      column: 1,
      length: 3,
      help: 'end it with a line `---`',
    });
    return none;
  }
  return { top: readYamlTop(text.slice(start, close.from), report), next: close.next, line: close.line + 1 };
}

/** What would be prose, and is surely meant as front matter: behind empty lines, or in TOML. */
function tellOtherForm(start: string, report: Report): void {
  const late = /^\s*\n(?=---[ \t]*\n(?:[ \t]*(?:#.*)?\n)*[a-z][\w-]*:(?:[ \t].*)?\n(?:.*\n)*?---[ \t]*(?:\n|$))/.exec(
    start,
  );
  const toml = /^\+\+\+[ \t]*\n/.test(start);
  if (!late && !toml) return;
  const before = late ? late[0] : '';
  report.error({
    code: 'misplaced-front-matter',
    message: late ? 'front matter starts in the first line of a file' : 'front matter is YAML, between two lines `---`',
    line: before.split('\n').length,
    column: 1,
    length: 3,
    help: late
      ? 'take out the empty lines before it'
      : 'write `max-parallel: 4` between two lines `---`, not `max-parallel = 4` between `+++`',
  });
}

function readYamlTop(text: string, report: Report): TopKeys {
  const node = parseYaml(text, { line: 2, column: 1 }, report);
  if (node === null) return { defaults: {} };
  if (node.kind !== 'map') {
    const message = `front matter is a map of keys, not ${describeNode(node)}`;
    const help = 'a key ends with a colon and a space: `max-parallel: 4`';
    report.error({ code: 'bad-yaml', message, line: node.line, column: node.column, help });
    return { defaults: {} };
  }
  return readTop(entriesOf(node, report), report, (_, { key }) => {
    const message = 'tasks of a markdown plan are boxes, not a key of its front matter';
    const help =
      'write each as `- [ ] id: title` below the front matter, or the whole plan in a file that ends with `.yaml`';
    const { line, column, text } = key;
    report.error({ code: 'misplaced-key', message, line, column, length: text.length, help });
  });
}

/** The line that ends it: its number, its start, and where the next one starts. */
function findClose(text: string, start: number): { line: number; from: number; next: number } | null {
  let line = 2;
  for (let from = start; from <= text.length; line++) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const content = text.slice(from, Math.min(end, from + 80)).trimEnd();
    if (content === '---' || content === '...') return { line, from, next: end + 1 };
    from = end + 1;
    if (newline < 0) break;
  }
  return null;
}
