// A deadlock as one sentence: what each holds and waits for, round to the first.
import type { DeadlockStep, OwnerId } from './lock.ts';

const mostNamed = 6;
const namedOfMany = 5;

/** `1.1#1 holds src/a.ts and waits for src/b.ts, held by 1.2#1, which waits for src/a.ts`. */
export function cycleWords(steps: readonly DeadlockStep[], nameOf: (owner: OwnerId) => string): string {
  const [first, closing] = [steps[0], steps.at(-1)];
  if (first === undefined || closing === undefined) return '';
  const has = closing.kind === 'holds' ? `holds ${closing.theirs}` : `is in line for ${closing.theirs}`;
  const words = [`${nameOf(first.owner)} ${has} and waits for ${obstacleWords(first, nameOf)}`];
  const named = steps.length > mostNamed ? namedOfMany : steps.length;
  const others = steps.length - named;
  for (const [i, step] of steps.slice(1, named).entries()) {
    if (step === closing) words.push(`which waits for ${closingWords(step, nameOf)}`);
    else if (i + 2 < named || others === 0) words.push(`which waits for ${obstacleWords(step, nameOf)}`);
    else
      words.push(
        `which waits for ${keyWords(step)} and so on, through ${others} others, back to ${nameOf(first.owner)}`,
      );
  }
  return words.join(', ');
}

/** The next is named: the sentence goes on about it. */
function obstacleWords(step: DeadlockStep, nameOf: (owner: OwnerId) => string): string {
  const next = nameOf(step.heldBy);
  return step.kind === 'holds'
    ? `${keyWords(step)}, held by ${next}`
    : `${keyWords(step)}, for which ${next} waits before it`;
}

/** The sentence began with the next one, and with what it has. */
function closingWords(step: DeadlockStep, nameOf: (owner: OwnerId) => string): string {
  return step.kind === 'holds' ? keyWords(step) : `${keyWords(step)}, for which ${nameOf(step.heldBy)} waits before it`;
}

/** If the two keys differ, both are named. */
const keyWords = ({ waitsFor, theirs }: DeadlockStep) =>
  waitsFor === theirs ? waitsFor : `${waitsFor} (which overlaps ${theirs})`;
