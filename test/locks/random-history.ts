// One history for each pair of a seed and a number. How many take part and how much they can want differs from one to the next: few
// keys make queues and upgrades, many make long cycles.
import { type History, HistoryRun, keyNames, modes, ownerNames, type Step, verbs } from './lock-history.ts';

export function randomHistory(seed: number, number: number): History {
  const draw = drawer(seed, number);
  const owners = ownerNames.slice(0, 2 + draw(ownerNames.length - 1));
  const first = draw(keyNames.length);
  const keys = keyNames.slice(first, first + 1 + draw(keyNames.length));
  const mostWants = 1 + draw(3);
  // What makes owners wait is drawn most often.
  const chances = [
    ...verbs,
    ...verbs,
    'ask',
    'ask',
    'ask',
    'ask',
    'ask',
    'ask',
    'grant',
    'grant',
    'grant',
    'force',
  ] as const;
  const steps: Step[] = [];
  for (let left = 4 + draw(30); left > 0; left--) {
    steps.push({
      verb: chances[draw(chances.length)]!,
      owner: owners[draw(owners.length)]!,
      wants: Array.from({ length: 1 + draw(mostWants) }, () => ({
        key: keys[draw(keys.length)]!,
        mode: modes[draw(modes.length)]!,
      })),
      pick: draw(16),
    });
  }
  return { isOrderly: draw(2) === 0, steps };
}

/** A history as short as it gets by leaving out one step after the other, that still goes wrong. */
export function shrink(history: History): { readonly history: History; readonly wrong: string } {
  let [small, wrong] = [history, wrongOf(history)!];
  for (let i = small.steps.length - 1; i >= 0; i--) {
    const shorter = { ...small, steps: small.steps.toSpliced(i, 1) };
    const still = wrongOf(shorter);
    if (still === null) continue;
    [small, wrong] = [shorter, still];
    i = small.steps.length;
  }
  return { history: small, wrong };
}

export function wrongOf(history: History): string | null {
  try {
    HistoryRun.of(history);
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Mulberry32: small, and good enough to choose with. */
function drawer(seed: number, number: number): (below: number) => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
