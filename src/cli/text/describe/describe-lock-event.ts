// Events of locks, one line each.

import { countWords, listWords } from '../../../core/model/count-words.ts';
import type { StoredEvent } from '../../../core/model/event.ts';
import type { WriteFinding } from '../../../core/model/failure.ts';
import { impossible } from '../../../core/model/impossible.ts';
import type {
  DeadlockDetected,
  LockEvent,
  LockParty,
  LockReleased,
  LockWaitEnded,
  LockWaiting,
  WorkSaved,
} from '../../../core/model/lock-event.ts';

export type StoredLockEvent = Extract<StoredEvent, { readonly type: LockEvent['type'] }>;

export function describeLockEvent(event: StoredLockEvent): string {
  switch (event.type) {
    case 'lock-acquired':
      return `${who(event)} holds ${event.resource}${event.mode === 'shared' ? ' (shared)' : ''}`;
    case 'lock-waiting':
      return `${who(event)} waits for ${untilDone(event)}`;
    case 'lock-wait-ended':
      return `${who(event)} no longer waits: ${waitEnds[event.because]}`;
    case 'lock-released':
      return `${who(event)} ${releases[event.because]} ${event.resource}${event.by === undefined ? '' : `, forced by ${event.by}: ${event.reason}`}`;
    case 'lock-renewed':
      return `${who(event)} is still alive`;
    case 'lock-refused':
      return `${who(event)} was refused ${event.resource}, because waiting for it would never end: ${event.words}`;
    case 'lock-tried':
      return `${who(event)} tried ${event.resource}, which ${listWords(event.blockedBy)} ${event.blockedBy.length === 1 ? 'has' : 'have'}`;
    case 'deadlock-detected':
      return `deadlock: ${event.words}; ${stopped(event)}`;
    case 'work-saved':
      return event.saved === null
        ? `${event.attempt} had changed nothing`
        : `the work of ${event.attempt} is ${savedAs(event)}`;
    case 'files-put-back':
      return event.left === undefined
        ? `the files of ${event.attempt} are as they were before it`
        : `${listWords(event.left)} could not be put back after ${event.attempt}`;
    case 'write-found':
      return `${event.attempt} wrote without a lock: ${describeFindings(event.files)}`;
    case 'need-added':
      return `${event.task} runs again after ${event.on}, which holds ${event.resource}`;
    case 'deadlock-resolved':
      return `the deadlock is resolved: ${event.victimTask} runs again`;
    default:
      return impossible(event);
  }
}

export const describeFindings = (files: readonly WriteFinding[]): string =>
  listWords(
    files.map(
      ({ path, finding, holder }) => `${path} (${findings[finding]}${holder === undefined ? '' : `: ${holder}`})`,
    ),
  );

const findings: Record<WriteFinding['finding'], string> = {
  late: 'free, and locked afterwards',
  unlocked: 'never locked',
  foreign: 'another holds it',
  suspect: 'or another did: both were at work',
};

/** A blocker may hold the lock or only be ahead in the queue; it has to be done with it either way. */
export const untilDone = ({ resource, blockedBy }: Pick<LockWaiting, 'resource' | 'blockedBy'>): string =>
  `${resource} until ${listWords(blockedBy)} ${blockedBy.length === 1 ? 'is' : 'are'} done with it`;

export const stopped = ({ victim, reason }: Pick<DeadlockDetected, 'victim' | 'reason'>): string =>
  `${victim} is stopped: ${reason}`;

export const savedAs = ({ saved, files }: Pick<WorkSaved, 'saved' | 'files'>): string =>
  `saved as ${saved} (${countWords(files, 'file')})`;

const who = ({ attempt, agent, owner }: LockParty) => attempt ?? agent ?? owner;

const waitEnds: Record<LockWaitEnded['because'], string> = {
  timeout: 'it timed out',
  died: 'its process is gone',
  ended: 'its attempt has ended',
  deadlock: 'it was stopped to end a deadlock',
  'given-up': 'it gave up',
};

const releases: Record<LockReleased['because'], string> = {
  released: 'released',
  ended: 'has ended and released',
  deadlock: 'was stopped and releases',
  expired: 'was silent for too long and loses',
  died: 'died and loses',
  forced: 'loses',
};
