// One check of a task that is marked complete by hand: in the workspace, seeing of the environment what attempts see.
import { baseEnvironment } from '../../agents/base-environment.ts';
import { runCheck } from '../../agents/run-check.ts';
import { timeLimitOf } from '../../core/defaults.ts';
import type { Task } from '../../core/plan.ts';
import type { HandParts } from './hand-desk.ts';
import type { CheckReport, CompleteOptions } from './hand-reports.ts';

export interface HandCheck {
  readonly command: string;
  readonly definition: Task;
  readonly attempt: string;
}

export async function checkByHand(
  { workspace, env, path }: HandParts,
  { command, definition, attempt }: HandCheck,
  { onOutput, signal }: CompleteOptions,
): Promise<CheckReport> {
  const end = await runCheck({
    command,
    cwd: workspace.root,
    env: {
      ...baseEnvironment(env),
      ...definition.keys.env,
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
