// The branches of attempts, and whose each is: `signalbox-attempts/<plan>/<task>.<n>`, and `….left` with what could not be committed as it
// was. The log knows the attempts; a branch that it does not know is somebody's work all the same.
import type { Isolation } from '../../core/model/run-event.ts';
import { attemptBranch, resultsBranch } from '../../runner/trees/tree-places.ts';
import type { RecordedAttempt } from './recorded-work.ts';

export const attemptsOf = ({ branch }: Isolation): string =>
  `signalbox-attempts/${branch.replace(/^signalbox\//, '')}/`;

export interface BranchOwner {
  /** As the branch spells it, where the log does not know it. */
  readonly task: string;
  readonly number: number;
}

/** Whether it has what a person changed where the results are seen. */
export function isOfResults(branch: string, isolation: Isolation): boolean {
  const name = resultsBranch(isolation);
  return branch.startsWith(name) && /^(?:-\d+)?$/.test(branch.slice(name.length));
}

/** Null: it is no branch of an attempt of this plan. */
export function ownerOf(
  branch: string,
  isolation: Isolation,
  attempts: readonly RecordedAttempt[],
): BranchOwner | RecordedAttempt | null {
  const plain = branch.replace(/\.left(?:-\d+)?$/, '');
  const known = attempts.find((one) => one.isolation !== null && attemptBranch(one.isolation, one.attempt) === plain);
  if (known) return known;
  const prefix = attemptsOf(isolation);
  const [, task, number] = /^(.+)\.(\d{1,9})$/s.exec(plain.startsWith(prefix) ? plain.slice(prefix.length) : '') ?? [];
  return task === undefined ? null : { task, number: Number(number) };
}
