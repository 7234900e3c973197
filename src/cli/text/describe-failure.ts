// Why an attempt or a task failed, as the end of a sentence: "exited with code 3".
import type { AttemptEnd, Doom, Failure } from '../../core/model/failure.ts';
import { impossible } from '../../core/model/impossible.ts';
import { describeDuration } from './describe-duration.ts';

export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'exit':
      return describeExit(failure.code);
    case 'timeout':
      return `ran longer than ${describeDuration(failure.limitMs)}`;
    case 'idle':
      return `was silent for ${describeDuration(failure.limitMs)}${lastWords(failure.last)}`;
    case 'lost':
      return `was lost ${failure.times === 1 ? 'once' : `${failure.times} times`}: Signalbox did not see how it ended`;
    case 'unstartable':
      return `could not be started: ${failure.message}`;
    case 'check':
      return describeCheckFailure(failure);
    case 'nothing-done':
      return 'ended without an error, but called no tool and changed nothing';
    case 'rejected':
      return `was rejected ${failure.times === 1 ? 'once' : `${failure.times} times`}${failure.issue === undefined ? '' : `, most recently for: ${failure.issue}`}`;
    case 'review':
      return `could not be verified: ${failure.message}`;
    case 'said':
      return failure.message;
    default:
      return impossible(failure);
  }
}

const lastWords = (last: string | undefined) => (last === undefined ? '' : `; its last output: ${last}`);

function describeCheckFailure({ command, code, before }: Extract<Failure, { readonly kind: 'check' }>): string {
  const how = code === null ? 'took too long' : `exited with code ${code}`;
  return `did not pass its check: ${command} ${how}${before ? ' (it already failed before the plan began)' : ''}`;
}

export function describeEnd(end: AttemptEnd): string {
  switch (end.kind) {
    case 'exited':
      return describeExit(end.code);
    case 'killed':
      return 'was stopped by Signalbox';
    case 'lost':
      return 'was lost: Signalbox did not see how it ended';
    case 'never-started':
      return 'was cancelled before it started';
    case 'unstartable':
      return `could not be started: ${end.message}`;
    default:
      return impossible(end);
  }
}

export function describeDoom(doom: Doom): string {
  switch (doom.kind) {
    case 'timeout':
      return `ran longer than ${describeDuration(doom.limitMs)}`;
    case 'idle':
      return `was silent for ${describeDuration(doom.limitMs)}${lastWords(doom.last)}`;
    case 'stop':
      return 'is being stopped with the run';
    case 'withdrawn':
      return 'is being stopped because a person took the task back';
    case 'looping':
      return `made the same call ${doom.times} times in a row: ${doom.call}`;
    case 'deadlock':
      return 'is being stopped to end a deadlock';
    default:
      return impossible(doom);
  }
}

/** The meaning of codes in shells. A program may mean something else, so it is only a hint. */
const usual: Readonly<Record<number, string>> = {
  126: 'usually: not executable',
  127: 'usually: command not found',
  130: 'usually: interrupted',
  134: 'usually: SIGABRT',
  137: 'usually: SIGKILL, often out of memory',
  139: 'usually: SIGSEGV',
  143: 'usually: SIGTERM',
};

function describeExit(code: number): string {
  const hint = usual[code];
  return `exited with code ${code}${hint === undefined ? '' : ` (${hint})`}`;
}
