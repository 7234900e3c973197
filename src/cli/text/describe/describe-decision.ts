// A decision in sentences: what happened, what it blocks, what goes on, and the evidence.

import { countWords, listWords, numberWords } from '../../../core/model/count-words.ts';
import type { DecisionEvidence, Names, OpenDecision } from '../../../core/model/decision.ts';
import { impossible } from '../../../core/model/impossible.ts';
import { saysPhase } from '../../../core/model/plan.ts';
import type { Issue } from '../../../core/model/review.ts';
import { describeMergeFailure } from './describe-failure.ts';
import { describeObstacle } from './describe-obstacle.ts';

/** "Task 1 failed. This blocks 2, 3 and 4. Task 5 goes on." */
export function describeDecision(decision: OpenDecision): string {
  return [happened(decision), blocks(decision), goesOn(decision.goesOn)].filter((part) => part !== '').join(' ');
}

/** What happened, without the tasks that it blocks. */
function happened({ kind, task, attempt, evidence, blocks }: OpenDecision): string {
  switch (kind) {
    case 'failure':
      return `Task ${task} failed.`;
    case 'rejection':
      return `Task ${task} was rejected with high severity.`;
    case 'review':
      return `${attempt ?? `Task ${task}`} waits for a person's review.`;
    case 'soft-failure': {
      const preferred = evidence?.kind === 'preferred' ? evidence.tasks : [];
      return `Task ${task} prefers ${listWords(preferred)}, which ended badly.`;
    }
    case 'livelock':
      return task === undefined
        ? 'The plan keeps running but makes no progress.'
        : `Task ${task} ${evidence?.kind === 'silence' ? 'falls silent again and again' : 'is in a loop'}.`;
    case 'batch': {
      if (evidence?.kind !== 'batch') return 'A phase has ended, and some of its tasks did not complete.';
      const { phase, completed, rest } = evidence;
      const name = phase === '' ? 'The phase' : saysPhase(phase) ? `"${phase}"` : `Phase "${phase}"`;
      const good = completed.count === 0 ? 'none' : list(completed);
      return `${name} has ended. Completed: ${good}. Not completed: ${list(rest)}.`;
    }
    case 'stuck':
      return `${countWords(blocks.count, 'task')} cannot start: ${list(blocks)}.`;
    case 'question': {
      const words = evidence?.kind === 'question' ? evidence.question.replace(/\s+/g, ' ').trim() : '';
      return attempt === undefined ? `Task ${task} waits for an answer: ${words}` : `${attempt} asks: ${words}`;
    }
    case 'conflict':
      return `Task ${task} could not be merged with what others did, twice in a row.`;
    case 'merge':
      return `Nothing can be merged${evidence?.kind === 'held' ? `: ${describeObstacle(evidence.because)}` : ''}.`;
    case 'override':
      return `A person overrode a rule for ${task}.`;
    default:
      return impossible(kind);
  }
}

function blocks({ kind, task, blocks: all }: OpenDecision): string {
  if (kind === 'stuck' || kind === 'override') return '';
  const others = all.tasks.filter((id) => id !== task);
  const count = all.count - (all.tasks.length - others.length);
  if (count === 0) return kind === 'review' || kind === 'soft-failure' ? '' : 'Nothing else waits for it.';
  return `This blocks ${list({ count, tasks: others })}.`;
}

function goesOn(names: Names): string {
  if (names.count === 0) return '';
  return names.count === 1 ? `Task ${list(names)} goes on.` : `Tasks ${list(names)} go on.`;
}

const shown = 8;

/** The count is of all tasks, the names may be only the first. */
function list({ count, tasks }: Names): string {
  if (count <= shown + 1 && tasks.length === count) return listWords(tasks, shown + 1);
  const first = tasks.slice(0, shown);
  return `${first.join(', ')} and ${numberWords(count - first.length)} more`;
}

/** One line per piece of evidence. */
export function describeEvidence(evidence: DecisionEvidence | undefined): string[] {
  if (evidence === undefined) return [];
  switch (evidence.kind) {
    case 'rejected':
      return [`Its review found:`, ...evidence.issues.map(describeIssue)];
    case 'same-rejection':
      return [
        `It was rejected ${evidence.times} times in a row for the same reason:`,
        ...evidence.issues.map(describeIssue),
      ];
    case 'circular-rejection':
      return [
        `Rejected because of each other, ${evidence.times} times: ${[...evidence.circle, evidence.circle[0]].join(' → ')}`,
      ];
    case 'no-progress':
      return [`These attempts changed nothing and completed nothing: ${listWords(evidence.attempts)}`];
    case 'same-calls':
      return [`It made the same tool call ${evidence.times} times: ${evidence.call}`];
    case 'undoing':
      return [`${listWords(evidence.tasks)} undid each other's work on ${evidence.file} ${evidence.times} times`];
    case 'silence':
      return [
        `Its agent fell silent and was stopped, ${evidence.times} times in a row${evidence.last === undefined ? '' : `; the last it said: ${evidence.last}`}`,
      ];
    case 'unmerged':
      return [`Its work ${describeMergeFailure(evidence.failure)}`];
    case 'held':
    case 'question':
    case 'preferred':
    case 'batch':
      return [];
    default:
      return impossible(evidence);
  }
}

export function describeIssue({ message, file, task }: Issue): string {
  const where = file === undefined ? '' : ` (${file})`;
  return `- ${message}${where}${task === undefined ? '' : `, because of ${task}`}`;
}
