// The one way to write the time of day: the local clock, with the date where the day is not clear.

/** With the date if it was not today. */
export function describeTime(at: number, now: number): string {
  const moment = new Date(at);
  return dayOf(moment) === dayOf(new Date(now)) ? clockOf(moment) : describeDate(at);
}

export function describeDate(at: number): string {
  const moment = new Date(at);
  return `${dayOf(moment)} ${clockOf(moment)}`;
}

/** Without the clock. */
export const describeDay = (at: number): string => dayOf(new Date(at));

/** Date, clock and zone: unambiguous everywhere. */
export function describeMoment(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const zone = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(twoDigits).join(':');
  return `${describeDate(at)} ${offset < 0 ? '-' : '+'}${zone}`;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');
const clockOf = (moment: Date) =>
  [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits).join(':');
const dayOf = (moment: Date) =>
  `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
