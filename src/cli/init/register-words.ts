// The words of `init --mcp` and `init --mcp --undo`: every change as it will be, what was done, and what to type next.
import type { RegisterReport, UnregisterReport } from '../../api/reports/register.ts';
import { quoted } from '../../core/model/command-line.ts';
import { listWords } from '../../core/model/count-words.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import type { Paint } from '../terminal/paint.ts';
import { signs } from '../text/signs.ts';
import { changeLines } from './init-words.ts';

export function registerOffer(report: RegisterReport, { paint }: Request): string {
  const start = `The MCP server signalbox, for you and in every folder. Agents start it with:\n  ${shown(report.command)}\n`;
  const may = report.decide ? 'It may answer decisions in your place.\n' : '';
  return `${start}${may}\n${changesOf(report, paint)}${leftAlone(report, paint)}${notes(report, paint)}`;
}

export const unregisterOffer = (report: UnregisterReport, { paint }: Request): string => changesOf(report, paint);

export function registerQuestion({ changes, decide }: RegisterReport): string {
  const also = changes.some(({ action }) => action === 'replace') ? ', in place of what is there' : '';
  const may = decide ? `, and let ${changes.length === 1 ? 'it' : 'them'} decide for you` : '';
  return `Register signalbox with ${agentsOf(changes)}${also}${may}?`;
}

export const unregisterQuestion = ({ changes }: UnregisterReport): string =>
  `Take back the registration with ${agentsOf(changes)}?`;

export function registerDone(report: RegisterReport, { paint }: Request): string {
  const { written, changes, agents } = report;
  const tick = paint.green(signs.completed);
  const names = agents.join(',');
  if (!written) return `${tick} Nothing was changed.\n${leftAlone(report, paint)}`;
  const rows: readonly (readonly [string, string])[] = [
    ...changes.map(({ agent }) => [`${agent} mcp list`, 'see it'] as const),
    [`signalbox init --mcp ${names} --undo`, 'take it back'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, about]) => `  ${command.padEnd(width)}  ${paint.dim(about)}\n`);
  const begins = 'Sessions that begin from now on have it.';
  return `${tick} Registered with ${agentsOf(changes)}. ${begins}\n\nNext:\n${lines.join('')}`;
}

export function unregisterDone({ written, changes, stays, agents }: UnregisterReport, { paint }: Request): string {
  const nothing =
    stays.length === 0 ? `Nothing to take back: init has registered nothing with ${listWords(agents)}.\n` : '';
  const lines = plainData(stays).map(
    ({ path, because }) => `${paint.yellow(signs.warning)} ${path} stays: it ${because}\n`,
  );
  return `${written ? `${paint.green(signs.completed)} Taken back from ${agentsOf(changes)}.\n` : nothing}${lines.join('')}`;
}

type Changes = RegisterReport['changes'] | UnregisterReport['changes'];

const agentsOf = (changes: Changes): string => listWords(changes.map(({ agent }) => agent));

/** A program that changes its settings itself is shown with how it is called. */
function changesOf({ changes }: { readonly changes: Changes }, paint: Paint): string {
  return changes
    .map((change) => {
      const calls = change.calls.map((words) => `${paint.dim('by:')} ${shown(words)}\n`).join('');
      if (calls === '') return changeLines([change], paint);
      // Its place in the file is not ours to tell.
      const told = { ...change, diff: change.diff.replace(/^@@.*\n/, '') };
      return `${changeLines([told], paint)}${calls}\n`;
    })
    .join('');
}

const shown = (words: readonly string[]): string => safeLine(words.map(quoted).join(' '));

function leftAlone({ leftAlone: left }: RegisterReport, paint: Paint): string {
  const lines = plainData(left).map(({ path, because }) => paint.dim(`${path} ${because}.\n`));
  return lines.length === 0 ? '' : `${lines.join('')}`;
}

const notes = (report: RegisterReport, paint: Paint): string =>
  plainData(report.notes)
    .map((note) => `${paint.yellow(signs.warning)} ${note}\n`)
    .join('');
