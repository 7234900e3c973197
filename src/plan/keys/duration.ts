// Durations as people write them: `500ms`, `10s`, `5m`, `2h`, or a number of seconds.

export const durationForm = 'a duration such as `500ms`, `10s`, `5m`, `2h`, or a number of seconds';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, '': 1000, m: 60_000, h: 3_600_000 };
/** Timers of the machine are 32 bit; three weeks are enough for anybody. */
const longestMs = 2 ** 31 - 1;

/** Milliseconds, or null when it is no duration. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,10}(?:\.\d{1,6})?) ?(ms|s|m|h|)$/.exec(text);
  if (!match) return null;
  const ms = Math.round(Number(match[1]) * units[match[2]!]!);
  return ms <= longestMs ? ms : null;
}

/** In the largest unit that needs no fraction. */
export function writeDuration(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((name) => ms > 0 && ms % units[name]! === 0) ?? 'ms';
  return `${ms / units[unit]!}${unit}`;
}

/** `5min`, `5 minutes` → `5m`; undefined where nobody can tell. */
export function meantDuration(text: string): string | undefined {
  const match = /^(\d{1,9}) ?(millis(?:econds?)?|secs?|seconds?|mins?|minutes?|hrs?|hours?|ms|[smh])$/i.exec(
    text.trim(),
  );
  if (!match) return undefined;
  const unit = match[2]!.toLowerCase();
  const meant = `${match[1]}${unit.startsWith('milli') || unit === 'ms' ? 'ms' : unit[0]}`;
  return readDuration(meant) === null ? undefined : meant;
}
