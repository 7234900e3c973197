// What an agent is told of what happened before: gathered for its next attempt, and for a person who wants to see that.
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isGoverned } from '../../agents/kind.ts';
import { performerOf } from '../../agents/performer.ts';
import { readEnd } from '../../agents/process/output-tail.ts';
import type { FinishedNeed } from '../../agents/prompt/built-on.ts';
import type { PromptParts } from '../../agents/prompt/prompt.ts';
import type { Talk } from '../../core/rules/go-on.ts';
import { findingFile, placesOf } from '../../status/output-places.ts';
import type { Ground } from './ground.ts';
import { talkFor } from './talk.ts';
import type { TaskLogs } from './task-logs.ts';
import { isCommand, type Work } from './work.ts';

const mostLog = 4_000;
const mostErrors = 1_000;
const mostFindings = 80_000;

/** @param logs null: nothing was ever printed here. */
export function told(
  work: Work,
  ground: Pick<Ground, 'root' | 'outputsFolder' | 'settings' | 'template'>,
  logs: TaskLogs | null,
  tree = ground.root,
): Omit<PromptParts, 'plan' | 'task' | 'attempt'> {
  const { live, note, stopped, review, results, needs } = work;
  const talk = talkFor(work, ground.settings, tree);
  return {
    ...(talk === null ? {} : { talk }),
    ...rulesFor(work, ground),
    warnings: live.warnings,
    ...feedback(work, talk, logs),
    ...(note === null ? {} : { note }),
    ...(stopped ? { stopped } : {}),
    ...(review ? { review } : {}),
    ...(results ? { results } : {}),
    ...(ground.template === undefined ? {} : { template: ground.template }),
    ...(needs.length === 0 ? {} : { builtOn: builtOn(work, ground) }),
  };
}

/** What holds for whoever performs it. */
export function rulesFor(
  { task, live }: Work,
  { settings }: Pick<Ground, 'settings'>,
): Pick<PromptParts, 'isGoverned' | 'isAudited' | 'isCoding'> {
  const performer = performerOf(live.job, task, settings);
  if (!('kind' in performer) || performer.kind.known === null) return {};
  return {
    isCoding: true,
    ...(isGoverned(performer.kind, settings) ? { isGoverned: true } : {}),
    ...(settings.audit === 'fail' ? { isAudited: true } : {}),
  };
}

function builtOn({ plan, needs }: Work, ground: Pick<Ground, 'root' | 'outputsFolder'>): FinishedNeed[] {
  const places = placesOf(ground, [], plan.path);
  return needs.map(({ id, title, files }) => {
    const path = findingFile(places, id);
    if (!existsSync(path)) return { id, title, files, findings: null };
    const file = relative(ground.root, path).split(sep).join('/');
    return { id, title, files, findings: { file, text: newestFinding(readEnd(path, mostFindings), id) } };
  });
}

/** Each attempt adds what it found: the last one did the work. */
const newestFinding = (text: string, task: string): string =>
  text.slice(Math.max(0, text.lastIndexOf(`What ${task}#`)));

type Feedback = Pick<PromptParts, 'previous' | 'checkLog' | 'printed' | 'errors'>;

function feedback(work: Work, talk: Talk | null, logs: TaskLogs | null): Feedback {
  const { failure: previous, task, live } = work;
  if (!previous) return {};
  if (logs === null || isCommand(task, live)) return { previous };
  return { previous, ...endOfOutput(work, talk, logs) };
}

/** Of whatever has failed: what it printed last tells most. */
function endOfOutput({ failure, failedAs, task, live }: Work, talk: Talk | null, logs: TaskLogs): Feedback {
  const attempts = Number(/#(\d+)$/.exec(live.attempt)?.[1] ?? 1);
  const isCheck = failure?.kind === 'check';
  const name = logs.named(task.id, isCheck ? failure.token : failedAs, attempts);
  if (name === null) return {};
  switch (failure?.kind) {
    case 'check':
      return { checkLog: logs.tail(name, mostLog) };
    case 'exit':
    case 'timeout':
    case 'idle':
    case 'mute':
    case 'lost':
    case 'nothing-done':
      return talk?.kind === 'goes-on'
        ? { errors: logs.errors(name, mostErrors) }
        : { printed: logs.tail(name, mostLog) };
    case 'agent': {
      const printed = talk?.kind === 'goes-on' ? '' : logs.tail(name, mostLog);
      return failure.message.includes(printed) ? {} : { printed };
    }
    default:
      return {}; // it says everything itself
  }
}
