// The page of `signalbox --help`: every command in its group, one line each, also at 80 columns. Commander would put its flags first and
// fold long lines.
import type { Paint } from '../terminal/paint.ts';
import { inGroups } from './command-groups.ts';
import type { CommandSpec } from './command-spec.ts';

export const programSummary = 'Runs a plan with a fleet of agents, and never gets stuck without knowing why.';

/** The width of the longest name, so that the summaries stand below each other. */
const nameWidth = 14;
const flagWidth = 17;

const everywhere = [
  ['-p, --plan PLAN', 'the plan file; the current one by default'],
  ['-q, --quiet', 'print nothing unless something is wrong'],
  ['-v, --verbose', 'say more'],
  ['    --json', 'for programs: one object, or one per line'],
  ['-h, --help', 'how a command is called, with examples'],
  ['-V, --version', 'the version of Signalbox; also signalbox version'],
] as const;

/** What `signalbox` alone says: short enough for a small terminal. */
export function everydayList(table: readonly CommandSpec[], paint: Paint): string {
  const [everyday] = groupLines(table, paint);
  return [...head(paint), ...everyday!, '"signalbox --help" lists all commands.'].join('\n');
}

export function commandList(table: readonly CommandSpec[], paint: Paint): string {
  return [
    ...head(paint),
    ...groupLines(table, paint).flat(),
    paint.bold('Flags that most commands have'),
    ...everywhere.map(([flags, about]) => line(paint, flags, about, flagWidth)),
    '',
    '"signalbox help WORD" explains a command, an exit code, or a code in brackets.',
    '',
  ].join('\n');
}

const head = (paint: Paint): string[] => [
  programSummary,
  '',
  `${paint.bold('Usage:')} signalbox COMMAND [ARGUMENTS] [FLAGS]`,
  '',
];

const groupLines = (table: readonly CommandSpec[], paint: Paint): string[][] =>
  inGroups(table).map(({ title, commands }) => [
    paint.bold(title),
    ...commands.map(({ name, summary }) => line(paint, name, summary, nameWidth)),
    '',
  ]);

const line = (paint: Paint, what: string, about: string, width: number): string =>
  `  ${paint.cyan(what.padEnd(width))}  ${about}`;
