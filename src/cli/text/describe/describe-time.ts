// A moment as a time ago, for tables. The clock itself is written in one place, api/clock-words.ts.
import { describeDuration } from '../../../core/model/duration-words.ts';

export { describeDay, describeMoment, describeTime } from '../../../api/clock-words.ts';

export function describeAgo(at: number, now: number): string {
  return now - at < 1000 ? 'just now' : `${describeDuration(Math.floor((now - at) / 1000) * 1000)} ago`;
}
