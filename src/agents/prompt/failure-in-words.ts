// How an attempt failed, as the next one and other programs are told.
import { listWords } from '../../core/model/count-words.ts';
import { describeDuration } from '../../core/model/duration-words.ts';
import type { Failure, Lacking } from '../../core/model/failure.ts';
import { impossible } from '../../core/model/impossible.ts';
import { plainLine } from '../sanitize-terminal.ts';

/** Goes on after "The previous attempt …". */
export function failureInWords(failure: Failure): string {
  switch (failure.kind) {
    case 'exit':
      return `ended with exit code ${failure.code}`;
    case 'timeout':
      return `was ended because it took longer than ${describeDuration(failure.limitMs)}`;
    case 'idle':
      return `was ended because it printed nothing for ${describeDuration(failure.limitMs)}${failure.last ? `; the last was: ${failure.last}` : ''}`;
    case 'mute':
      return `was ended because it printed nothing in its first ${describeDuration(failure.limitMs)}`;
    case 'lost':
      return 'was lost: it ended, and nobody knows how';
    case 'unstartable':
      return `could not be started: ${failure.message}`;
    case 'check':
      return `did not pass its check, which ${failure.code === null ? 'took too long' : `ended with exit code ${failure.code}`}${failure.before ? ', as it did before the plan began' : ''}: ${failure.command}`;
    case 'agent':
      return `${failure.class === 'no-result' ? 'ended without saying that it is finished' : `did not finish (${failure.class})`}${failure.message === '' ? '' : `: ${failure.message}`}`;
    case 'audit':
      return `wrote to files that it had not locked: ${failure.files.join(', ')}`;
    case 'nothing-done':
      return `ended well, but ${lacking[failure.lacks ?? 'change']}`;
    case 'rejected':
      return 'was rejected in review';
    case 'merge':
      return failure.result === 'conflict'
        ? `could not be merged with what others did meanwhile${failure.problem === undefined ? '' : ` (${failure.problem})`}: ${listWords(failure.files.map(plainLine))}`
        : `passed its checks, but together with what others did meanwhile this one does not pass: ${failure.command}`;
    case 'unfit':
      return `left its tree so that it could not be merged: ${failure.message}`;
    case 'review':
      return `could not be verified: ${failure.message}`;
    case 'said':
      return `failed: ${failure.message}`;
    default:
      return impossible(failure);
  }
}

const lacking: Readonly<Record<Lacking, string>> = {
  calls: 'had called no tool and changed nothing',
  change: 'had changed nothing',
  proof: 'nothing shows that it had changed anything',
  owner:
    'others worked in the folder at the same time, and no change is known to be its own. Lock each file before you write to it: signalbox lock wait PATH',
  text: 'its last message, which is its result, was empty',
};
