// What the readers of other tools' files have in common: tasks as those tools mean them, and a list of what has no place in
// a plan. Nothing is dropped without a word.

import type { Mistake } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';

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

export const tooManyTasks: Mistake = {
  code: 'too-many-tasks',
  message: `this file has more than ${mostTasks} tasks, and a plan has no more`,
  line: 1,
  column: 1,
  help: 'let the tool write several files, and import one after the other',
};

/** What could not be carried over, with the tasks that had it. */
export interface Loss {
  readonly what: string;
  readonly tasks: readonly string[];
}

/** Nobody reads on behind these. */
const mostKinds = 1_000;

export class Losses {
  readonly #tasks = new Map<string, Set<string>>();

  add(what: string, task?: string): void {
    const isNew = !this.#tasks.has(what);
    const name = isNew && this.#tasks.size >= mostKinds ? 'more of these' : what;
    const tasks = this.#tasks.get(name) ?? new Set();
    if (task !== undefined) tasks.add(task);
    this.#tasks.set(name, tasks);
  }

  list(): Loss[] {
    return [...this.#tasks].map(([what, tasks]) => ({ what, tasks: [...tasks] }));
  }
}
