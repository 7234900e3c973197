// A length of time as people say it: 850 ms, 1.2 s, 12 s, 3 min 20 s, 2 h 5 min, 3 d 4 h.

export function describeDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole} ms`;
  if (whole < 9_950) return `${Number((whole / 1000).toFixed(1))} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return two(seconds, 60, 'min', 's');
  const minutes = Math.round(whole / 60_000);
  if (minutes < 48 * 60) return two(minutes, 60, 'h', 'min');
  return two(Math.round(whole / 3_600_000), 24, 'd', 'h');
}

/** For a clock that ticks on the screen: whole seconds, so that nothing flickers. */
export const describeElapsed = (ms: number): string =>
  ms < 60_000 ? `${Math.floor(Math.max(0, ms) / 1000)} s` : describeDuration(Math.floor(ms / 1000) * 1000);

function two(amount: number, per: number, large: string, small: string): string {
  const rest = amount % per;
  return `${Math.floor(amount / per)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
