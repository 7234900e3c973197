// A time that a program says as a clock on a wall shows it, in the zone that it names, as a moment in ms.

export interface WallTime {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** By the beginning of its English name; null: there is no such month. */
export function monthNamed(name: string): number | null {
  const at = months.indexOf(name.slice(0, 3).toLowerCase());
  return at === -1 ? null : at;
}

/** What the clock shows there. @param zone absent: that of this machine. An unknown one is a RangeError. */
export function wallTime(at: number, zone: string | undefined): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (part: Intl.DateTimeFormatPartTypes) => parts.get(part)!;
  return { year: of('year'), month: of('month') - 1, day: of('day'), hour: of('hour'), minute: of('minute') };
}

/** When the clock shows it there. The offset may be another one then, so it is looked up twice. */
export function momentOf(wall: WallTime, zone: string | undefined): number {
  const asUtc = utcOf(wall);
  const once = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(once, zone);
}

const utcOf = ({ year, month, day, hour, minute }: WallTime): number => Date.UTC(year, month, day, hour, minute);

const offsetAt = (at: number, zone: string | undefined): number => utcOf(wallTime(at, zone)) - at;

const formatOf = (zone: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    hourCycle: 'h23',
    ...(zone === undefined ? {} : { timeZone: zone }),
  });
