// The results of runs with worktrees: brought to the person's branch, looked at, and cleaned up.
import { count, described, object, one, orNull, type Shown, text, texts } from './schema-words.ts';

export type LandReport = Shown<typeof landReport>;
export const landReport = object({
  plan: text,
  branch: described(orNull(text), 'Where the results are; null: no run of the plan had worktrees.'),
  onto: described(orNull(text), 'The branch that they are brought to; null: none was checked out when the run began.'),
  result: described(one('landed', 'would-land', 'nothing', 'refused'), '`would-land`: with --dry-run.'),
  how: orNull(one('fast-forward', 'merge')),
  before: described(orNull(text), 'The commit that the branch stood at.'),
  commit: described(orNull(text), 'The commit that it stands at now.'),
  commits: described(count, 'How many are new on the branch, without a merge commit.'),
  files: described(texts, 'That change on the branch; with a conflict, those that conflict.'),
  because: described(orNull(text), 'Why nothing was landed.'),
  instead: described(orNull(text), 'The way out.'),
});
