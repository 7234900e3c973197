// `signalbox trust`: whose the state of this workspace is; with --state it becomes this user's. Whether hooks and filters of its
// repository run; with --git they do.
import type { TrustReport } from '../../api/reports/trust.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { shellPath } from '../text/shell-word.ts';

export async function trust({ box, io, flags }: Request): Promise<number> {
  const [state, git, revoke] = [flags.state === true, flags.git === true, flags.revoke === true];
  const report = await box.trust({ state, git, revoke });
  const lines = [...(git && !state ? [] : stateWords(plainData(report), state, box.typed)), ...gitWords(report)];
  io.out(flags.json ? jsonLine(report) : `${lines.join('\n')}\n`);
  return 0;
}

function gitWords({ git, lfs }: TrustReport): readonly string[] {
  if (git === 'none') return [];
  if (git === 'trusted')
    return [
      'Hooks and filters of the git repository run when Signalbox makes trees and commits. To take it back: signalbox trust --git --revoke',
    ];
  const pointers = lfs ? ' Its LFS files are pointers in worktrees.' : '';
  return [`Hooks and filters of the git repository do not run.${pointers} If you trust it: signalbox trust --git`];
}

function stateWords(
  { root, state, because, trusted, plans }: TrustReport,
  isSaid: boolean,
  typed: (plan: string) => string,
): readonly string[] {
  if (state === 'none') {
    const more = isSaid ? ' There is nothing to trust: what you make is yours.' : '';
    return [`There is no state in ${root} yet.${more}`];
  }
  if (state === 'unreadable') return [`Nobody can tell whose the state in ${root} is. ${because}`];
  if (state === 'foreign')
    return [
      `The state in ${root} is not known as yours (${because}). It is shown and not acted on.`,
      'If you made it: signalbox trust --state',
    ];
  if (!trusted) return [`The state in ${root} is yours.`];
  return [
    `The state in ${root} is trusted as yours now (${countWords(plans.length, 'plan')}).`,
    ...plans.flatMap(({ plan, differs }) =>
      differs.length === 0
        ? []
        : [
            `${plan} was loaded otherwise than its file says now: ${differs.slice(0, 5).join(', ')}${differs.length > 5 ? ` and ${differs.length - 5} more` : ''}.`,
            `  To take the file: signalbox reload ${shellPath(typed(plan))}`,
          ],
    ),
  ];
}
