// A command to paste next. It names the plan if the person had named it.
import { shellPath } from './shell-word.ts';

/** `args` are ready for a shell; `--plan` is added before ids after `--`. */
export function hint(args: string, plan: string | undefined): string {
  if (plan === undefined) return `signalbox ${args}`;
  const [before, ...behind] = args.split(' -- ');
  return ['signalbox', before, '--plan', shellPath(plan), ...behind.flatMap((ids) => ['--', ids])].join(' ');
}

/** For commands whose argument is the plan. */
export function planHint(command: string, plan: string | undefined): string {
  return `signalbox ${command}${plan === undefined ? '' : ` ${shellPath(plan)}`}`;
}
