// Saved work: what attempts had made of their files when they were ended.
import { count, described, list, maybe, object, one, orNull, type Shown, text, texts, time } from './schema-words.ts';

const about = {
  id: text,
  task: text,
  attempt: text,
  plan: text,
  at: time,
  reason: described(text, 'Why it was saved.'),
  branch: maybe(described(text, 'Where the work is, in a run with worktrees.')),
  commits: maybe(described(count, 'How many commits of the branch are not among the results.')),
};

export type SavedListReport = Shown<typeof savedListReport>;
export const savedListReport = object({
  saved: described(list(object({ ...about, files: count })), 'The oldest first.'),
});

export type SavedFileReport = Shown<typeof savedFileReport>;
const savedFileReport = object({
  path: described(text, 'Bytes of a name that are no UTF-8 are shown as \\xNN.'),
  was: described(one('changed', 'new', 'deleted'), 'What the attempt had made of it.'),
  mode: described(orNull(text), 'In octal; null for what has none.'),
  bytes: described(orNull(count), 'Of the saved version; null for what is no file.'),
  target: described(orNull(text), 'Where the symlink leads that was saved.'),
  diff: described(
    orNull(text),
    'From the file as it is now to the saved one; null when there is nothing to compare by lines.',
  ),
  without: described(
    orNull(one('same', 'binary', 'large', 'deleted', 'no-file', 'unreadable', 'lost', 'not-there', 'mode')),
    'Why there is no difference to show. `lost`: somebody removed the saved copy. `not-there`: the saved file is empty, and there is none now. `mode`: only that differs.',
  ),
});

export type SavedShowReport = Shown<typeof savedShowReport>;
export const savedShowReport = object({ ...about, files: list(savedFileReport) });

export type SavedRestoreReport = Shown<typeof savedRestoreReport>;
export const savedRestoreReport = object({
  id: text,
  to: text,
  written: texts,
  deleted: texts,
  same: described(texts, 'Already as they were saved.'),
  left: described(list(object({ path: text, why: text })), 'What could not be done, and why.'),
});
