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
  const changes = changesIn(flags);
  const report = await (await box.decisions()).restructure(plan, id, changes, {
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
    ? planHint('run', plan ?? box.typed(report.plan))
    : 'nothing was changed; leave out --dry-run to do it';
  io.out(`${lines.join('\n')}\n${paint.dim(`  ${then}`)}\n`);
  return 0;
}

/** In this order, however they were typed: needs, then tasks, then places. */
function changesIn({ dropNeed = [], merge = [], move = [], reload }: Flags): PlanChange[] {
  const changes: PlanChange[] = [
    ...dropNeed.map((text): PlanChange => {
      const [task, need] = pair(text, ':', '--drop-need', 'TASK:NEED');
      return { kind: 'drop-need', task: taskId(task), need: taskId(need) };
    }),
    ...merge.map((text): PlanChange => {
      const [into, from] = pair(text, ',', '--merge', 'A,B');
      return { kind: 'merge', into: taskId(into), from: taskId(from) };
    }),
    ...move.map((text): PlanChange => {
      const [task, phase] = pair(text, ':', '--move', 'TASK:PHASE');
      return { kind: 'move', task: taskId(task), phase };
    }),
    ...(reload ? [{ kind: 'reload' } as const] : []),
  ];
  const instead = 'use --drop-need TASK:NEED, --merge A,B and --move TASK:PHASE, as often as needed, or --reload';
  if (changes.length === 0) throw new Refusal(2, 'no change was named', { instead });
  if (reload && changes.length > 1) {
    throw new Refusal(2, '--reload takes the file as it is, and no other change', { instead });
  }
  return changes;
}

function pair(text: string, sign: string, flag: string, form: string): readonly [string, string] {
  const at = text.indexOf(sign);
  const parts = [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
  if (at > 0 && parts[1] !== '') return parts;
  throw new Refusal(2, `${flag} takes ${form}, not ${JSON.stringify(text)}`);
}

function freed({ unblocked, applied }: RestructureReport): string[] {
  if (unblocked.length === 0) return [];
  const be = applied ? `${unblocked.length === 1 ? 'is' : 'are'} no longer` : 'would no longer be';
  return [`${listWords(unblocked)} ${be} blocked`];
}

function linesOf(report: RestructureReport): string[] {
  const told = (names: readonly string[], done: string) => {
    const be = report.applied ? (names.length === 1 ? 'was' : 'were') : 'would be';
    return names.length === 0 ? [] : [`${listWords(names)} ${be} ${done}`];
  };
  const lines = [
    ...told(report.added, 'added'),
    ...told(report.removed, 'removed'),
    ...told(report.changed, 'changed'),
    ...told(report.retried, 'given one more attempt'),
    ...freed(report),
    ...(report.written ? [`${report.plan} was changed`] : []),
  ];
  return lines.length === 0 ? ['the plan stays as it is'] : lines;
}
