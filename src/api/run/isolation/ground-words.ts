// What is said of the ground of a run: why it can have no worktrees, and what a person should know when it has them.
import { countWords } from '../../../core/model/count-words.ts';
import { impossible } from '../../../core/model/impossible.ts';
import { type BadGround, type GoodGround, oldestGit } from '../../../git/ground/ground.ts';

export const seeGit = 'see what git says there: git status';

/** Why not, as the end of a sentence, and the way out. */
export interface Obstacle {
  readonly because: string;
  readonly help: string;
}

export function badGroundWords(ground: BadGround, root: string): Obstacle {
  switch (ground.kind) {
    case 'no-git':
      return { because: 'there is no git on the PATH', help: `install git ${oldestGit} or newer` };
    case 'old-git':
      return { because: `git ${ground.version} is older than ${oldestGit}`, help: 'install a newer git' };
    case 'no-repository':
      return {
        because: `${root} is in no git repository`,
        help: 'make one with a commit: git init && git add -A && git commit -m "Begin"',
      };
    case 'unusable':
      return { because: ground.because, help: seeGit };
    case 'no-work-tree':
      return { because: `${root} is no work tree of its repository`, help: 'work in a clone that has one' };
    case 'no-commit':
      return { because: 'the repository has no commit yet', help: 'make one: git add -A && git commit -m "Begin"' };
    default:
      return impossible(ground);
  }
}

/** A tree of such a repository is never clean. */
export function clashWords({ ignoresCase, clashes: [first] }: GoodGround): Obstacle | null {
  if (!ignoresCase || first === undefined) return null;
  return { because: `${first[0]} and ${first[1]} are one file on this disk`, help: 'rename one of them' };
}

/** @param takesChanges what is not committed is taken along @param isTrusted filters of the repository run */
export function goodGroundWords(
  { dirty, hasLfs, isPartial }: GoodGround,
  takesChanges: boolean,
  isTrusted: boolean,
): string[] {
  const words: string[] = [];
  const { tracked, untracked } = dirty;
  if (tracked + untracked > 0 && !takesChanges) {
    const parts = [
      ...(tracked > 0 ? [countWords(tracked, 'changed file')] : []),
      ...(untracked > 0 ? [countWords(untracked, 'new file')] : []),
    ];
    const [verb, them] = tracked + untracked === 1 ? ['is', 'it'] : ['are', 'them'];
    const choice = `commit ${them}, or add --include-changes`;
    words.push(`${parts.join(' and ')} ${verb} not committed, and agents do not see ${them}: ${choice}`);
  }
  if (hasLfs && !isTrusted)
    words.push('files of Git LFS are pointers in the trees of agents; signalbox trust --git lets its filter run');
  if (isPartial)
    words.push('this is a partial clone, and a run fetches nothing: a merge that needs an absent file fails');
  return words;
}
