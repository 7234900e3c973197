// `signalbox completion SHELL`: a script for the shell that completes commands, flags, plan files and ids.
import { Refusal } from '../../api/refusal.ts';
import { jsonLine } from '../json/json-line.ts';
import type { PerformAlone } from '../request.ts';
import { completionScripts } from '../table/completion-scripts.ts';

export const completion: PerformAlone = async ({ io, args, flags }) => {
  const shell = args[0]!;
  const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell]! : null;
  if (script === null) {
    const known = Object.keys(completionScripts).join(', ');
    throw new Refusal(2, `there is no completion for "${shell}"`, { instead: `use one of ${known}` });
  }
  io.out(flags.json ? jsonLine({ shell, script }) : script);
  return 0;
};
