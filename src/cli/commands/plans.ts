// `signalbox plans`: the plans this workspace knows, and where each stands.
import type { PlansReport } from '../../api/signalbox.ts';
import { describeAgo, describeMoment } from '../describe-time.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { showTable } from '../show-table.ts';
import { standingColor, standingOf } from '../standing.ts';

export async function plans({ box, io, paint, flags }: Request): Promise<number> {
  const report = await box.plans();
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { current, plans: known } = plainData(report);
  if (known.length === 0) {
    io.out('No plan is known here yet. "signalbox run PLAN" makes one known.\n');
    return 0;
  }
  const rows = known.map((one) => [
    { text: one.plan === current ? '*' : ' ', color: paint.green },
    { text: one.plan, color: paint.bold },
    { text: one.title },
    { text: standingOf(one), color: standingColor(one, paint) },
    { text: `${one.summary.completed}/${one.summary.totalTasks}` },
    { text: changed(one, flags.absolute ? null : io.now()), color: paint.dim },
  ]);
  io.out(showTable(rows, io.columns(), 2));
  return 0;
}

const changed = ({ changedAt }: PlansReport['plans'][number], now: number | null) =>
  now === null ? describeMoment(Date.parse(changedAt)) : describeAgo(Date.parse(changedAt), now);
