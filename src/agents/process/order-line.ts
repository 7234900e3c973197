// Writes an order as the line of shell that a worker performs. Everything that comes from outside is a single-quoted word,
// so no name, argument or value is ever read as shell; the whole is one brace group, so half a line does nothing.
import { isAbsolute } from 'node:path';
import type { StartOrder } from './attempt-host.ts';
import { markerVariable } from './process-table.ts';

/** The first line of every worker: signals meant for an attempt's group must not end it, and they stay default for programs. */
export const workerPreamble = `trap : HUP INT QUIT TERM PIPE USR1 USR2;set -C;sb_u=$(umask);echo "w $1"\n`;

export type OrderLine =
  | { readonly kind: 'line'; readonly text: string }
  /** It can never be started. */
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Claim, journal, folder, program, journal, notice: in this order. The claim is `true >file` under `set -C`: an exclusive
 * creation, by a regular builtin, because a failed redirection of a special one ends the shell. Only builtins besides the
 * program itself, so an attempt costs one fork. Descriptor 3 is the journal, 1 the notices; the program gets neither.
 */
export function orderLine(order: StartOrder, marker: string): OrderLine {
  const message = problemOf(order);
  if (message !== null) return { kind: 'refused', message };
  const { token } = order;
  const output = quoted(order.outputFile);
  const input = quoted(order.stdinFile ?? '/dev/null');
  const errors = order.errorFile === undefined ? '2>&1' : `2>>${quoted(order.errorFile)}`;
  const program = `${programWords(order, marker)} <${input} >>${output} ${errors} 3>&-;sb_c=$?`;
  const text =
    `{ umask 077;if true >${output};then umask $sb_u;` +
    `if echo "s ${token} $$;" >&3;then ` +
    `if ! cd ${quoted(order.cwd)};then sb_c=cd;` +
    (order.stdinFile === undefined ? '' : `elif ! [ -r ${input} ];then sb_c=stdin;`) +
    `else unset OLDPWD;${program}${isShellCommand(order) ? '' : directProgram};fi;` +
    'else sb_c=journal;fi;else umask $sb_u;sb_c=claim;fi;' +
    `echo "e ${token} $sb_c;" >&3;echo "e ${token} $sb_c"; }\n`;
  return { kind: 'line', text };
}

/** A shell says 126 or 127 also about a command inside it; of any other program our own shell says it. */
const isShellCommand = ({ argv }: StartOrder): boolean => argv[0] === '/bin/sh' && argv[1] === '-c';
const directProgram = ';case $sb_c in 126|127) sb_c=u$sb_c;;esac';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Assigning to one of these ends some shells or means something to them: they are handed over by `env` instead. */
const touchy =
  /^(UID|EUID|PPID|GROUPS|SHELLOPTS|BASHOPTS|BASH_.*|DIRSTACK|FUNCNAME|LINENO|OPTIND|SECONDS|RANDOM|POSIXLY_CORRECT|IFS|_|sb_.*)$/;

function programWords(order: StartOrder, marker: string): string {
  const assigned: string[] = [];
  const handed: string[] = [];
  for (const [name, value] of Object.entries({ ...order.env, [markerVariable]: marker })) {
    if (touchy.test(name)) handed.push(quoted(`${name}=${value}`));
    else assigned.push(`${name}=${quoted(value)}`);
  }
  const env = handed.length === 0 ? [] : ['/usr/bin/env', ...handed];
  return [...assigned, ...env, ...order.argv.map(quoted)].join(' ');
}

function problemOf(order: StartOrder): string | null {
  if (!isAbsolute(order.argv[0])) return `the program's path is not absolute: ${JSON.stringify(order.argv[0])}`;
  if (!isAbsolute(order.cwd)) return `the working directory's path is not absolute: ${JSON.stringify(order.cwd)}`;
  for (const name of Object.keys(order.env)) {
    if (!identifier.test(name)) return `not a name of an environment variable: ${JSON.stringify(name)}`;
  }
  const files = [order.outputFile, order.stdinFile ?? '', order.errorFile ?? ''];
  const texts = [...order.argv, order.cwd, ...files, ...Object.values(order.env)];
  if (texts.some((text) => text.includes('\0'))) return 'an argument, path or environment value has a NUL character';
  return null;
}
