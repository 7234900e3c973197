// What an agent is told of what happened before: gathered for its next attempt, and for a person who wants to see that.
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isGoverned } from '../../agents/kind.ts';
import { performerOf } from '../../agents/performer.ts';
import { readEnd } from '../../agents/process/output-tail.ts';
import type { FinishedNeed } from '../../agents/prompt/built-on.ts';
import type { PromptParts } from '../../agents/prompt/prompt.ts';
import type { Talk } from '../../core/rules/go-on.ts';
import { findingFile, type OutputRoots, placesOf } from '../../status/output-places.ts';
import { withoutAnswer } from '../merge/merge-answer.ts';
import type { RunSite } from '../run-site.ts';
import { ownTree, rootFor } from '../trees/tree-places.ts';
import { talkFor } from './talk.ts';
import type { TaskLogs } from './task-logs.ts';
import { isCommand, type Work } from './work.ts';

const mostLog = 4_000;
/** With the answer of the merge behind it. */
const mostMergeLog = 64_000;
const mostErrors = 1_000;
const mostFindings = 80_000;

/** @param logs null: nothing was ever printed here. */
export function told(
  work: Work,
  site: OutputRoots & Pick<RunSite, 'settings' | 'template'>,
  logs: TaskLogs | null,
): Omit<PromptParts, 'plan' | 'task' | 'attempt'> {
  const { live, note, stopped, review, results, needs } = work;
  const talk = talkFor(work, site.settings, rootFor(work, site.root));
  return {
    ...(talk === null ? {} : { talk }),
    ...rulesFor(work, site),
    warnings: live.warnings,
    ...feedback(work, talk, logs),
    ...(note === null ? {} : { note }),
    ...(stopped ? { stopped } : {}),
    ...(review ? { review } : {}),
    ...(results ? { results } : {}),
    ...(site.template === undefined ? {} : { template: site.template }),
    ...(needs.length === 0 ? {} : { builtOn: builtOn(work, site) }),
  };
}

/** What holds for whoever performs it. In a tree of its own nothing takes locks, and nothing asks for them. */
export function rulesFor(
  work: Work,
  { settings }: Pick<RunSite, 'settings'>,
): Pick<PromptParts, 'isGoverned' | 'isAudited' | 'isCoding' | 'tree'> {
  const { task, live, isolation } = work;
  const performer = performerOf(live.job, task, settings);
  const isCoding = 'kind' in performer && performer.kind.known !== null;
  if (isolation !== null) return { ...(isCoding ? { isCoding } : {}), tree: ownTree(isolation, work) };
  if (!isCoding) return {};
  return {
    isCoding: true,
    ...(isGoverned(performer.kind, settings) ? { isGoverned: true } : {}),
    ...(settings.audit === 'fail' ? { isAudited: true } : {}),
  };
}

function builtOn({ plan, needs, isolation }: Work, site: OutputRoots): FinishedNeed[] {
  const places = placesOf(site, [], plan.path);
  return needs.map(({ id, title, files }) => {
    const path = findingFile(places, id);
    if (!existsSync(path)) return { id, title, files, findings: null };
    // It is in the workspace, and in no tree.
    const file = isolation === null ? relative(site.root, path).split(sep).join('/') : path;
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

const endOf = (text: string): string => (text.length > mostLog ? `…${text.slice(-mostLog).trim()}` : text);

/** Of whatever has failed: what it printed last tells most. */
function endOfOutput({ failure, failedAs, task, live }: Work, talk: Talk | null, logs: TaskLogs): Feedback {
  const attempts = Number(/#(\d+)$/.exec(live.attempt)?.[1] ?? 1);
  const isJob = failure?.kind === 'check' || failure?.kind === 'merge';
  const name = logs.named(task.id, isJob ? failure.token : failedAs, attempts);
  if (name === null) return {};
  switch (failure?.kind) {
    case 'check':
      return { checkLog: logs.tail(name, mostLog) };
    case 'merge':
      return failure.result === 'red' ? { checkLog: endOf(withoutAnswer(logs.tail(name, mostMergeLog))) } : {};
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
