// What the readers of other tools' files have in common: tasks as those tools mean them, and a list of what has no place in
// a plan. Nothing is dropped without a word.

export interface ForeignTask {
  readonly id: string;
  readonly title: string;
  readonly state: 'open' | 'completed' | 'skipped';
  readonly parent: string | null;
  readonly needs: readonly string[];
  /** Paragraphs for the agent, with what is empty among them. */
  readonly prompt: readonly string[];
  readonly accept: readonly string[];
  readonly labels: readonly string[];
  /** Higher first; 0 is the usual. */
  readonly priority: number;
}

export interface ForeignPlan {
  readonly title: string;
  readonly tasks: readonly ForeignTask[];
}

/** What could not be carried over, with the tasks that had it. */
export interface Loss {
  readonly what: string;
  readonly tasks: readonly string[];
}

export class Losses {
  readonly #tasks = new Map<string, string[]>();

  add(what: string, task?: string): void {
    const tasks = this.#tasks.get(what) ?? [];
    if (task !== undefined && !tasks.includes(task)) tasks.push(task);
    this.#tasks.set(what, tasks);
  }

  list(): Loss[] {
    return [...this.#tasks].map(([what, tasks]) => ({ what, tasks }));
  }
}
