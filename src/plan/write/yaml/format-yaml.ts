// Rewrites a YAML plan with one indentation and one manner of lists and maps. Order, comments, anchors and blocks stay as
// the author wrote them, and every scalar keeps its own text.
import { isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import { reprintYaml } from './reprint-yaml.ts';

/** From the quickest way to the most general one; the first that says the same is the one. `text` is a plan without mistakes. */
export function* formatYaml(text: string): Generator<string> {
  const plain = reprintYaml(text);
  if (plain !== null) yield plain;
  const general = rewriteByPackage(text);
  if (general === null) return;
  const reprinted = reprintYaml(general);
  if (reprinted !== null) yield reprinted;
  yield general;
}

function rewriteByPackage(text: string): string | null {
  let before = text;
  // The package moves some comments in two steps.
  for (let step = 0; step < 4; step++) {
    const written = rewrite(before);
    if (written === null || written === before) return written;
    before = written;
  }
  return before;
}

function rewrite(text: string): string | null {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  if (document.errors.length > 0 || document.contents === null) return null;
  let canWrite = true;
  const look = (anchor: string | undefined) => {
    if (anchor !== undefined && unwritable.test(anchor)) canWrite = false;
  };
  visit(document, {
    Value: (_, { anchor }) => look(anchor),
    Map: (_, map) => {
      look(map.anchor);
      giveBackComments(map, text);
    },
  });
  if (!canWrite) return null;
  const manner = { lineWidth: 0, indent: 2, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };
  return `${document.toString(manner).trimEnd()}\n`;
}

/** Signs in the name of an anchor that the package reads, and then throws when it has to write them. */
const unwritable = /[\0-\x19\s,[\]{}]/;

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
