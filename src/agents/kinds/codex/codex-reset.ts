// Codex says in words when an account may go on: by the clock on the wall, to the minute, with the date if that is another day.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const words = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M/;
const minuteMs = 60_000;

/** In ms, in the zone of this machine, where it was also said; null: it does not say. */
export function resetIn(text: string, now: number): number | null {
  const [, month, day, year, hour, minute, half] = words.exec(text) ?? [];
  if (hour === undefined) return null;
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  const reset = new Date(now);
  if (month !== undefined) reset.setFullYear(Number(year), months.indexOf(month), Number(day));
  reset.setHours(hours, Number(minute), 0, 0);
  // The seconds were cut off.
  return months.indexOf(month ?? 'Jan') === -1 ? null : reset.getTime() + minuteMs;
}
