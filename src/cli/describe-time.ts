// A moment as it is shown: the local clock, with the date when it was not today. And how long ago, for tables.
import { describeDuration } from './describe-duration.ts';

export function describeTime(at: number, now: number): string {
  const moment = new Date(at);
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits).join(':');
  return dayOf(moment) === dayOf(new Date(now)) ? clock : `${dayOf(moment)} ${clock}`;
}

export function describeAgo(at: number, now: number): string {
  return now - at < 1000 ? 'just now' : `${describeDuration(Math.floor((now - at) / 1000) * 1000)} ago`;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');
const dayOf = (moment: Date) =>
  `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
