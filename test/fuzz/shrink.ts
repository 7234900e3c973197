// Makes a failing input small, so that a person can see what is wrong with it.

/** Drops lines, then characters, as long as it still fails, and never longer than the time it is given. */
export function shrink(text: string, fails: (text: string) => boolean, budgetMs = 5_000): string {
  const end = performance.now() + budgetMs;
  const still = (candidate: string) => performance.now() < end && fails(candidate);
  const byLines = dropParts(text.split(/(?<=\n)/), still);
  return dropParts([...byLines], still);
}

function dropParts(parts: readonly string[], fails: (text: string) => boolean): string {
  let kept = [...parts];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let i = 0; i < kept.length; ) {
      const without = [...kept.slice(0, i), ...kept.slice(i + size)];
      if (without.length < kept.length && fails(without.join(''))) kept = without;
      else i += size;
    }
  }
  return kept.join('');
}
