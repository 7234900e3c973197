// Commands about the results of runs: what attempts changed, and what becomes of it.
import { planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const resultCommands: readonly CommandSpec[] = [
  {
    name: 'land',
    summary: 'bring the results of a run with worktrees to your branch',
    args: [planArgument],
    plan: 'argument',
    flags: [{ flags: '--dry-run', about: 'say what would happen, and change nothing' }],
    notes:
      'The results are on the branch signalbox/<plan>. They are brought to the branch that was checked out when the run began, by a fast-forward or else by a merge commit, together with the files in your folder. Nothing is landed, and the exit code is 1, if a file of yours would be overwritten, if another branch is checked out, if there is a conflict, or while a run goes on. After a kill, landing again finishes it.',
    examples: ['signalbox land --dry-run', 'signalbox land plan.md'],
    load: async () => (await import('../results/land.ts')).land,
  },
];
