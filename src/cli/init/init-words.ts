// The words of `init` and `init --undo`: every change as it will be, what was done, and what to type next.
import type { InitReport, UndoReport } from '../../api/reports/init.ts';
import { listWords } from '../../core/model/count-words.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { planHint } from '../text/hint.ts';
import { patchLines } from '../text/patch-lines.ts';
import { signs } from '../text/signs.ts';

const titles = {
  create: 'new',
  append: 'added at its end',
  remove: 'removed',
  cut: 'cut out',
  add: 'added',
  replace: 'changed',
  restore: 'as it was before init',
} as const;

export function initOffer(report: InitReport, { paint }: Request): string {
  const { root, agent, agents } = plainData(report);
  const found =
    agent === null
      ? 'none is installed, so the first plan runs commands'
      : `${agent} (installed: ${agents.join(', ')})`;
  return `workspace: ${root}\nagent: ${found}\n\n${changeLines(report.changes, paint)}${leftAlone(report, paint)}`;
}

export const undoOffer = ({ root, changes }: UndoReport, { paint }: Request): string =>
  `workspace: ${safeLine(root)}\n\n${changeLines(changes, paint)}`;

export type ShownChanges = readonly {
  readonly path: string;
  readonly action: keyof typeof titles;
  readonly diff: string;
}[];

export function changeLines(changes: ShownChanges, paint: Paint): string {
  return changes
    .map(({ path, action, diff }) => {
      const isWhole = action === 'create' || action === 'remove';
      // Where all of a file is shown, it does not help to know from which line on.
      const lines = isWhole ? diff.replace(/^@@.*\n/, '') : diff;
      return `${paint.bold(safeLine(path))} ${paint.dim(`(${titles[action]})`)}\n${patchLines(lines, paint)}\n`;
    })
    .join('');
}

function leftAlone(report: InitReport, paint: Paint): string {
  const lines = plainData(report.leftAlone).map(({ path, because }) => paint.dim(`${path} ${because}.\n`));
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

export function initDone(report: InitReport, { paint }: Request): string {
  const { written, changes, root } = report;
  const tick = paint.green(signs.completed);
  const first = written
    ? `${tick} Written: ${pathsOf(changes)}\n\n`
    : `${tick} Everything is there already in ${safeLine(root)}; nothing was changed.\n${leftAlone(report, paint)}`;
  return `${first}${next(report, paint)}`;
}

function next({ plan, agent, written }: InitReport, paint: Paint): string {
  const rows = [
    ...(plan === null ? [] : [[planHint('run', plan), 'run the plan']]),
    ['signalbox plan "what you want"', `have ${agent ?? 'an agent'} write a plan for that`],
    ...(written ? [['signalbox init --undo', 'take all of this back']] : []),
  ] as [string, string][];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, about]) => `  ${command.padEnd(width)}  ${paint.dim(safeLine(about))}\n`);
  return `Next:\n${lines.join('')}`;
}

export function undoDone(report: UndoReport, { paint }: Request): string {
  const { written, changes, stays, kept, root } = report;
  const nothing =
    stays.length === 0 ? `Nothing to take back: no init of yours is recorded for ${safeLine(root)}.\n` : '';
  const lines = [
    written ? `${paint.green(signs.completed)} Taken back: ${pathsOf(changes)}\n` : nothing,
    ...plainData(stays).map(({ path, because }) => `${paint.yellow(signs.warning)} ${path} stays: it ${because}\n`),
    ...(written && kept.length > 0
      ? [`${listWords(plainData(kept))} ${kept.length === 1 ? 'stays' : 'stay'}, with what runs have recorded.\n`]
      : []),
  ];
  return lines.join('');
}

export const pathsOf = (changes: ShownChanges): string => listWords(changes.map(({ path }) => safeLine(path)));
