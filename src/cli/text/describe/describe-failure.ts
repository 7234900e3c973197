// Why an attempt or a task failed, as the end of a sentence: "exited with code 3".
import type { ResultClass } from '../../../core/model/agent-result.ts';
import { listWords } from '../../../core/model/count-words.ts';
import { describeDuration } from '../../../core/model/duration-words.ts';
import type { AttemptEnd, Doom, Failure, Lacking } from '../../../core/model/failure.ts';
import { impossible } from '../../../core/model/impossible.ts';

export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'exit':
      return failure.command === undefined
        ? describeExit(failure.code)
        : `did not pass: ${failure.command} ${describeExit(failure.code)}`;
    case 'timeout':
      return `ran longer than ${describeDuration(failure.limitMs)}`;
    case 'idle':
      return `was silent for ${describeDuration(failure.limitMs)}${lastWords(failure.last)}`;
    case 'mute':
      return muteWords(failure);
    case 'lost':
      return `was lost ${failure.times === 1 ? 'once' : `${failure.times} times`}: Signalbox did not see how it ended`;
    case 'unstartable':
      return `could not be started: ${failure.message}`;
    case 'check':
      return describeCheckFailure(failure);
    case 'agent':
      return `${agentTroubles[failure.class]}${failure.message === '' ? '' : `: ${failure.message}`}`;
    case 'audit':
      return `wrote to files without their locks: ${listWords(failure.files)}`;
    case 'nothing-done':
      return `ended without an error, but ${lacking[failure.lacks ?? 'change']}`;
    case 'rejected':
      return `was rejected ${failure.times === 1 ? 'once' : `${failure.times} times`}${failure.issue === undefined ? '' : `, most recently for: ${failure.issue}`}`;
    case 'merge':
      return describeMergeFailure(failure);
    case 'unfit':
      return `cannot be merged as it is: ${failure.message}`;
    case 'review':
      return `could not be verified: ${failure.message}`;
    case 'said':
      return failure.message;
    default:
      return impossible(failure);
  }
}

/** As a sentence about the task; what a person or a runner said is quoted behind a colon. @param task its id, perhaps painted */
export const describeFailedTask = (task: string, failure: Failure): string =>
  `${task}${failure.kind === 'said' ? ':' : ''} ${describeFailure(failure)}`;

const lacking: Readonly<Record<Lacking, string>> = {
  calls: 'called no tool and changed nothing',
  change: 'changed nothing',
  proof: 'nothing shows that it changed anything',
  owner:
    'no change is known to be its own: others worked in the folder at the same time (`files:` or `check:` in the plan makes that clear)',
  text: 'its last message, which is its result, is empty',
};

/** How a coding agent says that it ended, as the end of a sentence. */
export function describeResult(result: ResultClass): string {
  if (result === 'done') return 'says that it is done';
  return agentTroubles[result];
}

/** @param said the sentence in which it says so */
export const describeWaiting = (said: string): string =>
  `its last message says that it waits, and nothing calls it back: "${said}"`;

const ungovernedWords =
  'works without its hooks, so no lock holds for it (its settings may forbid hooks; `locks: advisory` in signalbox.yaml goes without them)';

const agentTroubles: Readonly<Record<Exclude<ResultClass, 'done'>, string>> = {
  'rate-limit': 'reached the usage limit of its account',
  asks: 'needs an answer',
  'no-conversation': 'could not go on in its earlier conversation',
  'refused-tools': 'was refused tools that it needed',
  'max-turns': 'used all its turns',
  budget: 'used all its budget',
  overload: 'had to give up because the service is overloaded',
  billing: 'cannot be paid for',
  authentication: 'could not log in',
  context: 'had too long a conversation to go on',
  ungoverned: ungovernedWords,
  crash: 'ended with an error',
  killed: 'was killed, and not by Signalbox',
  'no-result': 'ended without saying that it is finished',
};

const muteWords = ({ limitMs }: { readonly limitMs: number }) =>
  `did not begin: nothing of its stream came within ${describeDuration(limitMs)}`;

const lastWords = (last: string | undefined) => (last === undefined ? '' : `; its last output: ${last}`);

export function describeMergeFailure(failure: Extract<Failure, { readonly kind: 'merge' }>): string {
  const { result, files, command, problem } = failure;
  if (result === 'red') return `is not green together with what others did meanwhile: ${command}`;
  const words = problem === undefined ? 'conflicts with what others did meanwhile' : problem;
  return `${words}: ${listWords(files)}`;
}

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
    case 'mute':
      return muteWords(doom);
    case 'finished':
      return 'has said how its work ended, and did not end itself';
    case 'stop':
      return 'is being stopped with the run';
    case 'withdrawn':
      return doom.asked
        ? 'is being stopped because a person has to answer a question'
        : 'is being stopped because a person took the task back';
    case 'looping':
      return `made the same call ${doom.times} times in a row: ${doom.call}`;
    case 'ungoverned':
      return ungovernedWords;
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
