// `signalbox fmt PLAN`: the plan in the native form, printed, written, or only compared.
import { Refusal } from '../../api/refusal.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import { plainDocument } from '../json/plain-document.ts';
import type { Request } from '../request.ts';
import { planHint } from '../text/hint.ts';
import { signs } from '../text/signs.ts';

export async function fmt({ box, io, paint, plan, flags }: Request): Promise<number> {
  if (flags.check && flags.write) throw new Refusal(2, '--check writes nothing', { instead: 'leave --write out' });
  const report = await (await box.files()).format(plan, { ids: flags.ids === true, write: flags.write === true });
  // A plan that could not be rewritten is not in the native form, so this is no success.
  const exitCode = report.untouched || (flags.check && report.changed) ? 1 : 0;
  const { text, ...about } = report;
  if (flags.json) {
    io.out(jsonLine(flags.check || flags.write ? about : report));
    return exitCode;
  }
  const { plan: path, changed, written, hindrance, ids } = plainData(about);
  if (hindrance) {
    const { line, message, help } = hindrance;
    io.err(`${paint.yellow(signs.warning)} ${path}:${line}: left as it is: ${message}\n${paint.dim(`  ${help}`)}\n`);
  }
  if (!flags.check && !flags.write) io.out(plainDocument(text, io));
  else if (hindrance) return exitCode;
  else if (!changed) io.out(`${paint.green(signs.completed)} ${path} is in the native form\n`);
  else if (written) io.out(`${paint.green(signs.completed)} ${path} was rewritten${given(ids)}\n`);
  else {
    const command = `${planHint('fmt', box.typed(report.plan))}${flags.ids ? ' --ids' : ''} --write`;
    io.out(`${paint.yellow(signs.warning)} ${path} would be rewritten${given(ids)}\n`);
    if (plan !== '-') io.out(`${paint.dim(`  ${command}`)}\n`);
  }
  return exitCode;
}

const given = (ids: readonly string[]) =>
  ids.length === 0 ? '' : `, with ${countWords(ids.length, 'new id')}: ${listWords(ids)}`;
