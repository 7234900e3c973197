// What its author surely meant as needs, in a spelling that is none: titles that end with `--> a`, `⇒ a` or `after a`, that hold
// `(needs a)`, `_waits for a_` or `[after Task 1]`, and lines such as `needs a` under a task. Only where what is named looks like tasks;
// anything else is text.
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { NearlyNeed, RawPlan, RawTask } from '../read/raw-plan.ts';
import { slugOf } from './ids.ts';
import { filler } from './resolve-needs.ts';

/** An arrow stands free on one side at least, or it is part of a word. */
const arrowTail =
  /(?:(?<=\s)(?<sign>[<-]?[-–—=~]+>|<[-=]+|[←⇐⟵⇒⟶⟹➜➔➝➞➡→↦]\ufe0f?)|(?<glued>[-–—=~]+>|<[-=]+|[←⇐⟵⇒⟶⟹➜➔➝➞➡→↦]\ufe0f?)(?=\s))\s*(?<ids>[^`<>]+)$/u;
/** What also begins plain sentences: it counts only before tasks that exist. */
const softWord =
  'need|require|depends[ _-]?upon|dependent[ _-](?:up)?on|wait(?:s|ing)?[ _-](?:for|on)|prereq(?:uisite)?s?|once|builds?[ _-]on|follow(?:s|ing)';
const hardWord = 'needs|depends(?:[ _-]?on)?|dependencies|dependency|deps?|after|requires|blocked(?:[ _-]?by)?|prefers';
const needWord = `${softWord}|${hardWord}`;
const isSoft = new RegExp(`^(?:${softWord})$`, 'i');
const gap = '(?::\\s*|\\s+)';
/** In parentheses a colon has made most of them needs already. */
const bracketed = new RegExp(
  `(?:[[{]|\\((?!(?:${hardWord}):))(?<word>${needWord})${gap}(?<ids>[^()[\\]{}\`:]+)[)\\]}]`,
  'iu',
);
const emphasized = new RegExp(
  `(?<![\\p{L}\\p{N}*_])(?<mark>[*_]{1,3})(?<word>${needWord})${gap}(?<ids>[^()[\\]{}\`:]{1,100}?)\\k<mark>(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Behind a dash or a comma, to the end. */
const trailing = new RegExp(`(?:\\s[-–—]+|[,;])\\s+(?<word>${needWord})${gap}(?<ids>[^()\`:]+)$`, 'iu');
/** The last such word of the title, to the end: nothing sets it off, so it counts only before ids. */
const plainTail = new RegExp(
  `\\s(?<plain>${needWord})${gap}(?!(?:.*\\s)?(?:${needWord})[\\s:])(?<ids>[^()\`:]+)$`,
  'iu',
);

/** A title full of such words would be searched to its end for each of them. */
const longestTail = 120;

/** Most titles have none of these signs, and are not looked at. */
const anySign = new RegExp(`[-~=–—]>|<[-=]|[←⇐⟵⇒⟶⟹➜➔➝➞➡↦]|[\\s([{*_](?:${needWord})[\\s:]`, 'iu');

export function tellNearlyNeeds({ tasks, nearly = [] }: RawPlan, text: string, report: Report): void {
  const mayHaveAny = anySign.test(text);
  if (nearly.length === 0 && !mayHaveAny) return;
  const known = namesOf(tasks);
  for (const line of nearly) {
    const ids = needsIn(line.word, line.ids, known);
    if (ids) tellLine(line, ids, report);
    else if (line.otherwise) report.warning(line.otherwise);
  }
  if (!mayHaveAny) return;
  for (const task of tasks) {
    const { title } = task;
    if (title.length > 2_000 || !anySign.test(title)) continue;
    for (const form of [bracketed, emphasized, trailing, plainTail, arrowTail]) {
      const found = form.exec(form === plainTail ? title.slice(-longestTail) : title);
      const { word, ids } = found?.groups ?? {};
      if (!found) continue;
      const named = word ? needsIn(word, ids!, known) : onlyOthers(wordsOf(withoutDone(ids!)), task, known);
      if (!named) continue;
      tellTitle(task, found, named, report);
      break;
    }
  }
}

type Names = ReadonlyMap<string, string>;

/** The id of each task, by the id itself and by its title: without an id the title makes one. */
function namesOf(tasks: readonly RawTask[]): Names {
  const known = new Map<string, string>();
  for (const { id, title } of tasks) {
    if (id === null) for (const name of namesIn(title)) known.set(name, slugOf(title));
  }
  for (const { id } of tasks) if (id !== null) known.set(id.normalize('NFC'), id.normalize('NFC'));
  return known;
}

/** `Step 1: Build` is called so in full, and by `step-1-build` and `Step 1`; `001 Build` also by its number. */
function namesIn(title: string): string[] {
  const lower = title.toLowerCase();
  const [, label] = /^([^:]{1,40}\d):\s/.exec(lower) ?? [];
  const [number] = /^#?\d[\d.]*(?=\s)/.exec(lower) ?? [];
  return [slugOf(title), lower, ...(label ? [label] : []), ...(number ? [number] : [])];
}

/** `T001 first`, `T001 is done`. */
const withoutDone = (ids: string): string =>
  ids
    .replace(/[.*_]+$/, '')
    .trim()
    .replace(done, '');
const done =
  /\s+(?:first|beforehand|(?:is|are|has|have)(?: been)? (?:done|completed?|finished|ready|merged|landed|in|green|passed|passing|shipped|over|closed)|completes?|finish(?:es)?|ends?|lands?|pass(?:es)?|succeeds?)$/i;

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
function needsIn(word: string, list: string, known: Names): string[] | null {
  const plain = withoutDone(list).normalize('NFC');
  const words = wordsOf(plain);
  if (words.length === 0) return null;
  const idOf = (name: string) => known.get(name) ?? known.get(name.replace(/^\W+|\W+$/g, ''));
  if (words.every(idOf)) return words.map((word) => idOf(word)!);
  const parts = plain.split(/[,;&]|\band\b/).map((part) => part.trim());
  if (parts.every((part) => known.has(part.toLowerCase()))) return parts.map((part) => known.get(part.toLowerCase())!);
  const isId = (part: string) => (!isSoft.test(word) && numbered.test(part)) || hasShape(part, known);
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
  const { sign, glued, word, plain } = found.groups!;
  const said = word ?? plain;
  const [tail] = found;
  const prefers = said?.toLowerCase() === 'prefers' || (sign ?? glued ?? '').includes('~');
  const at = report.lineAt(line).indexOf(tail, column - 1);
  const first = tail.search(/\S/);
  report.error({
    code: 'nearly-need',
    message: `${quoted(tail.trim())} is part of the title, and no need`,
    line,
    column: at < 0 ? column : at + first + 1,
    length: at < 0 ? 1 : tail.trim().length,
    help:
      said === undefined
        ? `write \`${prefers ? '~>' : '→'} ${named.join(', ')}\` with a space before it; an arrow that is text goes in backticks`
        : `write \`(${prefers ? 'prefers' : 'needs'}: ${named.join(', ')})\`${plain ? '; an id that is text goes in backticks' : ', with a colon'}`,
  });
}
