// Git in the repository that the workspace is in.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { GitCaller } from '../../git/git-caller.ts';

export const repositoryOf = ({
  workspace,
  env,
}: {
  readonly workspace: { readonly root: string };
  readonly env: Readonly<Record<string, string | undefined>>;
}): GitCaller => new GitCaller({ root: workspace.root, environment: baseEnvironment(env) });
