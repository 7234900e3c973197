// A decision in sentences: what happened, what it blocks, what goes on, and what speaks for it.
import type { Evidence, Names, OpenDecision } from '../core/decision.ts';
import { impossible } from '../core/impossible.ts';
import type { Issue } from '../core/review.ts';
import { countWords, listWords, numberWords } from './count-words.ts';

/** "Task 1 failed. This blocks 2, 3 and 4. Task 5 goes on." */
export function describeDecision(decision: OpenDecision): string {
  return [happened(decision), blocks(decision), goesOn(decision.goesOn)].filter((part) => part !== '').join(' ');
}

/** Without what it blocks: for lists. */
export function happened({ kind, task, attempt, evidence, blocks }: OpenDecision): string {
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
      return task === undefined ? 'The plan goes on and makes no progress.' : `Task ${task} goes round in circles.`;
    case 'batch': {
      if (evidence?.kind !== 'batch') return 'A phase has ended, and not all of it was completed.';
      const { phase, completed, rest } = evidence;
      const name = phase === '' ? 'The phase' : `Phase "${phase}"`;
      const good = completed.count === 0 ? 'Nothing was completed' : `${list(completed)} completed`;
      return `${name} has ended. ${good}, ${list(rest)} not.`;
    }
    case 'stuck':
      return `${countWords(blocks.count, 'task')} cannot go on: ${list(blocks)}.`;
    case 'override':
      return `Somebody went against a rule for ${task}.`;
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

/** The count is of all; the names may be the first of them only. */
function list({ count, tasks }: Names): string {
  if (count <= shown + 1 && tasks.length === count) return listWords(tasks, shown + 1);
  const first = tasks.slice(0, shown);
  return `${first.join(', ')} and ${numberWords(count - first.length)} more`;
}

/** What speaks for asking, one line each. */
export function describeEvidence(evidence: Evidence | undefined): string[] {
  if (evidence === undefined) return [];
  switch (evidence.kind) {
    case 'rejected':
      return [`Its review found:`, ...evidence.issues.map(describeIssue)];
    case 'same-rejection':
      return [`It was rejected ${evidence.times} times in a row for the same:`, ...evidence.issues.map(describeIssue)];
    case 'circular-rejection':
      return [
        `Rejected for each other, ${evidence.times} times: ${[...evidence.circle, evidence.circle[0]].join(' → ')}`,
      ];
    case 'no-progress':
      return [`These attempts changed nothing and completed nothing: ${listWords(evidence.attempts)}`];
    case 'same-calls':
      return [`The same tool call ${evidence.times} times: ${evidence.call}`];
    case 'undoing':
      return [`${listWords(evidence.tasks)} undo each other's work on ${evidence.file}, ${evidence.times} times`];
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
