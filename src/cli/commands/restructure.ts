// `decide D1 restructure`: a changed plan, or with `--dry-run` a look at the change.
import type { PlanChange } from '../../api/decisions/restructure-plan.ts';
import { Refusal } from '../../api/refusal.ts';
import type { RestructureReport } from '../../api/reports/decisions.ts';
import { listWords } from '../../core/model/count-words.ts';
import { taskId } from '../../core/model/ids.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Flags, Request } from '../request.ts';
import { planHint } from '../text/hint.ts';

export async function restructure({ box, io, paint, plan, flags }: Request, id: string): Promise<number> {
  const change = changeIn(flags);
  const report = await (await box.decisions()).restructure(plan, id, change, {
    ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    ...(flags.dryRun ? { preview: true } : {}),
    ...(flags.write ? { write: true } : {}),
    ...(flags.confirm ? { confirmed: true } : {}),
  });
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const lines = linesOf(plainData(report));
  const then = report.applied
    ? planHint('run', plan ?? report.plan)
    : 'nothing was changed; leave out --dry-run to do it';
  io.out(`${lines.join('\n')}\n${paint.dim(`  ${then}`)}\n`);
  return 0;
}

function changeIn({ dropNeed, merge, move, reload }: Flags): PlanChange {
  const changes: PlanChange[] = [];
  if (dropNeed !== undefined) {
    const [task, need] = pair(dropNeed, ':', '--drop-need', 'TASK:NEED');
    changes.push({ kind: 'drop-need', task: taskId(task), need: taskId(need) });
  }
  if (merge !== undefined) {
    const [into, from] = pair(merge, ',', '--merge', 'A,B');
    changes.push({ kind: 'merge', into: taskId(into), from: taskId(from) });
  }
  if (move !== undefined) {
    const [task, phase] = pair(move, ':', '--move', 'TASK:PHASE');
    changes.push({ kind: 'move', task: taskId(task), phase });
  }
  if (reload) changes.push({ kind: 'reload' });
  if (changes.length === 1) return changes[0]!;
  throw new Refusal(2, changes.length === 0 ? 'no change was named' : 'one change at a time', {
    instead: 'use one of --drop-need TASK:NEED, --merge A,B, --move TASK:PHASE, --reload',
  });
}

function pair(text: string, sign: string, flag: string, form: string): readonly [string, string] {
  const at = text.indexOf(sign);
  const parts = [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
  if (at > 0 && parts[1] !== '') return parts;
  throw new Refusal(2, `${flag} takes ${form}, not ${JSON.stringify(text)}`);
}

function linesOf(report: RestructureReport): string[] {
  const would = report.applied ? '' : 'would be ';
  const told = (names: readonly string[], what: string) =>
    names.length === 0 ? [] : [`${listWords(names)} ${would}${what}`];
  const lines = [
    ...told(report.added, 'added'),
    ...told(report.removed, 'removed'),
    ...told(report.changed, 'changed'),
    ...told(report.retried, 'tried again'),
    ...told(report.unblocked, 'free to run'),
    ...(report.written ? [`${report.plan} was changed`] : []),
  ];
  return lines.length === 0 ? ['the plan stays as it is'] : lines;
}
