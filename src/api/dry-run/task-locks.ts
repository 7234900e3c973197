// The locks that a task takes before it starts, all at once: exclusive for the files it changes and the resources it names, shared
// for the files it reads.
import type { Plan, TaskKeys } from '../../core/model/plan.ts';
import { overlaps } from '../../locks/overlap.ts';
import { parseResource, type Resource } from '../../locks/resource.ts';

export interface TaskLock {
  readonly key: string;
  /** Null for a key that cannot be read: it is shown, and keeps nobody away. */
  readonly resource: Resource | null;
  readonly isShared: boolean;
}

const none: readonly TaskLock[] = [];

/** Each key is read once, however many tasks have it. */
export class LockKeys {
  private readonly plan: Plan;
  private readonly resources = new Map<string, Resource | null>();
  private readonly byKeys = new Map<TaskKeys, readonly TaskLock[]>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  of(task: number): readonly TaskLock[] {
    const { keys } = this.plan.tasks[task]!;
    if (!keys.files && !keys.reads && !keys.locks) return none;
    let locks = this.byKeys.get(keys);
    if (!locks) {
      locks = [
        ...[...(keys.files ?? []), ...(keys.locks ?? [])].map((text) => this.lock(text, false)),
        ...(keys.reads ?? []).map((text) => this.lock(text, true)),
      ];
      this.byKeys.set(keys, locks);
    }
    return locks;
  }

  keysOf(task: number): { readonly exclusive: readonly string[]; readonly shared: readonly string[] } {
    const keys = (isShared: boolean) => this.of(task).flatMap((lock) => (lock.isShared === isShared ? lock.key : []));
    return { exclusive: keys(false), shared: keys(true) };
  }

  private lock(text: string, isShared: boolean): TaskLock {
    let resource = this.resources.get(text);
    if (resource === undefined) {
      const read = parseResource(text);
      resource = read.ok ? read.resource : null;
      this.resources.set(text, resource);
    }
    return { key: resource?.key ?? text, resource, isShared };
  }
}

export function keepApart(one: readonly TaskLock[], other: readonly TaskLock[]): boolean {
  return one.some((a) =>
    other.some((b) => !(a.isShared && b.isShared) && a.resource && b.resource && overlaps(a.resource, b.resource)),
  );
}
