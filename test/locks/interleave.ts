// Plays short programs of lock clients step by step, in every order that is possible: the order is a list of choices, and each run
// tells how many there were at each point.

/** The choices of one run; beyond those that are given, always the first. */
export class Choices {
  readonly taken: number[] = [];
  readonly widths: number[] = [];
  private readonly given: readonly number[];

  constructor(given: readonly number[]) {
    this.given = given;
  }

  choose(width: number): number {
    const choice = this.given[this.taken.length] ?? 0;
    this.taken.push(choice);
    this.widths.push(width);
    return choice;
  }
}

/** Every order once, as the choices that lead through it. */
export async function everyOrder(play: (choices: Choices) => Promise<void>): Promise<number> {
  let given: number[] | null = [];
  let orders = 0;
  while (given !== null) {
    const choices = new Choices(given);
    await play(choices);
    orders++;
    given = following(choices);
  }
  return orders;
}

function following({ taken, widths }: Choices): number[] | null {
  for (let i = taken.length - 1; i >= 0; i--) {
    if (taken[i]! + 1 < widths[i]!) return [...taken.slice(0, i), taken[i]! + 1];
  }
  return null;
}
