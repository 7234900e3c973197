// Commands about the results of runs: what attempts changed, and what becomes of it.
import { planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const resultCommands: readonly CommandSpec[] = [
  {
    name: 'land',
    group: 'everyday',
    summary: 'bring the results of a run with worktrees to your branch',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [{ flags: '--dry-run', about: 'say what would happen, and change nothing' }],
    notes:
      'The results of a run with worktrees gather on the branch signalbox/<plan>. land brings them to the branch that was checked out when the run began, by a fast-forward or else by a merge commit, together with the files in your folder. It refuses with exit code 1 and lands nothing if a file that you have not committed would be overwritten, if another branch is checked out, if there is a conflict, or while a run goes on. After a kill, landing again finishes it. Plain git does it too: git merge signalbox/<plan>. "land: merge" in the plan lands at the end of each complete run.',
    examples: ['signalbox land --dry-run', 'signalbox land plan.md'],
    load: async () => (await import('../results/land.ts')).land,
  },
  {
    name: 'diff',
    group: 'results',
    summary: 'show what an attempt of a task changed',
    args: [['<ID>', 'a task, for its last attempt, or one of its attempts: api#2']],
    plan: 'flag',
    flags: [{ flags: '--stat', about: 'only the files, with how many lines were added and removed' }],
    notes:
      'In a run with worktrees it shows what the attempt left on its branch, or what its tree has now. In a shared run it shows what changed in the workspace since the last attempt began, where that is still known: it is kept for tasks that an agent reviews or may have to debug, until they are done.',
    examples: ['signalbox diff api', "signalbox diff 'api#1' --stat", 'signalbox diff api --json'],
    load: async () => (await import('../results/diff.ts')).diff,
  },
  {
    name: 'clean',
    group: 'results',
    summary: 'show, or remove, trees and branches no longer needed',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [{ flags: '--yes', about: 'remove them; otherwise they are only shown' }],
    notes:
      'It removes the trees and branches of merged attempts of completed tasks, and the trees of the results when the plan is complete and landed. It never removes work that is not merged or not committed, a tree in which a process works, or anything of a plan that is being run. The branch with the results stays. Trees that git could no longer work in were moved aside: those whose content is all in commits go, and of the others it says what is only there. Exit code 1: something could not be removed.',
    examples: ['signalbox clean', 'signalbox clean plan.md --yes'],
    load: async () => (await import('../results/clean.ts')).clean,
  },
];
