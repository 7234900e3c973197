// Numbers and lists in sentences: "1 task", "2,000 tasks", "a, b and 3 more".

export const countWords = (count: number, one: string, many = `${one}s`): string =>
  `${numberWords(count)} ${count === 1 ? one : many}`;

/** By hand: the first call of the method for it takes 8 ms. */
export const numberWords = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export function listWords(words: readonly string[], most = 5): string {
  const shown = words.length > most + 1 ? words.slice(0, most) : words;
  const hidden = words.length - shown.length;
  const all = hidden > 0 ? [...shown, `${numberWords(hidden)} more`] : shown;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
