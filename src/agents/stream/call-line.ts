// A call of a tool in one line: the tool, and of what it was given the part that tells most. Pure.
import { plainLine } from '../sanitize-terminal.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json-lines.ts';

/** Names of arguments, most telling first. Agents call the same thing by different names. */
const telling = [
  ...['command', 'cmd', 'file_path', 'filePath', 'notebook_path', 'absolute_path', 'pattern', 'query', 'url'],
  ...['path', 'dir_path', 'description', 'skill', 'name', 'prompt'],
];
/** Where a pattern is looked for. */
const places = ['path', 'dir_path', 'include'];

/** Long enough to tell; nobody reads on. An argument may be a whole file. */
const mostRead = 2_000;

/** @param root the workspace: paths in it are shown from there. */
export function callLine(tool: string, input: unknown, root: string, most = 120): string {
  const what = shortPaths(argumentOf(input).slice(0, mostRead), root);
  return cutLine(plainLine(`${tool} ${withoutShell(what)}`), most);
}

/** Paths in the workspace begin at its root. */
export function shortPaths(text: string, root: string): string {
  if (root === '' || root === '/') return text;
  return text.replaceAll(`${root}/`, (found, at: number) => (/[\w./-]/.test(text[at - 1] ?? '') ? found : ''));
}

/** At most that many characters; one that is cut ends with `…`. */
export function cutLine(line: string, most: number): string {
  if (line.length <= most) return line;
  const kept = line.slice(0, most - 1);
  // Not in the middle of a character.
  return `${(/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept).trimEnd()}…`;
}

function argumentOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (Array.isArray(input)) return input.slice(0, mostRead).map(nameOf).filter(Boolean).join(', ');
  const fields = fieldsOf(input);
  if (fields === null) return '';
  for (const name of telling) {
    const text = wordsOf(fields[name]);
    if (text !== '') return name === 'pattern' ? text + placeOf(fields) : text;
  }
  return Object.values(fields).map(textOf).find(Boolean) ?? '';
}

/** One of several files of a patch. */
const nameOf = (value: unknown): string => textOf(value) || textOf(fieldsOf(value)?.path);

/** A command may come as a list of words. */
const wordsOf = (value: unknown): string => textOf(value) || listOf(value).map(textOf).join(' ');

function placeOf(fields: Fields): string {
  const place = places.map((name) => textOf(fields[name])).find(Boolean);
  return place === undefined ? '' : ` in ${place}`;
}

/** Codex names the shell around each command. */
function withoutShell(command: string): string {
  const [, quote, inner] = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c (['"])([\s\S]*)\1$/.exec(command) ?? [];
  if (inner === undefined) return command;
  return quote === "'" ? inner.replaceAll("'\\''", "'") : inner.replace(/\\(["\\$`])/g, '$1');
}
