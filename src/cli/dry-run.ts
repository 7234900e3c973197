// `signalbox run --dry-run`: what would run, step by step, without running it.
import type { DryRunReport } from '../api/signalbox.ts';
import { countWords } from './count-words.ts';
import { describeLimits } from './describe-event.ts';
import { jsonLine } from './json-line.ts';
import type { Paint } from './paint.ts';
import { plainData } from './plain-data.ts';
import type { Request } from './request.ts';
import { selectOptions } from './select-options.ts';
import { showTable } from './show-table.ts';

export async function dryRun({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.dryRun(plan, selectOptions(flags));
  io.out(flags.json ? jsonLine(report) : showDryRun(plainData(report), paint, io.columns()));
  return 0;
}

function showDryRun(report: DryRunReport, paint: Paint, columns: number): string {
  const count = report.waves.reduce((sum, wave) => sum + wave.tasks.length, 0);
  const { pools } = report.limits;
  const named = Object.entries(pools).map(([pool, limit]) => `${pool} ${limit}`);
  const limits = [describeLimits(report.limits), ...(named.length > 0 ? [`pools: ${named.join(', ')}`] : [])];
  if (count === 0) return `${paint.bold(report.plan)}: nothing is left to run\n`;
  const parts = [
    `${paint.bold(report.plan)} would run ${countWords(count, 'task')} in ${countWords(report.waves.length, 'step')}; order: ${report.order}`,
    paint.dim(limits.join('; ')),
  ];
  report.waves.forEach(({ tasks }, i) => {
    const rows = tasks.map(({ id, title, command }) => [
      { text: `  ${id}`, color: paint.bold },
      { text: title },
      { text: command, color: paint.dim },
    ]);
    parts.push('', `Step ${i + 1}`, showTable(rows, columns, 2).trimEnd());
  });
  return `${parts.join('\n')}\n`;
}
