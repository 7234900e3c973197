// An error for people or programs: a sentence and the way out on standard error, or one object on standard output with `--json`.
// The exit code tells a person's mistake, an outage and a bug apart.
import { CommanderError } from 'commander';
import { Refusal } from '../../api/refusal.ts';
import { commandLine } from '../../core/model/command-line.ts';
import type { Io } from '../io.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import { commandTable } from '../table/command-table.ts';
import { paintFor } from '../terminal/paint.ts';
import { wrapped } from '../terminal/whole-words.ts';
import { shellPath } from './shell-word.ts';
import { type Diagnostic, showDiagnostics } from './show-diagnostics.ts';
import { signs } from './signs.ts';

export interface ErrorManner {
  readonly json: boolean;
  readonly verbose: boolean;
  /** The way out if nothing better is known. */
  readonly help: string;
  /** A command that takes tasks or files: a word with a dash may be one of them. */
  readonly takesWords?: string;
  /** The plan that was named. */
  readonly plan?: string | undefined;
}

export function showError(error: unknown, io: Io, manner: ErrorManner): number {
  const told = tell(error, manner);
  if (manner.json) {
    const { stack, ...fields } = told;
    io.out(jsonLine({ type: 'error', ...fields, ...(manner.verbose && stack ? { stack } : {}) }));
    return told.exitCode;
  }
  const paint = paintFor(io.errorColor);
  const { message, instead, diagnostics } = plainData(told);
  if (diagnostics.length > 0) io.err(`${showDiagnostics(diagnostics, paint, io.columns())}\n`);
  io.err(`${wrapped(`${paint.red('signalbox:')} ${message}`, io)}\n`);
  if (instead !== null) io.err(`${wrapped(`  ${paint.bold('help')}: ${instead}`, io)}\n`);
  if (manner.verbose && told.stack) io.err(`${told.stack.split('\n').map(plainData).join('\n')}\n`);
  return told.exitCode;
}

/** A warning beside the output of a command goes to standard error, so that `--json` stays one object. */
export const warningLine = (text: string): string => `${signs.warning} ${safeLine(text)}\n`;

interface Told {
  readonly exitCode: number;
  readonly message: string;
  readonly instead: string | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly stack?: string | undefined;
}

function tell(error: unknown, manner: ErrorManner): Told {
  if (error instanceof Refusal) {
    const { exitCode, message, instead, diagnostics, stack } = error;
    const way = instead === undefined || manner.plan === undefined ? instead : namePlan(instead, manner.plan);
    return { exitCode, message, instead: way ?? null, diagnostics, ...(exitCode === 2 ? {} : { stack }) };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof CommanderError) return tellUsage(message, manner);
  // Known by name: the class lives below the api, where faces do not reach.
  if (name === 'Outage') return { exitCode: 70, message, instead: null, diagnostics: [], stack };
  if (/\b(?:EMFILE|ENFILE)\b/.test(`${(error as NodeJS.ErrnoException).code} ${message}`)) {
    const raise = 'raise the limit (ulimit -n), or run less at the same time; nothing recorded is lost';
    return { exitCode: 70, message: `too many open files (${message})`, instead: raise, diagnostics: [], stack };
  }
  const instead = manner.verbose
    ? null
    : 'run it again with --verbose and report what it prints; nothing recorded is lost';
  return { exitCode: 70, message: `this is a bug in Signalbox: ${message}`, instead, diagnostics: [], stack };
}

function tellUsage(message: string, manner: ErrorManner): Told {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(rest.join(' '))?.[1];
  const [, dashed] = /^unknown option '(.*)'$/.exec(first) ?? [];
  const { takesWords } = manner;
  const meant =
    dashed === undefined || dashed.startsWith('--') || takesWords === undefined
      ? manner.help
      : `if it is a task or a file: ${commandLine(takesWords, dashed)}; ${manner.help}`;
  const instead = suggestion === undefined ? meant : `did you mean ${suggestion}?`;
  return { exitCode: 2, message: usageWords(first), instead, diagnostics: [] };
}

/** What commander says, in our words. */
function usageWords(message: string): string {
  const [, missing] = /^missing required argument '(.*)'$/.exec(message) ?? [];
  if (missing !== undefined) return `${missing} is missing`;
  const [, flag] = /^option '(?:-\w, )?(.*)' argument missing$/.exec(message) ?? [];
  if (flag !== undefined) return `a value is missing: ${flag}`;
  const [, command, most, given] =
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/.exec(message) ?? [];
  if (command !== undefined) {
    const takes = most === '0' ? 'no arguments' : `${most === '1' ? 'one argument' : `${most} arguments`} at most`;
    return `${command} takes ${takes}, not ${given}`;
  }
  return message.replace(/^unknown option /, 'unknown flag ');
}

/** Adds the plan that a person named to the commands in a refusal: the rules that wrote it do not know the command line. */
export function namePlan(text: string, plan: string): string {
  return text.replaceAll(/signalbox ([a-z-]+)/g, (typed, name: string, at: number) => {
    const behind = text.slice(at + typed.length);
    if (behind.startsWith(' --help')) return typed;
    const takes = commandTable.find((spec) => spec.name === name)?.plan;
    if (takes === 'flag') return `${typed} --plan ${shellPath(plan)}`;
    // The plan is named already, or the sentence goes on.
    return takes === 'argument' && !/^ [^-]/.test(behind) ? `${typed} ${shellPath(plan)}` : typed;
  });
}
