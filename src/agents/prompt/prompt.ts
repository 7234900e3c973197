// What an agent is told: its task and the groups around it as the plan's author wrote them, and what happened before. Pure text;
// it reaches agents through a file and standard input, never through a shell.

import { commandLine } from '../../core/model/command-line.ts';
import type { PreferenceWarning } from '../../core/model/event.ts';
import type { Failure } from '../../core/model/failure.ts';
import type { AttemptId, TaskId } from '../../core/model/ids.ts';
import { impossible } from '../../core/model/impossible.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { ReviewVerdict } from '../../core/model/review.ts';
import { plainLine, plainText } from '../sanitize-terminal.ts';

export interface PromptParts {
  readonly plan: Plan;
  readonly task: Task;
  readonly attempt: AttemptId;
  /** Preferred tasks that ended badly. */
  readonly warnings?: readonly PreferenceWarning[];
  /** How the attempt before this one failed. */
  readonly previous?: Failure;
  /** Why the attempt before was stopped half way, and the name under which its version of the files is kept. */
  readonly stopped?: { readonly because: string; readonly saved: string | null };
  /** The end of what the check printed that was not green. */
  readonly checkLog?: string;
  /** What the last review found. */
  readonly review?: ReviewVerdict;
  /** Of the last step of a plan: what became of the others. */
  readonly results?: readonly TaskResult[];
  /** What a person said when asking for another try. */
  readonly note?: string;
}

export interface TaskResult {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly attempts: number;
}

export function prompt(parts: PromptParts): string {
  const { plan, task, attempt, warnings = [], previous, checkLog, stopped, note, review, results } = parts;
  const sections = [
    `# ${task.title}`,
    ...aboutTask(parts, ` Your attempt is ${attempt}.`),
    results && resultsInWords(results),
    list(
      '## Warnings',
      warnings.map((warning) => warningInWords(plan, warning)),
    ),
    previous &&
      `## Before\n\nThe previous attempt ${failureInWords(previous)}.${checkLog ? `\n\nThe check printed at the end:\n\n${fenced(checkLog)}` : ''}`,
    review && reviewInWords(review),
    stopped && stoppedInWords(stopped),
    note && `## A note from a person\n\n${note.trim()}`,
  ];
  return `${sections.filter((section) => section !== undefined && section !== '').join('\n\n')}\n`;
}

/** The task as the plan's author wrote it, with the groups around it. */
export function aboutTask({ plan, task }: Pick<PromptParts, 'plan' | 'task'>, more = ''): string[] {
  const phase = plan.phases[task.phase]?.name;
  return [
    `This is task ${task.id} of the plan "${plan.title}" (${plan.path})${phase ? `, phase "${phase}"` : ''}.${more}`,
    task.prompt ?? '',
    ...groupsAround(plan, task).map(partOf),
    list('## Acceptance criteria', task.keys.accept ?? []),
  ];
}

export function reviewInWords(review: ReviewVerdict): string {
  if (review.verdict === 'approved') return '';
  const issues = review.issues.map(({ message, file, task }) => {
    const where = [...(file === undefined ? [] : [file]), ...(task === undefined ? [] : [`task ${task}`])];
    return `${plainText(message).trim().replace(/\n+/g, '\n  ')}${where.length === 0 ? '' : ` (${plainLine(where.join(', '))})`}`;
  });
  return list(
    `## What the review found\n\nThe last attempt was rejected, severity ${review.severity}. Mend this:`,
    issues,
  );
}

function resultsInWords(results: readonly TaskResult[]): string {
  const lines = results.map(({ id, title, status, attempts }) => `${id}: ${title} (${status}, attempts: ${attempts})`);
  return list('## What became of the plan\n\nEverything else has ended. You are its last step.', lines);
}

const stoppedInWords = ({ because, saved }: NonNullable<PromptParts['stopped']>): string =>
  `## You were stopped before\n\nYou were stopped because ${because}. ${
    saved === null
      ? 'You had changed no files.'
      : `Your files were put back to what they were; your version is saved as ${saved} (see "${commandLine('saved show', saved)}").`
  }`;

/** Text of others between fences that nothing in it can end. */
export function fenced(text: string, kind = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Goes on after "The previous attempt …". */
export function failureInWords(failure: Failure): string {
  switch (failure.kind) {
    case 'exit':
      return `ended with exit code ${failure.code}`;
    case 'timeout':
      return `was ended because it took longer than ${durationInWords(failure.limitMs)}`;
    case 'idle':
      return `was ended because it printed nothing for ${durationInWords(failure.limitMs)}${failure.last ? `; the last was: ${failure.last}` : ''}`;
    case 'lost':
      return 'was lost: it ended, and nobody knows how';
    case 'unstartable':
      return `could not be started: ${failure.message}`;
    case 'check':
      return `did not pass its check, which ${failure.code === null ? 'took too long' : `ended with exit code ${failure.code}`}${failure.before ? ', as it did before the plan began' : ''}: ${failure.command}`;
    case 'nothing-done':
      return 'ended well, but had called no tool and changed nothing';
    case 'rejected':
      return 'was rejected in review';
    case 'review':
      return `could not be verified: ${failure.message}`;
    case 'said':
      return `failed: ${failure.message}`;
    default:
      return impossible(failure);
  }
}

/** From the outermost to the nearest. */
function groupsAround(plan: Plan, task: Task): readonly Task[] {
  const groups: Task[] = [];
  for (let at = task.parent; at !== undefined; ) {
    const group = plan.tasks[at];
    if (group === undefined) break;
    groups.unshift(group);
    at = group.parent;
  }
  return groups;
}

const partOf = (group: Task): string =>
  [`## Part of ${group.id}: ${group.title}`, group.prompt]
    .filter((text) => text !== undefined && text !== '')
    .join('\n\n');

const list = (heading: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`;

const endedBadly: Record<PreferenceWarning['status'], string> = {
  failed: 'failed',
  skipped: 'was skipped',
  blocked: 'cannot run',
  suspended: 'is suspended',
};

function warningInWords(plan: Plan, { task, status }: PreferenceWarning): string {
  return `${nameOf(plan, task)} should have come first, but it ${endedBadly[status]}. Do not rely on its result.`;
}

function nameOf(plan: Plan, id: TaskId): string {
  const task = plan.tasks.find((other) => other.id === id);
  return task ? `Task ${id} (${task.title})` : `Task ${id}`;
}

function durationInWords(ms: number): string {
  const [amount, unit] = ms >= 60_000 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  const rounded = Math.round(amount * 10) / 10;
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
