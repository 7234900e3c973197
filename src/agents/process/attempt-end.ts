// Turns a worker's word about an attempt into the end that is observed, and holds the claim that decides whether an attempt
// may still start.
import { constants, readFileSync, writeFileSync } from 'node:fs';
import type { AttemptEnd } from '../../core/model/failure.ts';
import { impossible } from '../../core/model/impossible.ts';
import type { WorkerWord } from './journal.ts';

export interface EndContext {
  /** We sent signals before it ended. */
  readonly killed: boolean;
  /** For messages; unknown for an attempt of an earlier runner. */
  readonly program?: string;
}

export function attemptEnd(word: WorkerWord, { killed, program = 'the program' }: EndContext): AttemptEnd {
  if (typeof word === 'number') return { kind: killed ? 'killed' : 'exited', code: word };
  switch (word) {
    case 'claim':
      return { kind: 'never-started' };
    case 'u127':
      return unstartable(`${program} was not found`, true);
    case 'u126':
      return unstartable(
        `${program} cannot be executed (no permission, no program, or its arguments are too long)`,
        true,
      );
    case 'cd':
      return unstartable('its working directory is not there or cannot be entered', false);
    case 'stdin':
      return unstartable('the file with its standard input cannot be read', false);
    case 'journal':
      return unstartable('the journal of the run cannot be written (is the disk full?)', false);
    default:
      return impossible(word);
  }
}

export const unstartable = (message: string, permanent: boolean): AttemptEnd => ({
  kind: 'unstartable',
  message,
  permanent,
});

/** Left in the output file of an attempt that was called back, so that a claim without a journal entry explains itself. */
const calledBack = 'Signalbox: called back before it was started.\n';

/**
 * Takes the claim on an attempt, so that no worker starts it any more. `taken`: a worker has it, or had it. `called-back`: an
 * earlier call got it. `unknown`: the file cannot be created for another reason, and nobody else can at the moment either.
 */
export function callBack(outputFile: string): 'won' | 'taken' | 'called-back' | 'unknown' {
  try {
    writeFileSync(outputFile, calledBack, { flag: 'wx', mode: 0o600 });
    return 'won';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'won'; // without its folder no worker can claim it
    if (code !== 'EEXIST') return 'unknown';
    return isCalledBack(outputFile) ? 'called-back' : 'taken';
  }
}

function isCalledBack(outputFile: string): boolean {
  try {
    // Whatever stands in its place is not waited for.
    const flag = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;
    return readFileSync(outputFile, { encoding: 'latin1', flag }) === calledBack;
  } catch {
    return false; // unreadable: then it was not us
  }
}
