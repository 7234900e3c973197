// The branches of attempts, and whose each is: `signalbox-attempts/<plan>/<task>.<n>`. The task is written so that git takes it, so it is
// found again among the tasks of the plan.
import type { Isolation } from '../../core/model/event.ts';
import type { TaskId } from '../../core/model/ids.ts';

export const attemptsOf = ({ branch }: Isolation): string =>
  `signalbox-attempts/${branch.replace(/^signalbox\//, '')}/`;

export interface BranchOwner {
  /** As the branch spells it when no task of the plan, or more than one, is spelled so. */
  readonly task: string;
  readonly number: number;
}

/** Null: it is no branch of an attempt of this plan. */
export function ownerOf(branch: string, isolation: Isolation, tasks: readonly TaskId[]): BranchOwner | null {
  const prefix = attemptsOf(isolation);
  const [, spelled, number] =
    /^(.+)\.(\d{1,9})$/s.exec(branch.startsWith(prefix) ? branch.slice(prefix.length) : '') ?? [];
  if (spelled === undefined) return null;
  const exact = tasks.filter((task) => task === spelled);
  const [task, ...more] = exact.length > 0 ? exact : tasks.filter((one) => isSpelled(one, spelled));
  return { task: task !== undefined && more.length === 0 ? task : spelled, number: Number(number) };
}

/** Signs that git or a disk does not take are replaced, and a hash may tell two tasks apart. */
function isSpelled(task: TaskId, spelled: string): boolean {
  const [plain, found] = [slug(task), slug(spelled)];
  return found === plain || (found.startsWith(`${plain}-`) && /^[0-9a-f]{4,}$/.test(found.slice(plain.length + 1)));
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/%[0-9a-f]{2}|[^\p{L}\p{N}]/gu, '-')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^-|-$/g, '');
