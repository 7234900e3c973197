// Git in the repository that the workspace is in.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { GitCaller } from '../../git/git-caller.ts';
import { GitRecord } from '../trust/git-record.ts';
import type { Workspace } from '../workspace.ts';

export const repositoryOf = ({
  workspace,
  env,
}: {
  readonly workspace: Pick<Workspace, 'root' | 'userFolder'>;
  readonly env: Readonly<Record<string, string | undefined>>;
}): GitCaller =>
  new GitCaller({
    root: workspace.root,
    environment: baseEnvironment(env),
    // Files that a filter keeps elsewhere are written whole only then.
    isTrusted: new GitRecord(workspace).standing() === 'trusted',
  });
