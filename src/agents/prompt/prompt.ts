// What an agent is told: its task and the groups around it as the plan's author wrote them, and what happened before. Pure text;
// it reaches agents through a file and standard input, never through a shell.

import { commandLine } from '../../core/model/command-line.ts';
import type { PreferenceWarning } from '../../core/model/event.ts';
import type { Failure } from '../../core/model/failure.ts';
import type { AttemptId, TaskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { ReviewVerdict } from '../../core/model/review.ts';
import { shortHash } from '../../core/model/short-hash.ts';
import type { NewBecause, Talk } from '../../core/rules/go-on.ts';
import { plainLine, plainText } from '../sanitize-terminal.ts';
import { builtOnInWords, type FinishedNeed } from './built-on.ts';
import { failureInWords } from './failure-in-words.ts';
import { filesInWords } from './files-in-words.ts';
import { judgedBy } from './judged-by.ts';
import { fenced, joined, list } from './markdown.ts';
import { byHandInWords, goingOnInTree, mergingInWords, type OwnTree } from './own-tree.ts';
import { framed, type PromptSections, promptSections } from './template.ts';

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
  /** The end of what that attempt printed. */
  readonly printed?: string;
  /** The same of its standard error alone: an agent that goes on in its conversation knows the rest. */
  readonly errors?: string;
  /** What the last review found. */
  readonly review?: ReviewVerdict;
  /** Of the last step of a plan: what became of the others. */
  readonly results?: readonly TaskResult[];
  /** What a person said when asking for another try. */
  readonly note?: string;
  /** Whether it goes on in an earlier conversation; absent: there was none. */
  readonly talk?: Talk;
  /** Its hooks take the locks of what it edits. */
  readonly isGoverned?: boolean;
  /** A file that it writes without its lock fails the attempt. */
  readonly isAudited?: boolean;
  /** It could leave work in the background and expect to be called back. */
  readonly isCoding?: boolean;
  /** It works in a tree of its own; absent: in the workspace, with others. */
  readonly tree?: OwnTree;
  /** The tasks that it needs, and what they left behind. */
  readonly builtOn?: readonly FinishedNeed[];
  /** The person's own frame, without mistakes; absent: the usual words in the usual order. */
  readonly template?: string;
}

export interface TaskResult {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly attempts: number;
}

export function prompt(parts: PromptParts): string {
  const { talk, template } = parts;
  const isKnown = talk?.kind === 'goes-on' && talk.conversation.told === toldAs(parts);
  const sections = sectionsOf(parts, isKnown);
  // Who goes on and knows the task has read the frame too.
  const text =
    template === undefined || isKnown
      ? joined(promptSections.map((name) => sections[name]))
      : framed(template, sections);
  return `${text}\n`;
}

function sectionsOf(parts: PromptParts, isKnown: boolean): PromptSections {
  const { plan, warnings = [], stopped, note, review, results, builtOn, talk, tree } = parts;
  return {
    task: joined([
      ...(talk?.kind === 'goes-on' ? goingOn(parts, isKnown) : []),
      ...(isKnown ? [] : theTask(parts, talk?.kind === 'new' ? ` ${newInWords(talk)}` : '')),
    ]),
    judged: isKnown ? '' : judgedBy(parts),
    files: isKnown ? '' : filesInWords(parts),
    results: results ? resultsInWords(results) : '',
    'built-on': !isKnown && builtOn ? builtOnInWords(builtOn) : '',
    warnings: list(
      '## Warnings',
      warnings.map((warning) => warningInWords(plan, warning)),
    ),
    before: joined([
      beforeInWords(parts),
      tree ? byHandInWords(tree) : '',
      tree ? mergingInWords(tree) : '',
      review ? reviewInWords(review) : '',
      stopped ? stoppedInWords(stopped, tree) : '',
    ]),
    note: note ? `## A note from a person\n\n${note.trim()}` : '',
    asking: isKnown ? '' : asking,
  };
}

function beforeInWords({ previous, checkLog, printed, errors }: PromptParts): string {
  if (!previous) return '';
  const end = (words: string, text: string | undefined) => (text ? `${words}\n\n${fenced(text)}` : '');
  return joined([
    '## Before',
    `The previous attempt ${failureInWords(previous)}.${wasCutOff(previous) ? ` ${cutOff}` : ''}`,
    end('The check printed at the end:', checkLog),
    end('It printed at the end:', printed),
    end('Its standard error ended with:', errors),
  ]);
}

const wasCutOff = (failure: Failure): boolean => failure.kind === 'agent' && failure.class === 'no-result';
const cutOff = 'Its last answer was cut off: see what is done, finish the rest, and report.';

/** All that does not change from attempt to attempt, unless the plan is edited. */
function theTask(parts: PromptParts, more: string): string[] {
  const { task, attempt, isCoding } = parts;
  const about = aboutTask(parts, ` Your attempt is ${attempt}.${more}${isCoding ? ` ${noCall}` : ''}`);
  return [`# ${task.title}`, ...about];
}

/** Models are told by their programs that work in the background calls them back; here nothing does. */
export const noCall = 'Nothing will notify you: whatever you start ends with you, so wait for it before you end.';

/** A short name for it: an agent that goes on need not be told the same again. */
export function toldAs(parts: Pick<PromptParts, 'plan' | 'task' | 'isAudited' | 'template' | 'tree'>): string {
  const { task, tree, template = '' } = parts;
  // Each attempt has a branch of its own, and is told its name.
  const files = filesInWords({ task, ...(tree ? { tree: { branch: tree.branch && '' } } : {}) });
  const told = [task.title, ...aboutTask(parts), judgedBy(parts), files];
  return shortHash(told.join('\n\n') + template);
}

function goingOn({ task, attempt, tree }: PromptParts, isKnown: boolean): string[] {
  const rules = isKnown
    ? 'The task, the rules about files and how you are judged are what you were told.'
    : 'What follows counts now, also where you were told something else.';
  return [
    `# Go on with ${task.id}: ${task.title}`,
    `You go on in the same conversation: the task is not finished yet. Your attempt is now ${attempt}. ${rules}`,
    tree
      ? goingOnInTree(tree)
      : 'Others may have written meanwhile: look at files before you rely on what you remember of them. Locks that you took yourself are released; take them again before you write.',
  ];
}

const newBecause: Readonly<Record<NewBecause, string>> = {
  'too-long': 'the earlier one is too long to go on',
  gone: 'the earlier one could not be gone on in',
  agent: 'another agent had the earlier one',
  account: 'the earlier one belongs to another account',
  folder: 'the earlier one was in another folder',
  program: 'your program cannot go on in an earlier one',
};

const newInWords = ({ because, earlier }: Extract<Talk, { readonly kind: 'new' }>): string =>
  `This is a new conversation, because ${newBecause[because]}: what ${earlier} knew, you do not.`;

const asking =
  '## If you need a person\n\nNobody can answer while you work. If you cannot go on without an answer: `signalbox suspend --question "…"`, then end. Your next attempt gets the answer.';

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

const stoppedInWords = ({ because, saved }: NonNullable<PromptParts['stopped']>, tree: OwnTree | undefined): string =>
  `## You were stopped before\n\nYou were stopped because ${because}. ${
    saved === null
      ? tree
        ? 'What you had changed is in your tree.'
        : 'You had changed no files.'
      : `Your files were put back to what they were; your version is saved as ${saved} (see "${commandLine('saved show', saved)}").`
  }`;

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
