// `signalbox clean`: trees and branches that nobody needs any more, shown first, and removed with --yes.
import type { CleanReport } from '../../api/reports/results.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { planHint } from '../text/hint.ts';
import { signs } from '../text/signs.ts';

export async function clean({ box, io, paint, plan, flags }: Request): Promise<number> {
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
  io.out(goes.length === 0 ? 'Nothing to clean up.\n' : `${verb} ${sum(goes)}:\n`);
  for (const item of goes) io.out(`  ${words(item)}\n`);
  const [broken, whole] = [stays.filter(isBroken), stays.filter((item) => !isBroken(item))];
  if (whole.length > 0) io.out(`Stays:\n`);
  for (const item of whole) io.out(`  ${words(item)}: ${item.because}\n`);
  if (broken.length > 0) io.out(`Stays, though git can no longer work there:\n`);
  for (const item of broken) io.out(`  ${words(item)}: ${item.because}\n`);
  for (const item of failed) io.err(`${paint.yellow(signs.warning)} ${item.name} was not removed: ${item.because}\n`);
  if (goes.length > 0 && !flags.yes) io.out(paint.dim(`${planHint('clean', plan)} --yes removes this.\n`));
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
