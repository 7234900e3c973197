// Why nothing can be merged, as the end of a sentence.
import type { MergeObstacle } from '../../../core/model/verify-event.ts';

export const describeObstacle = (because: MergeObstacle): string =>
  because.kind === 'red-branch'
    ? `${because.command} is not green on the branch itself, and no task is to blame`
    : `the branch is checked out in ${because.folder}, and would be moved under it`;
