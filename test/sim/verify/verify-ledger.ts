// What the checker of verification remembers about a plan: told by events and by the world, never by the rules.
import type { Choice, DecisionKind } from '../../../src/core/model/decision.ts';
import type { AttemptEnd } from '../../../src/core/model/failure.ts';
import type { Plan, Task, TaskKeys } from '../../../src/core/model/plan.ts';
import type { MergeAnswer, ReviewAnswer } from '../../../src/core/rules/job-end.ts';

/** How something that was started really came out. */
export interface Truth {
  readonly end: AttemptEnd;
  /** Of a review. */
  readonly answer: ReviewAnswer | null;
  readonly merge?: MergeAnswer;
}

export interface LiveThing {
  readonly token: number;
  readonly kind: 'attempt' | 'check' | 'review' | 'merge';
  readonly attempt: string;
  readonly keys?: TaskKeys;
  doomed: boolean;
}

export interface Ended {
  readonly attempt: string;
  /** Of the task when it was started: it is judged by these. */
  readonly keys: TaskKeys;
  readonly well: boolean;
  /** Checks that were green since it ended, by number. */
  readonly green: Set<number>;
  approved: boolean;
  /** Null: it has nothing to be merged. */
  merged: boolean | null;
  rejected: boolean;
  /** Since when it could be reviewed; 0: not yet. */
  arrivedAt: number;
  /** Open questions whether a person approves. */
  questions: number;
}

export interface Leaf {
  readonly task: Task;
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'suspended' | 'skipped';
  live: LiveThing | null;
  /** It works, or has last worked, in the tree of results. */
  onResults: boolean;
  ended: Ended | null;
  /** Failures and rejections since it was last completed, and attempts that people or policies gave. */
  strikes: number;
  granted: number;
}

export interface Question {
  /** The tasks that it says it blocks. */
  readonly blocks: readonly string[];
  readonly kind: DecisionKind;
  readonly task: string | undefined;
  readonly options: readonly Choice[];
}

export class VerifyLedger {
  readonly leaves = new Map<string, Leaf>();
  readonly questions = new Map<string, Question>();
  readonly answered = new Set<string>();
  plan: Plan;
  paused = false;
  stopping: 'drain' | 'stop' | 'kill' | null = null;
  run: string | null = null;
  isIsolated = false;

  constructor(plan: Plan) {
    this.plan = plan;
    this.load(plan);
  }

  load(plan: Plan): void {
    this.plan = plan;
    for (const task of plan.tasks) {
      const known = this.leaves.get(task.id);
      if (known) this.leaves.set(task.id, { ...known, task, ...this.again(known, task) });
      else if (!task.group) this.leaves.set(task.id, fresh(task));
    }
    for (const id of [...this.leaves.keys()]) if (!plan.tasks.some((task) => task.id === id)) this.leaves.delete(id);
    for (const leaf of this.all()) this.reopenClosers(leaf);
  }

  /** "What closes something that is to be done again looks again." */
  reopenClosers(leaf: Leaf): void {
    if (leaf.status !== 'pending') return;
    for (const closer of this.all()) {
      if (closer.task.closes === undefined || closer === leaf || !this.closedBy(closer.task).includes(leaf)) continue;
      if (closer.status === 'completed' || closer.status === 'failed') closer.status = 'pending';
    }
  }

  /** "What a closing task has proved holds only for what it ran." */
  private again({ task: old, live }: Leaf, task: Task): Partial<Leaf> {
    const isOther = JSON.stringify([old.title, old.keys]) !== JSON.stringify([task.title, task.keys]);
    return task.closes !== undefined && isOther && live === null ? { status: 'pending', ended: null } : {};
  }

  all(): Leaf[] {
    return [...this.leaves.values()];
  }

  /** "A barrier is passed by completed, by any skip, and by any end of an optional task." */
  isPassed({ task, status }: Leaf): boolean {
    if (status === 'completed' || status === 'skipped') return true;
    return task.optional === true && status !== 'in_progress';
  }

  /** What a closing task closes. */
  closedBy({ closes, parent, phase, id }: Task): Leaf[] {
    const isInside = (task: Task): boolean => {
      if (closes === 'plan') return true;
      if (closes === 'phase') return task.phase === phase && task.closes !== 'plan';
      for (let at = task.parent; at !== undefined; at = this.plan.tasks[at]!.parent) if (at === parent) return true;
      return false;
    };
    return this.all().filter(({ task }) => task.id !== id && isInside(task));
  }
}

const fresh = (task: Task): Leaf => ({
  task,
  status: task.ticked === 'suspended' ? 'suspended' : (task.ticked ?? 'pending'),
  live: null,
  onResults: false,
  ended: null,
  strikes: 0,
  granted: 0,
});
