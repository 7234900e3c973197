// `signalbox clean`: trees and branches that nobody needs any more, shown first, and removed with --yes.
import type { CleanReport } from '../../api/reports/results.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { wrapped } from '../terminal/whole-words.ts';
import { planHint } from '../text/hint.ts';
import { signs } from '../text/signs.ts';

export async function clean({ box, io, paint, plan, flags }: Request): Promise<number> {
  const say = (text: string) => io.out(`${wrapped(text, io)}\n`);
  const report = await (await box.results()).clean(plan, { yes: flags.yes === true });
  const exitCode = report.items.some(({ state }) => state === 'failed') ? 1 : 0;
  if (flags.json) {
    io.out(jsonLine(report));
    return exitCode;
  }
  const { items } = plainData(report);
  const of = (...states: readonly Item['state'][]) => items.filter(({ state }) => states.includes(state));
  const [goes, stays, failed] = [of('would-go', 'gone'), of('stays'), of('failed')];
  const verb = flags.yes ? `${paint.green(signs.completed)} Removed` : 'Would remove';
  say(goes.length === 0 ? 'Nothing to clean up.' : `${verb} ${sum(goes)}:`);
  for (const item of goes) say(`  ${words(item)}`);
  const [broken, whole] = [stays.filter(isBroken), stays.filter((item) => !isBroken(item))];
  if (whole.length > 0) say('Stays:');
  for (const item of whole) say(`  ${words(item)}: ${item.because}`);
  if (broken.length > 0) say('Stays, though git can no longer work there:');
  for (const item of broken) say(`  ${words(item)}: ${item.because}`);
  for (const { name, because } of failed)
    io.err(`${wrapped(`${paint.yellow(signs.warning)} ${name} was not removed: ${because}`, io)}\n`);
  if (goes.length > 0 && !flags.yes) say(paint.dim(`${planHint('clean', plan)} --yes removes this.`));
  return exitCode;
}

const isBroken = ({ kind }: Item): boolean => kind === 'broken';

type Item = CleanReport['items'][number];

function sum(items: readonly Item[]): string {
  const count = (kind: Item['kind']) => items.filter((item) => item.kind === kind).length;
  const [trees, branches, broken] = [count('tree'), count('branch'), count('broken')];
  const parts = [
    ...(trees > 0 ? [countWords(trees, 'tree')] : []),
    ...(branches > 0 ? [countWords(branches, 'branch', 'branches')] : []),
    ...(broken > 0 ? [countWords(broken, 'broken tree')] : []),
  ];
  return `${listWords(parts)}, ${sizeWords(items.reduce((all, { bytes }) => all + (bytes ?? 0), 0))}`;
}

const words = ({ name, bytes }: Item): string => (bytes === null ? name : `${name} (${sizeWords(bytes)})`);

function sizeWords(bytes: number): string {
  const [unit, size] = bytes < 1e6 ? ['kB', bytes / 1e3] : bytes < 1e9 ? ['MB', bytes / 1e6] : ['GB', bytes / 1e9];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
