// docs/commands.md, written from the command table: every command with its arguments, flags, notes and examples.
import { notesOf } from './alike-commands.ts';
import { flagsOf } from './command-flags.ts';
import { inGroups } from './command-groups.ts';
import type { CommandSpec } from './command-spec.ts';
import { findFamily } from './find-command.ts';

export function commandsDoc(table: readonly CommandSpec[]): string {
  const groups = inGroups(table).map(({ title, commands }) => ({
    title,
    commands: commands.flatMap((command) => [
      ...('members' in command ? [] : [command]),
      ...(findFamily(command.name, table)?.members ?? []),
    ]),
  }));
  return `${[
    '# Commands',
    '',
    '<!-- Written by scripts/write-commands-doc.mjs from src/cli/table/command-table.ts; a test keeps it up to date. -->',
    '',
    'Every command has `--help` with an example, `-v` (`--verbose`) to say more, and `--json` for programs: one object, or one per line',
    'for what goes on, as `schema/output.json` in the package describes them. Commands that act or check have `-q` (`--quiet`): they print',
    'nothing unless something is wrong. `signalbox help WORD` explains a command, an exit code, or a code in brackets. A mistyped command,',
    'flag, file, task or agent is answered with the nearest one. Colours go to terminals only, and `NO_COLOR` takes them away.',
    '',
    'Name the plan with `-p PLAN` (`--plan`), or as an argument where the command takes no ids. Without a name, a command means',
    '`SIGNALBOX_PLAN`, else the plan of `signalbox set`, else the one that is being run, else the only one known; if several are left, it',
    'lists them with exit code 2. Commands that only look create nothing, and exit 0, or 2 for what does not exist;',
    '[outcomes.md](outcomes.md) has the exit codes of `run`.',
    '',
    ...groups.flatMap(({ title, commands }) => [
      `**${title}**`,
      '',
      '| | |',
      '|---|---|',
      ...commands.map(indexRow),
      '',
    ]),
    ...groups.flatMap(({ commands }) => commands.flatMap(section)),
  ].join('\n')}`;
}

const indexRow = ({ name, summary }: CommandSpec) =>
  `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${cell(summary)} |`;

function section(spec: CommandSpec): string[] {
  const { name, summary, args = [], examples } = spec;
  // Those that every command has are told at the top.
  const flags = flagsOf(spec).filter(({ flags: written }) => !/--(?:json|verbose)$/.test(written));
  const rows = [
    ...args.map(([arg, about]) => [arg, about]),
    ...flags.map(({ flags: written, about }) => [written, about]),
  ];
  const table = rows.map(([what, about]) => `| \`${cell(what!)}\` | ${cell(about!)} |`);
  return [
    `## ${name}`,
    '',
    `\`signalbox ${[name, ...args.map(([arg]) => arg)].join(' ')}\`: ${summary}.`,
    '',
    ...(table.length > 0 ? ['| | |', '|---|---|', ...table, ''] : []),
    ...notesOf(spec).flatMap((text) => [text, '']),
    '```sh',
    ...examples,
    '```',
    '',
  ];
}

const cell = (text: string) => text.replaceAll('|', '\\|');
