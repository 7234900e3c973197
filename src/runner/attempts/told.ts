// What an agent is told of what happened before: gathered for its next attempt, and for a person who wants to see that.
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isGoverned } from '../../agents/kind.ts';
import { performerOf } from '../../agents/performer.ts';
import type { FinishedNeed, PromptParts } from '../../agents/prompt/prompt.ts';
import { findingFile, placesOf } from '../../status/output-places.ts';
import type { Ground } from './ground.ts';
import { talkFor } from './talk.ts';
import type { TaskLogs } from './task-logs.ts';
import type { Work } from './work.ts';

const mostLog = 4_000;

/** @param logs null: nothing was ever printed here. */
export function told(
  work: Work,
  ground: Pick<Ground, 'root' | 'outputsFolder' | 'settings' | 'template'>,
  logs: TaskLogs | null,
): Omit<PromptParts, 'plan' | 'task' | 'attempt'> {
  const { live, note, stopped, review, results, needs } = work;
  const talk = talkFor(work, ground);
  return {
    ...(talk === null ? {} : { talk }),
    ...(isHeldToLocks(work, ground) ? { isGoverned: true } : {}),
    warnings: live.warnings,
    ...feedback(work, logs),
    ...(note === null ? {} : { note }),
    ...(stopped ? { stopped } : {}),
    ...(review ? { review } : {}),
    ...(results ? { results } : {}),
    ...(ground.template === undefined ? {} : { template: ground.template }),
    ...(needs.length === 0 ? {} : { builtOn: builtOn(work, ground) }),
  };
}

function isHeldToLocks({ task, live }: Work, { settings }: Pick<Ground, 'settings'>): boolean {
  const performer = performerOf(live.job, task, settings);
  return 'kind' in performer && isGoverned(performer.kind, settings);
}

function builtOn({ plan, needs }: Work, ground: Pick<Ground, 'root' | 'outputsFolder'>): FinishedNeed[] {
  const places = placesOf(ground, [], plan.path);
  return needs.map(({ id, title, files }) => {
    const file = findingFile(places, id);
    return { id, title, files, findings: existsSync(file) ? relative(ground.root, file).split(sep).join('/') : null };
  });
}

function feedback({ failure, task, live }: Work, logs: TaskLogs | null): Pick<PromptParts, 'previous' | 'checkLog'> {
  if (!failure) return {};
  // Nobody reads what a plain command is told.
  if (failure.kind !== 'check' || (task.keys.run !== undefined && live.job.kind === 'attempt' && !live.job.agent))
    return { previous: failure };
  const attempts = Number(/#(\d+)$/.exec(live.attempt)?.[1] ?? 1);
  const checkLog = logs?.tailOfCheck(task.id, failure.token, attempts, mostLog) ?? '';
  return { previous: failure, ...(checkLog === '' ? {} : { checkLog }) };
}
