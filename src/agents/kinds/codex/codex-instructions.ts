// What a person and a repository tell Codex. It reads the files of a repository itself only where it would also run the hooks and MCP
// servers of that repository; so they are gathered here as the program would do it. A repository may be hostile: what is read is bounded, and
// lies in it.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { beginningOf } from '../../config/plain-file.ts';
import { countOf, fieldsOf, listOf, textOf } from '../../stream/json-lines.ts';
import { codexConfig } from './codex-config.ts';

/** The first that is there counts. */
const names = ['AGENTS.override.md', 'AGENTS.md'];
/** Of the files of a repository together, unless the configuration says otherwise: as the program has it. */
const usualBytes = 32 * 1024;
const mostBytes = 1_000_000;

/** Empty: neither says anything. @param theirs the home of Codex that the person has */
export function codexInstructions(theirs: string, tree: string): string {
  const own = names
    .map((name) => beginningOf(join(theirs, name), mostBytes)?.text.trim() ?? '')
    .find((text) => text !== '');
  return [...(own === undefined ? [] : [own]), ...inRepository(theirs, tree)].join('\n\n');
}

/** The folder and those above it, by their real names: the nearest first. */
export function foldersAbove(folder: string): string[] {
  const all = [realName(folder) ?? folder];
  for (let above = dirname(all[0]!); above !== all.at(-1); above = dirname(above)) all.push(above);
  return all;
}

function inRepository(theirs: string, tree: string): string[] {
  const config = codexConfig(theirs);
  const others = listOf(config.project_doc_fallback_filenames).map(textOf);
  const above = foldersAbove(tree);
  // Without a repository only the folder itself counts.
  const top = Math.max(
    0,
    above.findIndex((folder) => existsSync(join(folder, '.git'))),
  );
  const found: string[] = [];
  let left = mostOf(config.project_doc_max_bytes);
  for (const folder of above.slice(0, top + 1).reverse()) {
    const file = [...names, ...others]
      .map((name) => insideOf(above[top]!, join(folder, name)))
      .find((one) => one !== null);
    const read = file == null || left <= 0 ? null : beginningOf(file, left);
    if (read === null || read.text.trim() === '') continue;
    left -= Buffer.byteLength(read.text);
    const name = relative(above[0]!, file!).split(sep).join('/');
    const cut = read.isCut ? [`(Cut: it is longer than fits. Read the rest of ${name} yourself.)`] : [];
    found.push([`# Instructions of this repository: ${name}`, read.text.trim(), ...cut].join('\n\n'));
    if (read.isCut) break;
  }
  return found;
}

/** Numbers are read as their text. */
const mostOf = (set: unknown): number =>
  set === undefined
    ? usualBytes
    : Math.min(mostBytes, countOf(Number(textOf(fieldsOf(set)?.bare).replaceAll('_', ''))));

/** Where it lies really; null: nowhere, or outside of the folder. */
function insideOf(folder: string, file: string): string | null {
  const real = realName(file);
  return real?.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? real : null;
}

function realName(file: string): string | null {
  try {
    return realpathSync.native(file);
  } catch {
    return null;
  }
}
