// A section that is put at the end of somebody's text, and cut out again wherever it stands by then.

/** What is inserted: the section with the line ends of the text, and an empty line before it. */
export function sectionFor(before: string, lines: readonly string[]): string {
  const end = /^[^\n]*\r\n/.test(before) ? '\r\n' : '\n';
  const gap = before === '' || /(?:^|\n)\r?\n$/.test(before) ? '' : before.endsWith('\n') ? end : end + end;
  return `${gap}${lines.join(end)}${end}`;
}

/** The text without what was inserted; null: it is not there as it was. The space around it may have changed. */
export function cutSection(text: string, inserted: string): string | null {
  // Two line ends before it: the last line of the text had none.
  const at = /^(?:\r?\n){2}/.test(inserted) ? text.lastIndexOf(inserted) : startOf(text, inserted);
  if (at >= 0) return text.slice(0, at) + text.slice(at + inserted.length);
  const body = inserted.trimStart();
  const alone = startOf(text, body);
  if (alone >= 0) return text.slice(0, alone) + text.slice(alone + body.length);
  const bare = body.trimEnd();
  const last = text.length - bare.length;
  return startOf(text, bare) === last && last >= 0 ? text.slice(0, last) : null;
}

/** The section, or the beginning of it, is still there, however it was changed. */
export function hasRemains(text: string, inserted: string): boolean {
  const first = inserted.trimStart().split(/\r?\n/, 1)[0];
  return text.split(/\r?\n/).some((line) => line === first);
}

/** Where a line begins with this, from the end; -1: none does. */
function startOf(text: string, body: string): number {
  for (let at = text.lastIndexOf(body); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(body, at - 1)) {
    if (at === 0 || text[at - 1] === '\n') return at;
  }
  return -1;
}
