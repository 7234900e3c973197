// Rewrites a YAML plan with one indentation and one manner of lists and maps. Order, comments, anchors and blocks stay as
// the author wrote them: the package keeps them, and every scalar keeps its own text.
import { isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import { parsePlainYaml } from './plain-yaml.ts';

/** Null when it cannot be written. `text` is a plan without mistakes. */
export function formatYaml(text: string): string | null {
  let before = text;
  // The package moves some comments in two steps.
  for (let step = 0; step < 4; step++) {
    const written = rewrite(before);
    if (written === null || written === before || isSettled(written)) return written;
    before = written;
  }
  return before;
}

/** Without comments and blocks that keep their line ends, the package writes the same again: no need to wait for it. */
const isSettled = (text: string): boolean =>
  !text.includes('#') && parsePlainYaml(text, { line: 1, column: 1 }) !== 'unusual';

function rewrite(text: string): string | null {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  if (document.errors.length > 0 || document.contents === null) return null;
  visit(document, { Map: (_, map) => giveBackComments(map, text) });
  return `${document.toString({ lineWidth: 0, indent: 2 }).trimEnd()}\n`;
}

/** The package takes a comment on the line below `key:` for one about that key, when there is no value: it is the next one's. */
function giveBackComments(map: YAMLMap, text: string): void {
  map.items.forEach(({ value }, i) => {
    const next = map.items[i + 1]?.key;
    if (!isScalar(value) || value.value !== '' || !value.comment || !value.range || !isScalar(next)) return;
    if (text.slice(value.range[0], text.indexOf('\n', value.range[0])).includes('#')) return;
    next.commentBefore = value.comment;
    next.spaceBefore = false;
    value.comment = null;
  });
}
