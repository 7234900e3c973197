// The results of runs with worktrees: brought to the person's branch, looked at, and cleaned up.
import { count, described, flag, list, object, one, orNull, type Shown, text, texts } from './schema-words.ts';

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
  files: described(texts, 'That change on the branch; where `land` is refused, those in its way.'),
  because: described(orNull(text), 'Why nothing was landed.'),
  instead: described(orNull(text), 'The way out.'),
});

export type FileDiffReport = Shown<typeof fileDiffReport>;
const fileDiffReport = object({
  path: described(text, 'Bytes of a name that are no UTF-8 are shown as \\xNN.'),
  from: described(orNull(text), 'The name that it had before.'),
  was: one('new', 'changed', 'deleted', 'renamed'),
  modeBefore: described(orNull(text), 'In octal, as git keeps it; null: there was none, or it is not known.'),
  mode: orNull(text),
  added: described(orNull(count), 'Lines; null: it is no text.'),
  removed: orNull(count),
  bytesBefore: described(orNull(count), 'Of what is no text.'),
  bytes: orNull(count),
  diff: described(orNull(text), 'In the unified form; null: no lines differ, it is no text, or there is too much.'),
});

export type DiffReport = Shown<typeof diffReport>;
export const diffReport = object({
  plan: text,
  task: text,
  attempt: text,
  source: described(
    one('branch', 'tree', 'workspace'),
    '`branch`: what the attempt left; `tree`: what its tree has now; `workspace`: what changed there since it began.',
  ),
  base: described(orNull(text), 'The commit that it began at.'),
  head: described(orNull(text), 'The commit with its work.'),
  files: list(fileDiffReport),
  cut: described(flag, 'The lines of some files are left out.'),
  notes: described(texts, 'What the difference does not show.'),
});

export type CleanReport = Shown<typeof cleanReport>;
export const cleanReport = object({
  plan: text,
  items: list(
    object({
      kind: described(
        one('tree', 'branch', 'broken'),
        '`broken`: a tree that git could no longer work in; its files were moved aside.',
      ),
      name: described(text, 'The folder of a tree, or the name of a branch.'),
      task: described(orNull(text), 'Null: it belongs to no task.'),
      bytes: described(orNull(count), 'Of a tree, on the disk.'),
      state: described(
        one('would-go', 'gone', 'stays', 'failed'),
        '`would-go`: with --yes. `stays`: it is still needed. `failed`: it could not be removed.',
      ),
      because: described(orNull(text), 'Why it stays; of a broken tree, what is only there, and how to remove it.'),
    }),
  ),
});
