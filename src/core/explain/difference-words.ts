// What an edit of a plan changes, in words.
import type { PlanDifference } from '../model/event.ts';

const most = 5;

type Named = Partial<Record<keyof PlanDifference, readonly string[]>>;

/** "new: d; removed: c". Empty: nothing that anybody has to hear of. */
export function differenceWords(difference: Named): string {
  return differenceLists(difference)
    .map(([word, names]) => `${word}: ${someOf(names)}`)
    .join('; ');
}

const someOf = (names: readonly string[]): string =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ');

/** Only those that are not empty. */
function differenceLists({
  added = [],
  removed = [],
  kept = [],
  changed = [],
  nextAttempt = [],
  ticked = [],
  planChanges = [],
}: Named): (readonly [word: string, names: readonly string[]])[] {
  return (
    [
      ['new', added],
      ['removed', removed],
      ['changed', changed],
      ['changed while running, for the next attempt', nextAttempt],
      ['ticked', ticked],
      ['changed in the whole plan', planChanges],
      ['removed from the file, kept in the log', kept],
    ] as const
  ).filter(([, names]) => names.length > 0);
}
