// `signalbox check PLAN`: every mistake at once, or a summary of a plan without mistakes.
import type { CheckReport } from '../../api/reports/plan-files.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { hindranceLines } from '../text/hindrance-lines.ts';
import { hint, planHint } from '../text/hint.ts';
import { showDiagnostics } from '../text/show-diagnostics.ts';
import { signs } from '../text/signs.ts';

export async function check({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await (await box.files()).check(plan);
  const typed = box.typed(report.plan);
  if (flags.json) io.out(jsonLine(report));
  else io.out(showCheck(plainData(report), { typed, next: nextOf(report, typed), paint, columns: io.columns() }));
  return report.ok ? 0 : 3;
}

interface Manner {
  /** The name of the plan as it is: hints spell it for a shell. */
  readonly typed: string;
  readonly next: string | null;
  readonly paint: Paint;
  readonly columns: number;
}

function nextOf({ hindrances, unsupported }: CheckReport, plan: string): string | null {
  if (hindrances.length > 0) return `run refuses it here; by hand: ${hint('next', plan)}`;
  return unsupported.length > 0 ? null : planHint('run', plan);
}

function showCheck(report: CheckReport, { typed, next, paint, columns }: Manner): string {
  const parts: string[] = [];
  if (report.diagnostics.length > 0) {
    parts.push(showDiagnostics(report.diagnostics, paint, columns));
    parts.push(paint.dim(`${explainHint(report.diagnostics)}\n`));
  }
  if (report.hindrances.length > 0) parts.push(`${hindranceLines(report.plan, report.hindrances, paint).join('\n')}\n`);
  if (report.notes.length > 0)
    parts.push(`${report.notes.map((text) => `${report.plan}: ${paint.yellow('warning')}: ${text}`).join('\n')}\n`);
  if (report.approval === 'unapproved')
    parts.push(
      `${report.plan}: ${paint.yellow('note')}: an agent wrote this plan, and nobody has approved it: ${planHint('approve', typed)}\n`,
    );
  if (report.unsupported.length > 0) parts.push(`${unsupported(report, paint).join('\n')}\n`);
  parts.push(verdict(report, next, paint));
  return parts.join('\n');
}

/** One hint for all, with a code from the list: errors first. */
function explainHint(diagnostics: CheckReport['diagnostics']): string {
  const { code } = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]!;
  return `signalbox explain ${code} tells more${new Set(diagnostics.map((d) => d.code)).size > 1 ? '; it works for every code in brackets' : ''}`;
}

function unsupported(report: CheckReport, paint: Paint): string[] {
  return report.unsupported.map(({ key, task, line }) => {
    const where = `${report.plan}:${line}`;
    const whose = task === undefined ? '' : ` of ${task}`;
    return `${where}: ${paint.yellow('note')}: "${key}"${whose} is not supported yet; run refuses it`;
  });
}

function verdict(report: CheckReport, next: string | null, paint: Paint): string {
  const count = (severity: 'error' | 'warning') => report.diagnostics.filter((d) => d.severity === severity).length;
  const warned = count('warning') + report.hindrances.length + report.notes.length;
  const warnings = warned === 0 ? '' : ` (${countWords(warned, 'warning')})`;
  if (!report.ok)
    return `${paint.red(signs.failed)} ${report.plan}: ${countWords(count('error'), 'mistake')}${warnings}\n`;
  const groups = report.groups === 0 ? '' : ` and ${countWords(report.groups, 'group')}`;
  const phases = report.phases > 1 ? ` in ${countWords(report.phases, 'phase')}` : '';
  const order = `order: ${report.order}${report.orderAssumed ? ' (assumed)' : ''}`;
  const title = report.title === '' ? report.plan : `${report.title} (${report.plan})`;
  const lines = [
    `${paint.green(signs.completed)} ${title}: ${countWords(report.tasks, 'task')}${groups}${phases}, ${order}${warnings}`,
  ];
  if (next !== null) lines.push(paint.dim(`  ${next}`));
  return `${lines.join('\n')}\n`;
}
