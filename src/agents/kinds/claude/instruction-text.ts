// The markdown of instructions for Claude Code, as the program reads it: a head with conditions, comments that nobody is told, and imports.
// Every step is linear in the text, which a hostile repository may have written.

export interface Instructions {
  /** Without head and comments. */
  readonly body: string;
  /** The files that they are about, as the head names them; empty: all. */
  readonly paths: string;
}

export function parsedInstructions(text: string): Instructions {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---') : -1;
  const body = withoutComments(lines.slice(end + 1));
  return { body, paths: end === -1 ? '' : pathsIn(lines.slice(1, end)) };
}

const longestPaths = 500;

/** In one line, whichever way of YAML the list is written in. */
function pathsIn(head: readonly string[]): string {
  const at = head.findIndex((line) => line.startsWith('paths:'));
  if (at === -1) return '';
  const rest = head.slice(at + 1);
  const next = rest.findIndex((line) => /^[^\s#-]/.test(line));
  const items = [head[at]!.slice('paths:'.length), ...rest.slice(0, next === -1 ? rest.length : next)];
  const names = items
    .flatMap((item) => item.replace(/^\s*-\s/, '').split(','))
    .map((name) => name.replace(/[[\]"']/g, '').trim())
    .filter((name) => name !== '');
  const isAll = names.every((name) => name === '**' || name === '**/*');
  return isAll ? '' : names.join(', ').slice(0, longestPaths);
}

/** Those that begin a line outside of code. */
function withoutComments(lines: readonly string[]): string {
  const kept: string[] = [];
  const lastEnd = lines.findLastIndex((line) => line.includes('-->'));
  const fence = new Fence();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (fence.holds(line) || !/^ {0,3}<!--/.test(line) || i > lastEnd) {
      kept.push(line);
      continue;
    }
    while (!lines[i]!.includes('-->')) i++;
    const after = lines[i]!.slice(lines[i]!.indexOf('-->') + 3);
    if (after.trim() !== '') kept.push(after);
  }
  return kept.join('\n');
}

/** The paths behind an `@` at the beginning of a word, outside of code. A blank in a name has a backslash. */
export function importsIn(body: string): string[] {
  const fence = new Fence();
  return body.split('\n').flatMap((line) => {
    if (fence.holds(line)) return [];
    const words = line.replace(/`+[^`]*`+/g, '').matchAll(/(?<=^|\s)@((?:[^\s\\]|\\ )+)/g);
    return [...words].map(([, path]) => path!.replaceAll('\\ ', ' ')).filter((path) => /^[\w./-]/.test(path));
  });
}

/** Knows line by line what is in a block of code. */
class Fence {
  #open = '';

  /** Its own lines belong to it. */
  holds(line: string): boolean {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (this.#open === '') {
      this.#open = mark ?? '';
      return mark !== undefined;
    }
    if (mark?.startsWith(this.#open) && line.trim() === mark) this.#open = '';
    return true;
  }
}
