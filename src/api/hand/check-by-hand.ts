// One check of a task that is marked complete by hand: runs in the workspace, with the environment of an attempt.
import { baseEnvironment, pathWith } from '../../agents/process/base-environment.ts';
import { runCheck } from '../../agents/process/run-check.ts';
import { timeLimitOf } from '../../core/model/defaults.ts';
import type { Task } from '../../core/model/plan.ts';
import type { HandCheck } from '../reports/hand.ts';
import { installCommand } from '../trust/own-command.ts';
import { toldState } from '../trust/user-folder.ts';
import type { HandParts } from './hand-desk.ts';
import type { CompleteOptions } from './hand-door.ts';

export interface WantedCheck {
  readonly command: string;
  readonly definition: Task;
  readonly attempt: string;
}

export async function checkByHand(
  { workspace, env, path, command: own }: HandParts,
  { command, definition, attempt }: WantedCheck,
  { onOutput, signal }: CompleteOptions,
): Promise<HandCheck> {
  const given = { ...baseEnvironment(env), ...definition.keys.env };
  const end = await runCheck({
    command,
    cwd: workspace.root,
    env: {
      ...given,
      PATH: pathWith(installCommand(workspace.userFolder, own), given.PATH),
      ...toldState(workspace.userFolder),
      SIGNALBOX_WORKSPACE: workspace.root,
      SIGNALBOX_PLAN: path,
      SIGNALBOX_TASK: definition.id,
      SIGNALBOX_ATTEMPT: attempt,
      SIGNALBOX_AGENT: attempt,
    },
    limitMs: timeLimitOf(definition, { kind: 'check', check: 0 }),
    ...(onOutput ? { onOutput } : {}),
    ...(signal ? { signal } : {}),
  });
  const { code: exitCode, because, tail, durationMs } = end;
  return { command, green: exitCode === 0, exitCode, because, durationMs: Math.round(durationMs), tail };
}
