// The words for "this task waits for": ours and those of other tools, in any of their spellings. Every form of plan reads them from
// here: a word that is a need in one form and nothing in another would start a task too early.

/** As keys are spelled. */
const words: ReadonlyMap<string, 'needs' | 'prefers'> = new Map([
  ...'needs depends depends-on dependencies dependency deps dep after blocked-by requires'
    .split(' ')
    .map((word) => [word, 'needs'] as const),
  ['prefers', 'prefers'],
]);

/** What other tools write in YAML instead of `needs`. */
export const needAliases: readonly string[] = [...words.keys()]
  .filter((word) => words.get(word) !== word)
  .flatMap((word) => (word.includes('-') ? [word, word.replace('-', '_'), camelCase(word)] : [word]));

/** `depends_on`, `dependsOn`, `Depends on` → `needs`; undefined for any other word. */
export function needKey(word: string): 'needs' | 'prefers' | undefined {
  return word.length > 20 ? undefined : words.get(kebabCase(word));
}

export function kebabCase(word: string): string {
  return word
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[ _]+/g, '-');
}

export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
