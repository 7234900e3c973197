// Questions to a person at a terminal: numbered answers, one line to type. Enter changes nothing; Ctrl-C ends all questions.
import type { Io } from '../io.ts';
import type { Paint } from './paint.ts';

export interface Choosing {
  readonly words: string;
  readonly about: string;
}

/** The index of the choice; -1: enter; null: the person wants no more questions. */
export async function choose(
  io: Io,
  paint: Paint,
  options: readonly Choosing[],
  enter: string,
): Promise<number | null> {
  const width = Math.max(...options.map(({ words }) => words.length));
  const number = String(options.length).length;
  for (const [i, { words, about }] of options.entries()) {
    io.out(`  ${String(i + 1).padStart(number)}  ${words.padEnd(width)}  ${paint.dim(about)}\n`);
  }
  for (;;) {
    const typed = await io.ask(`  ${paint.bold('?')} number or word, ${enter}: `);
    if (typed === null) return null;
    const word = typed.trim();
    if (word === '') return -1;
    const chosen = /^\d+$/.test(word) ? Number(word) - 1 : options.findIndex(({ words }) => words === word);
    if (options[chosen]) return chosen;
    io.out(`  ${word} is not one of them\n`);
  }
}

/** Only a yes is one: enter, and whatever else is typed, means no. Null: Ctrl-C. */
export async function agrees(io: Io, paint: Paint, question: string): Promise<boolean | null> {
  const typed = await io.ask(`  ${paint.bold('?')} ${question} [y/N]: `);
  return typed === null ? null : /^y(?:es)?$/i.test(typed.trim());
}

/** Null: nothing was typed. */
export async function askFor(io: Io, paint: Paint, what: string): Promise<string | null> {
  const typed = await io.ask(`  ${paint.bold('?')} ${what}: `);
  return typed === null || typed.trim() === '' ? null : typed.trim();
}
