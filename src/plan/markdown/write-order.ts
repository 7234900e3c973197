// `order:` in the front matter of a markdown plan, for what the form it was in has said before.

/** Null when its front matter says one already. */
export function withOrder(text: string, order: string): string | null {
  const match = /^---[ \t]*\n([\s\S]*?\n|)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text);
  if (match === null) return `---\norder: ${order}\n---\n${text}`;
  const keys = match[1]!;
  if (/^["']?order["']?\s*:/m.test(keys)) return null;
  const start = text.indexOf('\n') + 1;
  // Keys of one map in braces have no line that another could be added to.
  return `${text.slice(0, start)}${keys}order: ${order}\n${text.slice(start + keys.length)}`;
}
