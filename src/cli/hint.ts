// A command to paste next, as it was meant: with the plan named when the person had named one.
import { shellWord } from './shell-word.ts';

/** `args` are ready for a shell; a plan is added as `--plan`. */
export function hint(args: string, plan: string | undefined): string {
  return `signalbox ${args}${plan === undefined ? '' : ` --plan ${shellWord(plan)}`}`;
}

/** For commands whose argument is the plan. */
export function planHint(command: string, plan: string | undefined): string {
  return `signalbox ${command}${plan === undefined ? '' : ` ${shellWord(plan)}`}`;
}
