// The programs that Signalbox calls itself: git, and the shells behind attempts.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { programVersion } from '../../agents/process/program-version.ts';
import { findGit, noGit } from '../../git/git.ts';
import type { DoctorCheck } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';

export async function checkPrograms(
  workspace: Workspace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<DoctorCheck[]> {
  const base = baseEnvironment(env);
  return Promise.all([git(workspace, base), shell(), ...(process.platform === 'linux' ? [perl(base)] : [])]);
}

type Environment = Readonly<Record<string, string>>;

/** The one that is used: never a program of the workspace. */
async function git({ root }: Workspace, env: Environment): Promise<DoctorCheck> {
  const program = findGit({ root, environment: env });
  const help = 'install git: Signalbox finds the root of a workspace with it, and agents work with it';
  if (program === null) return { id: 'git', status: 'warning', message: noGit, help };
  const answer = await programVersion({ program, env });
  if (answer.kind === 'version') return { id: 'git', status: 'ok', message: `${answer.text} (${program})` };
  return { id: 'git', status: 'warning', message: `${program}: ${answer.because}`, help };
}

async function shell(): Promise<DoctorCheck> {
  if (findProgram('/bin/sh', '') !== null) return { id: 'sh', status: 'ok', message: 'a shell in /bin/sh' };
  const help = 'attempts run in worker shells; install a POSIX shell there';
  return { id: 'sh', status: 'broken', message: 'there is no /bin/sh', help };
}

async function perl(env: Environment): Promise<DoctorCheck> {
  const program = findProgram('perl', env.PATH ?? '');
  if (program !== null) return { id: 'perl', status: 'ok', message: `perl (${program})` };
  const help = 'install perl: with it, Signalbox can also end processes that have left their parent';
  return { id: 'perl', status: 'warning', message: 'there is no perl on the PATH', help };
}
