// `signalbox set [PLAN]`: which plan is meant from now on when none is named. Without one, a person chooses from those that are there.
import { Refusal } from '../../api/refusal.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { shellPath } from '../shell-word.ts';

export async function set(request: Request): Promise<number> {
  const { box, io, paint, flags } = request;
  const named = request.plan ?? (await choose(request));
  if (named === null) {
    io.err('nothing was chosen\n');
    return 130;
  }
  const report = await box.set(named);
  if (flags.json) io.out(jsonLine(report));
  else {
    const { plan: chosen, file } = plainData(report);
    io.out(`${paint.bold(chosen)} is the current plan now ${paint.dim(`(${file})`)}\n`);
  }
  return 0;
}

/** Null: the person went away. */
async function choose({ box, io, paint, flags }: Request): Promise<string | null> {
  const found = await (await box.hand()).planFiles();
  if (found.length === 0) {
    throw new Refusal(2, 'no plan was found here', { instead: 'name one: signalbox set PLAN' });
  }
  if (!io.interactive || flags.json) {
    throw new Refusal(2, `which plan is not said; there ${found.length === 1 ? 'is' : 'are'} ${found.join(', ')}`, {
      instead: `signalbox set ${shellPath(found[0]!)}`,
    });
  }
  const { choose: chooseOne } = await import('../ask-person.ts');
  const { current, plans } = await box.plans();
  const known = new Map(plans.map(({ plan, summary }) => [plan, `${summary.completed} of ${summary.totalTasks} done`]));
  const about = (path: string) => `${known.get(path) ?? 'new'}${path === current ? ', the current one' : ''}`;
  io.out('Plans that were found:\n');
  const options = found.map((path) => ({ words: plainData(path), about: about(path) }));
  const chosen = await chooseOne(io, paint, options, 'enter to leave it as it is');
  // Paths are those of the workspace, wherever the person is in it.
  return chosen === null || chosen < 0 ? null : `${box.root}/${found[chosen]}`;
}
