// What `init` and `init --undo` write and take back.
import { described, flag, list, object, one, orNull, type Shown, text, texts } from './schema-words.ts';

const leftAlone = list(
  object({ path: text, because: described(text, 'Completes a sentence that begins with the path.') }),
);

export type InitReport = Shown<typeof initReport>;
export const initReport = object({
  root: described(text, 'The workspace: everything is written there.'),
  agents: described(texts, 'The coding agents that are installed.'),
  agent: described(orNull(text), 'The one that performs the first plan; null: none is installed.'),
  changes: list(
    object({
      path: described(text, 'From the root of the workspace.'),
      action: described(one('create', 'append'), 'append: to the end of a file that is there.'),
      text: described(text, 'What is written.'),
      diff: described(text, 'The same in the unified form.'),
    }),
  ),
  leftAlone: described(leftAlone, 'What is there already, and stays as it is.'),
  plan: described(orNull(text), 'The plan to run first, as it is named from the current folder.'),
  written: described(flag, 'False: it was only shown, or there was nothing to write.'),
});

export type UndoReport = Shown<typeof undoReport>;
export const undoReport = object({
  root: text,
  changes: list(
    object({
      path: text,
      action: described(one('remove', 'cut'), 'cut: only what init added goes.'),
      diff: text,
    }),
  ),
  stays: described(leftAlone, 'What init wrote and somebody has changed since. It is not taken back.'),
  kept: described(texts, 'What runs have left in the workspace: state, outputs, the current plan. It stays.'),
  written: flag,
});
