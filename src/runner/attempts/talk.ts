// The conversation that an attempt goes on in, or the reason for a new one.
import { performerOf } from '../../agents/performer.ts';
import { type Talk, talkOf } from '../../core/rules/go-on.ts';
import type { Ground } from './ground.ts';
import type { Work } from './work.ts';

/** Null: there was none before. While the attempt runs the answer stays the same, so another runner that adopts it finds it too. */
export function talkFor(
  { task, live: { job, account }, conversation }: Work,
  { root, settings }: Pick<Ground, 'root' | 'settings'>,
): Talk | null {
  const performer = performerOf(job, task, settings);
  if (job.kind !== 'attempt' || 'missing' in performer) return null;
  return talkOf(conversation, {
    by: performer.name,
    ...(account === undefined ? {} : { account }),
    folder: root,
    canResume: performer.kind.canResume,
    isEscalated: job.escalated === true,
  });
}
