// `signalbox clean`: trees and branches that nobody needs any more, shown first, and removed with --yes.
import type { CleanReport } from '../../api/reports/results.ts';
import { countWords } from '../../core/model/count-words.ts';
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
  if (stays.length > 0) io.out(`Stays:\n`);
  for (const item of stays) io.out(`  ${words(item)}: ${item.because}\n`);
  for (const item of failed) io.err(`${paint.yellow(signs.warning)} ${item.name} was not removed: ${item.because}\n`);
  if (goes.length > 0 && !flags.yes) io.out(paint.dim(`${planHint('clean', plan)} --yes removes this.\n`));
  return exitCode;
}

type Item = CleanReport['items'][number];

function sum(items: readonly Item[]): string {
  const trees = items.filter(({ kind }) => kind === 'tree');
  const parts = [
    ...(trees.length > 0 ? [countWords(trees.length, 'tree')] : []),
    ...(trees.length < items.length ? [countWords(items.length - trees.length, 'branch', 'branches')] : []),
  ];
  return `${parts.join(' and ')}, ${sizeWords(trees.reduce((all, { bytes }) => all + (bytes ?? 0), 0))}`;
}

const words = ({ name, bytes }: Item): string => (bytes === null ? name : `${name} (${sizeWords(bytes)})`);

function sizeWords(bytes: number): string {
  const [unit, size] = bytes < 1e6 ? ['kB', bytes / 1e3] : bytes < 1e9 ? ['MB', bytes / 1e6] : ['GB', bytes / 1e9];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
