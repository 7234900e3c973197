// What is trusted in a workspace.
import { described, flag, list, object, one, orNull, type Shown, text, texts } from './schema-words.ts';

export type TrustReport = Shown<typeof trustReport>;
export const trustReport = object({
  root: text,
  state: described(
    one('none', 'own', 'foreign', 'unreadable'),
    'own: made or trusted by this user here; foreign: it is shown and never acted on; unreadable: nobody can tell.',
  ),
  because: described(orNull(text), 'Why it is foreign, or cannot be read.'),
  trusted: described(flag, 'It was trusted just now.'),
  git: described(
    one('none', 'trusted', 'untrusted'),
    'Whether hooks and filters of the repository may run; none: there is no repository.',
  ),
  lfs: described(flag, 'The repository has files in Git LFS, which are pointers unless it is trusted.'),
  plans: described(
    list(object({ plan: text, differs: described(texts, 'Tasks that the state knows otherwise than the file.') })),
    'What the state knows, after it was trusted just now.',
  ),
});
