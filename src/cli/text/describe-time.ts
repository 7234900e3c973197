// A moment as the local clock, with the date if it was not today; or as a time ago, for tables.
import { describeDuration } from './describe-duration.ts';

export function describeTime(at: number, now: number): string {
  const moment = new Date(at);
  const clock = clockOf(moment);
  return dayOf(moment) === dayOf(new Date(now)) ? clock : `${dayOf(moment)} ${clock}`;
}

/** Date, clock and zone: unambiguous everywhere. */
export function describeMoment(at: number): string {
  const moment = new Date(at);
  const offset = -moment.getTimezoneOffset();
  const zone = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(twoDigits).join(':');
  return `${dayOf(moment)} ${clockOf(moment)} ${offset < 0 ? '-' : '+'}${zone}`;
}

export function describeAgo(at: number, now: number): string {
  return now - at < 1000 ? 'just now' : `${describeDuration(Math.floor((now - at) / 1000) * 1000)} ago`;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');
const clockOf = (moment: Date) =>
  [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits).join(':');
const dayOf = (moment: Date) =>
  `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
