// What its author surely meant as needs, in a spelling that is none: titles that end with `--> a` or `⇒ a`, that hold `(needs a)` or
// `[after Task 1]`, and lines such as `needs a` under a task. Only where what is named looks like tasks; anything else is text.
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { NearlyNeed, RawPlan, RawTask } from '../read/raw-plan.ts';
import { slugOf } from './ids.ts';
import { filler } from './resolve-needs.ts';

/** An arrow stands free on one side at least, or it is part of a word. */
const arrowTail =
  /(?:(?<=\s)(?<sign>[<-]?[-–—=~]+>|<[-=]+|[←⇐⟵⇒⟶⟹➜➔➝➞➡→↦]\ufe0f?)|(?<glued>[-–—=~]+>|<[-=]+|[←⇐⟵⇒⟶⟹➜➔➝➞➡→↦]\ufe0f?)(?=\s))\s*(?<ids>[^`<>]+)$/u;
const needWord = 'needs|depends(?:[ _-]on)?|dependencies|dependency|deps?|after|requires|blocked(?:[ _-]by)?|prefers';
/** In parentheses a colon has made it a need already. */
const bracketed = new RegExp(
  `(?:\\((?<word>${needWord})\\s+|[[{](?<boxed>${needWord})(?::\\s*|\\s+))(?<ids>[^()[\\]{}\`:]+)[)\\]}]`,
  'iu',
);
/** Behind a dash or a comma, to the end. */
const trailing = new RegExp(`(?:\\s[-–—]+|[,;])\\s+(?<word>${needWord})(?::\\s*|\\s+)(?<ids>[^()\`:]+)$`, 'iu');

/** Nearly every plan has none of these signs, and no title of it is looked at. */
const anySign = new RegExp(
  `[-~=–—]>|<[-=]|[←⇐⟵⇒⟶⟹➜➔➝➞➡↦]|[([{](?:${needWord})[\\s:]|[-–—,;]\\s+(?:${needWord})[\\s:]`,
  'iu',
);

export function tellNearlyNeeds({ tasks, nearly = [] }: RawPlan, text: string, report: Report): void {
  const mayHaveAny = anySign.test(text);
  if (nearly.length === 0 && !mayHaveAny) return;
  const known = namesOf(tasks);
  for (const line of nearly) {
    const ids = needsIn(line.ids, known);
    if (ids) tellLine(line, ids, report);
    else if (line.otherwise) report.warning(line.otherwise);
  }
  if (!mayHaveAny) return;
  for (const task of tasks) {
    const { title } = task;
    if (title.length > 2_000) continue;
    const found = bracketed.exec(title) ?? trailing.exec(title) ?? arrowTail.exec(title);
    if (found === null) continue;
    const { ids } = found.groups!;
    const word = wordOf(found);
    const named = word ? needsIn(ids!, known) : onlyOthers(wordsOf(ids!), task, known);
    if (named) tellTitle(task, found, named, report);
  }
}

const wordOf = ({ groups }: RegExpExecArray): string | undefined => groups!.word ?? groups!.boxed;

type Names = ReadonlyMap<string, string>;

/** The id of each task, by the id itself and by its title: without an id the title makes one. */
function namesOf(tasks: readonly RawTask[]): Names {
  const known = new Map<string, string>();
  for (const { id, title } of tasks) {
    if (id !== null) known.set(id.normalize('NFC'), id.normalize('NFC'));
    else for (const name of [slugOf(title), title.toLowerCase()]) known.set(name, slugOf(title));
  }
  return known;
}

/** Without what people write between ids. */
const wordsOf = (list: string): string[] =>
  list.split(/[\s,;&]+/).filter((word) => word !== '' && !filler.has(word.toLowerCase()));

/** An arrow says less than a word: it counts only before ids, and before none of its own. */
const onlyOthers = (words: string[], { id }: RawTask, known: Names): string[] | null =>
  words.length > 0 && words.every((word) => word !== id && known.get(word) === word) ? words : null;

/** Numbers, and `Task` in front of one. */
const numbered = /^(?:(?:tasks?\s+)?#?\d+(?:\.\d+)*(?:\s*[-–]\s*\d+(?:\.\d+)*)?|tasks?\s+\S*\d\S*)$/i;

/**
 * The ids, when it is nearly sure that tasks are named: every word is one; or all of it are single words, and one is a task or all have
 * the shape of ids.
 */
function needsIn(list: string, known: Names): string[] | null {
  const plain = list.replace(/\.$/, '').trim().normalize('NFC');
  const words = wordsOf(plain);
  if (words.length === 0) return null;
  const idOf = (name: string) => known.get(name) ?? known.get(name.replace(/^\W+|\W+$/g, ''));
  if (words.every(idOf)) return words.map((word) => idOf(word)!);
  const parts = plain.split(/[,;&]|\band\b/).map((part) => part.trim());
  if (parts.every((part) => known.has(part.toLowerCase()))) return parts.map((part) => known.get(part.toLowerCase())!);
  const isId = (part: string) => numbered.test(part) || hasShape(part, known);
  const isSingle = (part: string) => /^(?:tasks?\s+)?\S+$/i.test(part);
  return parts.every(isId) || (parts.every(isSingle) && words.some(idOf)) ? words : null;
}

/** `T009` where there is a `T001`, `ABC-7` where there is an `ABC-1`. */
function hasShape(word: string, known: Names): boolean {
  const letters = /^([A-Z][A-Z0-9]*-|T)\d+$/.exec(word)?.[1];
  if (letters === undefined) return false;
  for (const id of known.keys()) if (id.startsWith(letters) && /^\d+$/.test(id.slice(letters.length))) return true;
  return false;
}

const line = new RegExp(`^[*_]*(${needWord})(?:[*_]*:[*_]*)?[ \\t]+([^\\s:\`][^:\`]*)$`, 'i');

/** A line under a task that would set a key if it were an item with a colon. */
export function readNearlyNeed(text: string, at: Place): NearlyNeed | null {
  const match = text.length > 300 ? null : line.exec(text);
  return match ? { ...at, text, word: match[1]!, ids: match[2]! } : null;
}

function tellLine({ line, column, text, word }: NearlyNeed, ids: readonly string[], report: Report): void {
  report.error({
    code: 'nearly-need',
    message: `${quoted(text)} is prose, and no need`,
    line,
    column,
    length: text.length,
    help: `write \`- ${/^prefers/i.test(word) ? 'prefers' : 'needs'}: ${ids.join(', ')}\`, with a colon`,
  });
}

function tellTitle({ line, column }: RawTask, found: RegExpExecArray, named: string[], report: Report): void {
  const { sign, glued } = found.groups!;
  const word = wordOf(found);
  const [tail] = found;
  const isSoft = word?.toLowerCase() === 'prefers' || (sign ?? glued ?? '').includes('~');
  const at = report.lineAt(line).indexOf(tail, column - 1);
  const first = tail.search(/\S/);
  report.error({
    code: 'nearly-need',
    message: `${quoted(tail.trim())} is part of the title, and no need`,
    line,
    column: at < 0 ? column : at + first + 1,
    length: at < 0 ? 1 : tail.trim().length,
    help:
      word === undefined
        ? `write \`${isSoft ? '~>' : '→'} ${named.join(', ')}\` with a space before it; an arrow that is text goes in backticks`
        : `write \`(${isSoft ? 'prefers' : 'needs'}: ${named.join(', ')})\`, with a colon`,
  });
}
