// What a repository tells Claude Code. The program reads these files itself only together with the repository's settings, whose hooks would
// run; so they are gathered here as the program would do it. A repository may be hostile: what is read is bounded, and lies in its tree.
import { existsSync, opendirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { beginningOf } from '../../config/plain-file.ts';
import { importsIn, parsedInstructions } from './instruction-text.ts';

/** Of all files together. */
const mostBytes = 200_000;
const mostFiles = 200;
/** Imports and entries of folders, whether or not they are files. */
const mostNames = 2_000;
/** As deep as the program follows them. */
const deepestImport = 4;
const deepestRules = 5;

/** Empty: it tells nothing. AGENTS.md counts where none of the program's own files says anything; rules are none of them. */
export function claudeInstructions(tree: string): string {
  if (!existsSync(tree)) return '';
  const gathering = new Gathering(realpathSync(tree));
  const own = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'].map((name) => gathering.take(name));
  if (!own.includes(true)) gathering.take('AGENTS.md');
  gathering.takeRules('.claude/rules');
  return gathering.text();
}

class Gathering {
  /** Without links. */
  readonly #tree: string;
  readonly #seen = new Set<string>();
  readonly #parts: string[] = [];
  #bytes = mostBytes;
  #names = mostNames;
  /** The first that was not read, or not to its end, because it is too much; null: nothing. */
  #cut: string | null = null;

  constructor(tree: string) {
    this.#tree = tree;
  }

  /** Empty: nothing was found. */
  text(): string {
    if (this.#parts.length === 0) return '';
    const cut =
      this.#cut === null ? [] : [`(Cut: there are more instructions than fit. Read on yourself from ${this.#cut}.)`];
    return `${[lead, ...this.#parts, ...cut, below].join('\n\n')}\n`;
  }

  /** A file and what it imports; false: it says nothing. @param name from the tree, or absolute */
  take(name: string, depth = 0): boolean {
    const file = this.#inTree(name);
    if (file === null || this.#seen.has(file)) return false;
    this.#seen.add(file);
    if (this.#bytes === 0 || this.#seen.size > mostFiles) this.#cut ??= this.#called(file);
    const read = this.#cut === null ? readBounded(file, this.#bytes) : null;
    if (read === null) return false;
    this.#bytes -= read.bytes;
    if (read.isCut) this.#cut = this.#called(file);
    const { body, paths } = parsedInstructions(read.text);
    const which = paths === '' ? '' : ` (only for files that match ${paths})`;
    const says = body.trim() !== '';
    if (says) this.#parts.push(`Contents of ${this.#called(file)}${which}:\n\n${body.trim()}`);
    if (depth < deepestImport) for (const path of importsIn(body)) this.take(resolve(dirname(file), path), depth + 1);
    return says;
  }

  /** All of them, also in folders below, in the order of their names. */
  takeRules(name: string, depth = 0): void {
    const folder = this.#inTree(name);
    if (folder === null || depth > deepestRules) return;
    for (const { path, isFolder } of this.#entriesOf(folder))
      if (isFolder) this.takeRules(path, depth + 1);
      else if (path.endsWith('.md')) this.take(path);
  }

  #entriesOf(folder: string): { readonly path: string; readonly isFolder: boolean }[] {
    const found: { path: string; isFolder: boolean }[] = [];
    try {
      const open = opendirSync(folder);
      for (let entry = open.readSync(); entry !== null && this.#mayLook(folder); entry = open.readSync())
        found.push({ path: join(folder, entry.name), isFolder: entry.isDirectory() });
      open.closeSync();
    } catch {
      return []; // it is no folder
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Names cost time even where nothing is behind them. */
  #mayLook(name: string): boolean {
    if (this.#names === 0) this.#cut ??= this.#called(name);
    else this.#names--;
    return this.#cut === null;
  }

  /** Where it lies really; null: nowhere, or outside. */
  #inTree(name: string): string | null {
    const path = resolve(this.#tree, name);
    if (!this.#mayLook(path)) return null;
    try {
      const file = realpathSync(path);
      return file.startsWith(this.#tree + sep) ? file : null;
    } catch {
      return null;
    }
  }

  #called(file: string): string {
    return relative(this.#tree, file).split(sep).join('/').replace(/\s+/g, ' ');
  }
}

const lead =
  '# Instructions of this repository\n\nThey count before your usual behaviour. Other files that they name with @ are shown too, if they lie in the repository.';
const below =
  'A folder may have a CLAUDE.md of its own, which is not shown here: read it before you change files there.';

/** Null: it is no file with text. */
function readBounded(file: string, most: number): { text: string; bytes: number; isCut: boolean } | null {
  const read = beginningOf(file, most);
  return read === null || read.text.includes('\0') ? null : { ...read, bytes: Buffer.byteLength(read.text) };
}
