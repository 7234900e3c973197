// `signalbox fmt PLAN`: the plan in the native form, printed, written, or only compared.
import { Refusal } from '../../api/refusal.ts';
import { countWords, listWords } from '../count-words.ts';
import { planHint } from '../hint.ts';
import { jsonLine } from '../json-line.ts';
import { plainData, plainLine } from '../plain-data.ts';
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
  const { plan: path, changed, written, ids } = plainData(about);
  if (!flags.check && !flags.write)
    io.out(Number.isFinite(io.columns()) ? text.split('\n').map(harmless).join('\n') : text);
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

/** For a terminal; a file or a program gets every character. Tabs are part of what a plan says. */
const harmless = (line: string) => line.split('\t').map(plainLine).join('\t');
