// Claude Code says in words that an account has reached its limit, and until when, where it tells no event about it: with keys of other
// services, and in older versions. Only the text of an error at its end is read like this, never what a model said.
import { momentOf, monthNamed, wallTime } from '../wall-time.ts';

const limits = [
  /\b(?:hit|reached) your (?!.*\bspend limit\b).*\blimit\b/i,
  /\b(?:usage|session|weekly|hour) limit reached\b/i,
  // Money that comes back by itself.
  /\b(?:limit|usage|credits|budget)\b.*\bresets? /i,
];
const epoch = /\b(?:limit reached\||resets? (?:at )?)(\d{10}|\d{13})\b/i;
const date = /([A-Z][a-z]{2,8}) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:,| at|, at)? /;
const clock = /(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b|(\d{1,2}):(\d{2})\b/;
const zone = /(?: ?\(([A-Za-z0-9_+/-]+)\))?/;
const words = new RegExp(`\\bresets? (?:at |on )?(?:${date.source})?(?:${clock.source})${zone.source}`, 'i');

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Null: it is about something else. `resetsAt` null: it does not say until when, or cannot be understood. */
export function limitIn(text: string, now: number): { readonly resetsAt: number | null } | null {
  if (!limits.some((form) => form.test(text))) return null;
  return { resetsAt: epochIn(text) ?? resetIn(text, now) };
}

function epochIn(text: string): number | null {
  const digits = epoch.exec(text)?.[1];
  return digits === undefined ? null : Number(digits) * (digits.length === 10 ? 1000 : 1);
}

function resetIn(text: string, now: number): number | null {
  const found = words.exec(text);
  if (found === null) return null;
  const [, named, day, year, hour, minute = '0', half, hour24, minute24 = '0', place] = found;
  const time = { hour: hourOf(hour, half, hour24), minute: Number(hour24 === undefined ? minute : minute24) };
  const month = named === undefined ? undefined : monthNamed(named);
  if (month === null || time.hour > 23 || time.minute > 59) return null;
  try {
    const today = wallTime(now, place);
    const moment =
      month === undefined
        ? nextTime(momentOf({ ...today, ...time }, place), now)
        : nextDate((of) => momentOf({ year: of, month, day: Number(day), ...time }, place), year, today.year, now);
    // The seconds were cut off.
    return moment + minuteMs;
  } catch {
    return null; // a zone that nobody knows here
  }
}

const hourOf = (hour: string | undefined, half: string | undefined, hour24: string | undefined): number =>
  hour24 === undefined ? (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0) : Number(hour24);

/** Today or tomorrow. One that has just passed was read late. */
const nextTime = (today: number, now: number): number => (today < now - hourMs ? today + dayMs : today);

/** Without a year: the nearest one, because no limit lasts half a year. */
function nextDate(inYear: (year: number) => number, said: string | undefined, thisYear: number, now: number): number {
  if (said !== undefined) return inYear(Number(said));
  const moment = inYear(thisYear);
  return moment < now - 180 * dayMs ? inYear(thisYear + 1) : moment;
}
