// `signalbox progress [PLAN]`: one line, for the prompts of agents and for status lines.
import { cutToWidth } from '../display-width.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import { countLine, progressBar } from '../progress-bar.ts';
import type { Request } from '../request.ts';
import { standingColor, standingOf } from '../standing.ts';

const barWidth = 20;

export async function progress({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.progress(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { summary, percent, title, plan: path } = plainData(report);
  const width = Math.max(4, Math.min(barWidth, Math.floor(io.columns() / 4)));
  const share = `${percent}%`;
  const name = flags.verbose ? ` · ${title === '' ? path : `${title} (${path})`}` : '';
  const standing = standingOf(report);
  const room = io.columns() - width - share.length - standing.length - 5;
  const counts = cutToWidth(`${countLine(summary)}${name}`, room);
  io.out(
    `${progressBar(summary, width, paint)} ${paint.bold(share)} ${standingColor(report, paint)(standing)} · ${counts}\n`,
  );
  return 0;
}
