// A difference in the unified form, as text, taken apart into its files. Lines of a file are told from heads by the counts of each part,
// so a file may have any text.

export interface PatchFile {
  readonly path: string;
  readonly was: 'new' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** From the first `@@` on; empty: none. */
  readonly lines: string;
}

const gitHead = /^diff --git (?:"?)a\/(.*?)(?:"?) "?b\/.*$/;
const part = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

export function readPatch(text: string): PatchFile[] {
  const files: { -readonly [Key in keyof PatchFile]: PatchFile[Key] }[] = [];
  /** Of git, whose `---` and `+++` belong to the head before them. */
  let isOfGit = false;
  let [old, now] = [0, 0];
  const begin = (path: string) => files.push({ path, was: 'changed', added: 0, removed: 0, lines: '' });
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const file = files.at(-1);
    if (file && (old > 0 || now > 0 || (line.startsWith('\\') && file.lines !== ''))) {
      if (line.startsWith('+')) file.added++;
      else if (line.startsWith('-')) file.removed++;
      if (!line.startsWith('\\'))
        [old, now] = [old - Number(!line.startsWith('+')), now - Number(!line.startsWith('-'))];
      file.lines += `${line}\n`;
      continue;
    }
    const found = part.exec(line);
    const name = gitHead.exec(line)?.[1];
    if (found && file) {
      [old, now] = [Number(found[1] ?? 1), Number(found[2] ?? 1)];
      file.lines += `${line}\n`;
    } else if (name !== undefined) {
      begin(name);
      isOfGit = true;
    } else if (line.startsWith('--- ') && !(isOfGit && file?.lines === '')) {
      begin(line.slice(4).replace(/ \([^()]*\)$/, ''));
      isOfGit = false;
      if (line.endsWith(' (not there)')) files.at(-1)!.was = 'new';
    } else if (file && /^new file mode/.test(line)) file.was = 'new';
    else if (file && (/^deleted file mode/.test(line) || (!isOfGit && /^\+\+\+ .* \(not there\)$/.test(line))))
      file.was = 'deleted';
  }
  return files;
}
