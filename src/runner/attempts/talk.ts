// The conversation that an attempt goes on in, or the reason for a new one.
import { performerOf } from '../../agents/performer.ts';
import type { Settings } from '../../core/model/settings.ts';
import { type Talk, talkOf } from '../../core/rules/go-on.ts';
import type { Work } from './work.ts';

/** @param folder where it works. Null: there was none before. While the attempt runs the answer stays the same, so another runner that adopts it finds it too. */
export function talkFor(
  { task, live: { job, account }, conversation }: Work,
  settings: Settings,
  folder: string,
): Talk | null {
  const performer = performerOf(job, task, settings);
  if (job.kind !== 'attempt' || 'missing' in performer) return null;
  return talkOf(conversation, {
    by: performer.name,
    ...(account === undefined ? {} : { account }),
    folder,
    canResume: performer.kind.canResume,
    isEscalated: job.escalated === true,
  });
}
