// A cycle in words: every step of it, so that the reader sees which one to take out.
import type { Cycle, CycleStep } from '../core/cycle.ts';
import { impossible } from '../core/impossible.ts';
import { quoted } from './diagnostic.ts';

/** Longer ones are named by their beginning and end. */
const longest = 60;

export function describeCycle({ steps }: Cycle): string {
  const words = (some: readonly CycleStep[]) => some.map(describeStep).join(', ');
  if (steps.length <= longest) return words(steps);
  const half = longest / 2;
  return `${words(steps.slice(0, half))}, … ${steps.length - longest} more …, ${words(steps.slice(-half))}`;
}

function describeStep({ from, to, why }: CycleStep): string {
  const [a, b] = [quoted(from), quoted(to)];
  switch (why) {
    case 'need':
      return `${a} needs ${b}`;
    case 'preference':
      return `${a} prefers ${b}`;
    case 'part-of':
      return `${a} ends with its subtask ${b}`;
    case 'start-of':
      return `${a} waits for its group ${b} to start`;
    case 'phase':
      return `${a} waits for the phase of ${b}`;
    case 'order':
      return `${a} waits for ${b}, which stands before it`;
    default:
      return impossible(why);
  }
}
