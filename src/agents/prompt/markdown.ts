// The pieces of Markdown that prompts are made of.

/** Text of others between fences that nothing in it can end. */
export function fenced(text: string, kind = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Empty: there is nothing to list. */
export const list = (heading: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`;

/** Paragraphs and sections, without those that do not apply. */
export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');
