// `signalbox set [PLAN]`: which plan is meant from now on when none is named. Without one, a person chooses from those that are there.
import { Refusal } from '../../api/refusal.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';

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
  const found = await box.hand.planFiles();
  if (found.length === 0) {
    throw new Refusal(2, 'no plan was found here', { instead: 'name one: signalbox set PLAN' });
  }
  if (!io.interactive || flags.json) {
    throw new Refusal(2, `which plan is not said; there ${found.length === 1 ? 'is' : 'are'} ${found.join(', ')}`, {
      instead: `signalbox set ${found[0]}`,
    });
  }
  const width = String(found.length).length;
  const rows = plainData(found).map((path, i) => `  ${paint.bold(String(i + 1).padStart(width))}  ${path}\n`);
  io.out(`Plans that were found:\n${rows.join('')}`);
  for (;;) {
    const said = await io.ask('Which one? ');
    if (said === null || said.trim() === '') return null;
    const typed = said.trim();
    const chosen = /^\d+$/.test(typed) ? found[Number(typed) - 1] : found.find((path) => path === typed);
    // Paths are those of the workspace, wherever the person is in it.
    if (chosen !== undefined) return `${box.root}/${chosen}`;
    io.out(`a number from 1 to ${found.length}, or nothing to leave it as it is\n`);
  }
}
