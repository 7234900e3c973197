// `signalbox trust`: whose the state of this workspace is; with --state it becomes this user's.
import type { TrustReport } from '../../api/reports/trust.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { shellPath } from '../text/shell-word.ts';

export async function trust({ box, io, flags }: Request): Promise<number> {
  const report = await box.trust({ state: flags.state === true });
  io.out(flags.json ? jsonLine(report) : `${words(plainData(report), flags.state === true).join('\n')}\n`);
  return 0;
}

function words({ root, state, because, trusted, plans }: TrustReport, isSaid: boolean): readonly string[] {
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
            `  To take the file: signalbox reload ${shellPath(plan)}`,
          ],
    ),
  ];
}
