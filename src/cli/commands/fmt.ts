// `signalbox fmt PLAN`: the plan in the native form, printed, written, or only compared.
import { Refusal } from '../../api/refusal.ts';
import { countWords, listWords } from '../count-words.ts';
import { planHint } from '../hint.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import { plainDocument } from '../plain-document.ts';
import type { Request } from '../request.ts';
import { signs } from '../signs.ts';

export async function fmt({ box, io, paint, plan, flags }: Request): Promise<number> {
  if (flags.check && flags.write) throw new Refusal(2, '--check writes nothing', { instead: 'leave --write out' });
  const report = await box.format(plan!, { ids: flags.ids === true, write: flags.write === true });
  const exitCode = flags.check && report.changed ? 1 : 0;
  const { text, ...about } = report;
  if (flags.json) {
    io.out(jsonLine(flags.check || flags.write ? about : report));
    return exitCode;
  }
  const { plan: path, changed, written, untouched, ids } = plainData(about);
  if (untouched)
    io.err(`${paint.yellow(signs.warning)} ${path} stays as it is: any other spelling would change what it means\n`);
  if (!flags.check && !flags.write) io.out(plainDocument(text, io));
  else if (untouched) return exitCode;
  else if (!changed) io.out(`${paint.green(signs.completed)} ${path} is in the native form\n`);
  else if (written) io.out(`${paint.green(signs.completed)} ${path} was rewritten${given(ids)}\n`);
  else {
    const command = `${planHint('fmt', path)}${flags.ids ? ' --ids' : ''} --write`;
    io.out(`${paint.yellow(signs.warning)} ${path} would be rewritten${given(ids)}\n${paint.dim(`  ${command}`)}\n`);
  }
  return exitCode;
}

const given = (ids: readonly string[]) =>
  ids.length === 0 ? '' : `, with ${countWords(ids.length, 'new id')}: ${listWords(ids)}`;
