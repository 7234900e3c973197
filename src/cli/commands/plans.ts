// `signalbox plans` and `signalbox set [PLAN]`: the plans of this workspace, and the one that commands use when none is named.
import { Refusal } from '../../api/refusal.ts';
import type { PlansReport } from '../../api/reports/status.ts';
import { standingOf } from '../../core/explain/standing.ts';
import { numberWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { choose } from '../terminal/ask-person.ts';
import { describeAgo, describeMoment } from '../text/describe/describe-time.ts';
import { shellPath } from '../text/shell-word.ts';
import { showTable } from '../text/show-table.ts';
import { standingColor } from '../text/standing-color.ts';

export async function plans({ box, io, paint, flags }: Request): Promise<number> {
  const report = await box.plans();
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { current, plans: known } = plainData(report);
  if (known.length === 0) {
    io.out('There are no plans here yet. Start with: signalbox run PLAN\n');
    return 0;
  }
  const rows = known.map((one) => [
    { text: one.plan === current ? '*' : ' ', color: paint.green },
    { text: one.plan, color: paint.bold },
    { text: one.title },
    { text: standingOf(one), color: standingColor(one, paint) },
    { text: `${numberWords(one.summary.completed)} of ${numberWords(one.summary.totalTasks)}` },
    { text: changed(one, flags.absolute ? null : io.now()), color: paint.dim },
  ]);
  io.out(showTable(rows, io.columns(), 2));
  return 0;
}

const changed = ({ changedAt }: PlansReport['plans'][number], now: number | null) =>
  now === null ? describeMoment(Date.parse(changedAt)) : describeAgo(Date.parse(changedAt), now);

export async function set(request: Request): Promise<number> {
  const { box, io, paint, flags } = request;
  const named = request.plan ?? (await choosePlan(request));
  if (named === null) {
    io.err('nothing was chosen\n');
    return 130;
  }
  const report = await (await box.files()).set(named);
  if (flags.json) io.out(jsonLine(report));
  else {
    const { plan: chosen, file } = plainData(report);
    io.out(`${paint.bold(chosen)} is the current plan now ${paint.dim(`(${file})`)}\n`);
  }
  return 0;
}

/** Null: the person chose nothing. */
async function choosePlan({ box, io, paint, flags }: Request): Promise<string | null> {
  const found = await (await box.hand()).planFiles();
  if (found.length === 0) {
    throw new Refusal(2, 'no plan was found here', { instead: 'name one: signalbox set PLAN' });
  }
  if (!io.interactive || flags.json) {
    throw new Refusal(2, `no plan was named; found: ${found.join(', ')}`, {
      instead: `signalbox set ${shellPath(box.typed(found[0]!))}`,
    });
  }
  const { current, plans: all } = await box.plans();
  const known = new Map(all.map(({ plan, summary }) => [plan, `${summary.completed} of ${summary.totalTasks} done`]));
  const about = (path: string) => `${known.get(path) ?? 'new'}${path === current ? ', the current one' : ''}`;
  io.out('Plans found:\n');
  const options = found.map((path) => ({ words: plainData(path), about: about(path) }));
  const chosen = await choose(io, paint, options, 'enter changes nothing');
  return chosen === null || chosen < 0 ? null : box.typed(found[chosen]!);
}
