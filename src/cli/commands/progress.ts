// `signalbox progress [PLAN]`: one line, for the prompts of agents and for status lines.

import { standingOf } from '../../core/explain/standing.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import { countLine, progressBar } from '../terminal/progress-bar.ts';
import { standingColor } from '../text/standing-color.ts';

const barWidth = 20;

export async function progress({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.progress(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { summary, percent, waitingForLocks, title, plan: path } = plainData(report);
  const width = Math.max(4, Math.min(barWidth, Math.floor(io.columns() / 4)));
  const share = `${percent}%`;
  const name = flags.verbose ? ` · ${title === '' ? path : `${title} (${path})`}` : '';
  const standing = standingOf(report);
  const room = io.columns() - width - share.length - standing.length - 5;
  const counts = cutToWidth(`${countLine(summary, waitingForLocks)}${name}`, room);
  io.out(
    `${progressBar(summary, width, paint)} ${paint.bold(share)} ${standingColor(report, paint)(standing)} · ${counts}\n`,
  );
  return 0;
}
