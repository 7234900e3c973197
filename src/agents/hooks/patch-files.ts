// The files of a patch in the form of Codex (`*** Begin Patch`), which other programs understand too. Codex takes a patch out of a shell
// command and applies it itself: its hooks then hear of a shell command that never ends.
import { isAbsolute, join } from 'node:path';
import { listOf, textOf } from '../stream/json-lines.ts';

/** A patch names all its files, each in a line of its own. Only in an update may such a line be a part of a file: after a space. */
export function filesOfPatch(patch: unknown): string[] {
  const text = textOf(patch) || listOf(patch).map(textOf).join('\n');
  const files: string[] = [];
  let isUpdate = false;
  for (const line of text.split('\n')) {
    const told: string = isUpdate ? line.trimEnd() : line.trim();
    const [, what, file] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(told) ?? [];
    if (file !== undefined) files.push(file.trim());
    if (what !== undefined) isUpdate = what === 'Update File' || what === 'Move to';
  }
  return files;
}

/** The files of a patch that a shell command hands to `apply_patch`; null: it has none. */
export function filesOfPatchCommand(command: unknown): string[] | null {
  const text = textOf(command);
  if (!/(?<![\w./-])apply_?patch(?![\w-])/.test(text)) return null;
  const files = filesOfPatch(text);
  if (files.length === 0) return null;
  const [, raw, quoted, plain] = /^\s*cd\s+(?:'([^']+)'|"([^"]+)"|([^\s'";&|<>]+))\s*(?:&&|;)/.exec(text) ?? [];
  const folder = raw ?? quoted ?? plain ?? '';
  return files.map((file) => (isAbsolute(file) ? file : join(folder, file)));
}
