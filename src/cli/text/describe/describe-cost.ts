// Money, as far as it is known: what is not known is never 0.

/** Cents for small sums too, because most attempts cost less than one. */
export function describeUsd(usd: number): string {
  if (usd > 0 && usd < 0.01) return '<$0.01';
  return `$${usd.toFixed(2)}`;
}

/** @param unknown attempts whose cost is not known */
export function describeCost({ usd, unknown }: { readonly usd: number | null; readonly unknown: number }): string {
  if (usd === null || (usd === 0 && unknown > 0)) return 'unknown';
  return unknown === 0 ? describeUsd(usd) : `${describeUsd(usd)} and unknown`;
}
