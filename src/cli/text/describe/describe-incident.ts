// What changed outside of an attempt's tree while it worked, and what is only there, as one clause each.
import { listWords } from '../../../core/model/count-words.ts';
import type { Incident, LeftFile } from '../../../core/model/failure.ts';

export function describeIncident({ kind, what, saved, named, processes = [] }: Incident): string {
  const signs = [
    ...(named ? ['it printed the path of your checkout, so it may have done that'] : []),
    ...(processes.length > 0 ? [`${countWord(processes)} worked there: ${listWords(processes)}`] : []),
  ];
  if (signs.length > 0) return `while it worked, ${[what, ...signs].join('; ')}`;
  if (kind === 'checkout') return `while it worked, ${what} (that may be your own work)`;
  if (kind === 'wrote') return `${what}, outside of its tree`;
  return `while it worked, ${what}${saved === undefined ? '' : `; before and after: ${saved}`}`;
}

const countWord = ({ length }: readonly string[]): string => (length === 1 ? 'a process of it' : 'processes of it');

/** New files that are never committed. */
export const describeLeft = (left: readonly LeftFile[]): string =>
  `not committed, and only in its tree: ${listWords(left.map(({ path, because }) => `${path} (${reasons[because]})`))}`;

const reasons: Readonly<Record<LeftFile['because'], string>> = {
  repository: 'a repository of its own',
  link: 'a link that leads out of the tree',
  secret: 'its name says that it has secrets',
};
