// `run --detach`: the run goes on in a process of its own. A refusal is printed as that process printed it, with its exit code.
import { Refusal } from '../../api/refusal.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Flags, Request } from '../request.ts';
import { planHint } from '../text/hint.ts';
import { beforeFresh } from './before-run.ts';
import { runOptions } from './run-options.ts';
import { waiting } from './start-over.ts';

export async function detach(request: Request): Promise<number> {
  const { box, io, paint, plan, flags } = request;
  if (flags.dryRun)
    throw new Refusal(2, '--detach and --dry-run contradict each other', { instead: 'use one of them' });
  if (!(await beforeFresh(request))) return waiting;
  // Nobody can ask the other process' person.
  const confirmed: Flags = flags.fresh ? { ...flags, yes: true } : flags;
  const argv = ['run', ...(plan === undefined ? [] : [plan]), ...flagWords(confirmed)];
  const detached = await (await box.runs()).detach(plan, { argv, options: runOptions(flags) });
  if (detached.kind === 'refused') {
    (flags.json ? io.out : io.err)(detached.printed);
    return detached.exitCode;
  }
  const { report } = detached;
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { plan: path, run, pid, log, exitCode } = plainData(report);
  const rows = [
    [planHint('attach', plan), 'follows it as this terminal would'],
    [`${planHint('status', plan)} --watch`, 'shows where it is'],
    ...(exitCode === null ? [[planHint('stop', plan), 'ends it']] : []),
  ] as const;
  const width = Math.max(...rows.map(([typed]) => typed.length));
  io.out(`${path} ${exitCode === null ? 'runs' : 'ran'} on its own: ${run}, process ${pid}.\n`);
  for (const [typed, about] of rows) io.out(`  ${typed.padEnd(width)}  ${paint.dim(about)}\n`);
  io.out(paint.dim(`  What it prints: ${log}\n`));
  return 0;
}

/** Flags with a `--no-` form are true when nothing was typed. */
const negatable: ReadonlySet<string> = new Set<keyof Flags>(['reload', 'deadlockDetection']);

/** What was typed, again: whatever flags `run` has, its other process gets them too. */
export function flagWords({ detach: _, plan: __, ...flags }: Flags): string[] {
  return Object.entries(flags).flatMap(([key, value]): string[] => {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === undefined || (value === true && negatable.has(key))) return [];
    if (value === true) return [`--${name}`];
    if (value === false) return [`--no-${name}`];
    return [`--${name}`, Array.isArray(value) ? value.join(',') : String(value)];
  });
}
