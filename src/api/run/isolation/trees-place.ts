// The folder for the trees of a plan: in the user's own state folder, or where `worktree: { at }` says; never in the repository, where test
// runners, watchers and `git add -A` would find them.
import { isAbsolute, join, resolve } from 'node:path';
import { realPath } from '../../files/real-path.ts';
import { folderTrouble } from '../../trust/user-folder.ts';
import { contains, type Workspace } from '../../workspace.ts';
import { workspaceId } from './results-name.ts';

export interface PlaceWanted {
  readonly workspace: Pick<Workspace, 'root' | 'userFolder'>;
  /** The top of the repository. */
  readonly top: string;
  /** What `worktree: { at }` says. */
  readonly at: string | undefined;
  readonly home: string | undefined;
}

export type TreesPlace =
  /** Of all plans of the workspace. */
  { readonly folder: string } | { readonly because: string; readonly help: string };

export function treesPlace({ workspace, top, at, home }: PlaceWanted): TreesPlace {
  const { root, userFolder } = workspace;
  if (at === undefined) {
    const trouble = folderTrouble(userFolder);
    if (trouble !== null) return { because: trouble, help: `name a folder for the trees: ${example}` };
    return outside(join(userFolder!, 'trees', workspaceId(root)), top);
  }
  if (/^~(?:\/|$)/.test(at) && !(home && isAbsolute(home)))
    return { because: `HOME is not set, so worktree.at "${at}" leads nowhere`, help: 'give it as an absolute path' };
  // A link of the repository must not lead anywhere else than its text.
  const folder = realPath(resolve(realPath(root), at.replace(/^~(?=\/|$)/, home ?? '')));
  if (!/^[/~]/.test(at) && !contains(resolve(top, '..'), folder))
    return {
      because: `worktree.at "${at}" leads further out than the folder that the repository is in`,
      help: 'a place anywhere else is an absolute path, and stands in signalbox.yaml',
    };
  const trouble = folderTrouble(folder);
  if (trouble !== null) return { because: trouble, help: 'name a folder that only you can write to' };
  return outside(join(folder, workspaceId(root)), top);
}

const example = 'worktree: { at: ../trees }';

function outside(folder: string, top: string): TreesPlace {
  if (!contains(realPath(top), realPath(folder))) return { folder };
  return {
    because: `${folder} is inside of the repository ${top}, where test runners and "git add -A" would find the trees`,
    help: `name a folder outside of the repository: ${example}`,
  };
}
