// `signalbox completion SHELL`: prints the script that makes a shell complete commands, flags, plan files and ids.
import { Refusal } from '../../api/refusal.ts';
import { completionScripts } from '../completion-scripts.ts';
import { jsonLine } from '../json-line.ts';
import type { PerformAlone } from '../request.ts';

export const completion: PerformAlone = async ({ io, args, flags }) => {
  const shell = args[0]!;
  const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell]! : null;
  if (script === null) {
    const known = Object.keys(completionScripts).join(', ');
    throw new Refusal(2, `there is no completion for "${shell}"`, { instead: `take one of ${known}` });
  }
  io.out(flags.json ? jsonLine({ shell, script }) : script);
  return 0;
};
