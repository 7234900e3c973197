// What went wrong, told once: a sentence and the way out on standard error, or one object on standard output with `--json`.
// Returns the exit code, which tells a person's mistake, trouble outside and a bug of ours apart.
import { Refusal } from '../api/refusal.ts';
import { typed } from '../core/typed.ts';
import type { Io } from './io.ts';
import { jsonLine } from './json-line.ts';
import { namePlan } from './name-plan.ts';
import { paintFor } from './paint.ts';
import { plainData } from './plain-data.ts';
import { type Diagnostic, showDiagnostics } from './show-diagnostics.ts';

export interface ErrorManner {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Where help is to be had when nothing better is known. */
  readonly help: string;
  /** A command that takes tasks or files: what begins with a dash can be meant as one of them. */
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
  io.err(`${paint.red('signalbox:')} ${message}\n`);
  if (instead !== null) io.err(`  ${paint.bold('help')}: ${instead}\n`);
  if (manner.verbose && told.stack) io.err(`${told.stack.split('\n').map(plainData).join('\n')}\n`);
  return told.exitCode;
}

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
  if (isUsage(error)) return tellUsage(message, manner);
  // Known by name: the class lives below the api, where faces do not reach.
  if (name === 'Outage') return { exitCode: 70, message, instead: null, diagnostics: [], stack };
  const instead = manner.verbose
    ? null
    : 'run it again with --verbose and report what it prints; nothing recorded is lost';
  return { exitCode: 70, message: `this is a bug in Signalbox: ${message}`, instead, diagnostics: [], stack };
}

/** Known by code: commander is not loaded for the mistakes of others, and in a bundle its classes have other names. */
const isUsage = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');

function tellUsage(message: string, manner: ErrorManner): Told {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(rest.join(' '))?.[1];
  const [, dashed] = /^unknown option '(.*)'$/.exec(first) ?? [];
  const { takesWords } = manner;
  const meant =
    dashed === undefined || dashed.startsWith('--') || takesWords === undefined
      ? manner.help
      : `if it is a task or a file: ${typed(takesWords, dashed)}; ${manner.help}`;
  const instead = suggestion === undefined ? meant : `did you mean ${suggestion}?`;
  return { exitCode: 2, message: first, instead, diagnostics: [] };
}
